/* SPDX-License-Identifier: MIT
 *
 * Host side of moe_dispatch_forward: checks, task sizing, launch. */
#include "kernels/moe_dispatch/moe_dispatch_forward/moe_dispatch_forward.h"

#include "core/check.h"
#include "core/context.h"
#include "core/gen_case.h"
#include "core/logging.h"
#include "core/tensor.h"
#include "core/tool.h"
#include "kernels/kernel.h"

#define API "[mluOpMoeDispatchForward]"

/* A task should have at least this much to move, else starting it costs more than it saves. */
#define MIN_TASK_BYTES (32 * 1024)

typedef struct MoeDispatchForwardArgs {
  mluOpTensorDescriptor_t gates_desc, indices_desc, locations_desc, input_desc, dispatch_desc;
  int samples, capacity, hidden, num_experts;
} MoeDispatchForwardArgs;

static mluOpStatus_t check_tensors(mluOpHandle_t handle, const MoeDispatchForwardArgs *args) {
  mluOpTensorDescriptor_t gates_desc = args->gates_desc, indices_desc = args->indices_desc;
  mluOpTensorDescriptor_t locations_desc = args->locations_desc, input_desc = args->input_desc;
  mluOpTensorDescriptor_t dispatch_desc = args->dispatch_desc;
  int samples = args->samples, capacity = args->capacity;
  int hidden = args->hidden, num_experts = args->num_experts;

  CHECK_HANDLE(API, handle);
  CHECK_ARCH(API, handle, MLUOP_MLU370);
  CHECK_DESC(API, gates_desc);
  CHECK_DESC(API, indices_desc);
  CHECK_DESC(API, locations_desc);
  CHECK_DESC(API, input_desc);
  CHECK_DESC(API, dispatch_desc);

  CHECK_RANK(API, gates_desc, 1);
  CHECK_RANK(API, indices_desc, 1);
  CHECK_RANK(API, locations_desc, 1);
  CHECK_RANK(API, input_desc, 2);
  CHECK_RANK(API, dispatch_desc, 2);

  CHECK_DTYPE(API, input_desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16);
  CHECK_SAME_DTYPE(API, gates_desc, input_desc);
  CHECK_SAME_DTYPE(API, dispatch_desc, input_desc);
  CHECK_DTYPE(API, indices_desc, MLUOP_DTYPE_INT32);
  CHECK_DTYPE(API, locations_desc, MLUOP_DTYPE_INT32);

  CHECK_NOT_NEGATIVE(API, samples);
  CHECK_NOT_NEGATIVE(API, capacity);
  CHECK_NOT_NEGATIVE(API, hidden);
  CHECK_NOT_NEGATIVE(API, num_experts);
  CHECK_DIM(API, gates_desc, 0, samples);
  CHECK_DIM(API, indices_desc, 0, samples);
  CHECK_DIM(API, locations_desc, 0, samples);
  CHECK_DIM(API, input_desc, 0, samples);
  CHECK_DIM(API, input_desc, 1, hidden);
  CHECK_DIM(API, dispatch_desc, 0, (int64_t)num_experts * capacity);
  CHECK_DIM(API, dispatch_desc, 1, hidden);

  CHECK_CONTIGUOUS(API, gates_desc);
  CHECK_CONTIGUOUS(API, indices_desc);
  CHECK_CONTIGUOUS(API, locations_desc);
  CHECK_CONTIGUOUS(API, input_desc);
  CHECK_CONTIGUOUS(API, dispatch_desc);

  LARGE_TENSOR_CHECK(API, gates_desc);
  LARGE_TENSOR_CHECK(API, indices_desc);
  LARGE_TENSOR_CHECK(API, locations_desc);
  LARGE_TENSOR_CHECK(API, input_desc);
  LARGE_TENSOR_CHECK(API, dispatch_desc);
  return MLUOP_STATUS_SUCCESS;
}

static size_t useful_tasks(const MoeDispatchForwardArgs *args) {
  return CEIL_DIV(mluop_tensor_bytes(args->input_desc), MIN_TASK_BYTES);
}

/* Clusters of the union for the kernel that tags rows, or 0: it cannot do this call, or there is
 * too little to do for a union. */
static int tagged_clusters(mluOpHandle_t handle, const MoeDispatchForwardArgs *args,
                           const void *dispatch) {
  const size_t word = sizeof(int32_t), most_bytes = UINT32_MAX;
  const size_t row_bytes = (size_t)args->hidden * mluop_dtype_size(args->input_desc->dtype);
  const size_t most_samples = (size_t)KernelTaggedDispatchSamples();
  if (most_samples == 0 || row_bytes % word != 0 || (uintptr_t)dispatch % word != 0 ||
      mluop_tensor_bytes(args->dispatch_desc) > most_bytes)
    return 0;
  const size_t cores = (size_t)handle->core_num_per_cluster;
  if (useful_tasks(args) < cores) return 0;
  const size_t listing = CEIL_DIV((size_t)args->samples, most_samples);
  const size_t tasks = useful_tasks(args) > listing ? useful_tasks(args) : listing;
  return mluop_context_union_of(handle, tasks / cores);
}

/* One launch after the other where there are more samples than a union lists; what a later one
 * writes stays. */
static mluOpStatus_t tagged_dispatch(mluOpHandle_t handle, const MoeDispatchForwardArgs *args,
                                     int clusters, const void *gates, const int32_t *indices,
                                     const int32_t *locations, const void *input, void *dispatch) {
  const unsigned tasks = (unsigned)(clusters * handle->core_num_per_cluster);
  const cnrtDim3_t k_dim = {tasks, 1, 1};
  const cnrtFunctionType_t k_type = (cnrtFunctionType_t)(cnrtFuncTypeUnion1 * clusters);
  const int64_t size = (int64_t)mluop_dtype_size(args->input_desc->dtype);
  const int64_t most = (int64_t)tasks * KernelTaggedDispatchSamples();
  const int64_t launches = CEIL_DIV(args->samples, most);
  const int64_t part = CEIL_DIV(args->samples, launches);
  VLOG(5, API " %u tasks in a union, %d launches", tasks, (int)launches);
  for (int64_t first = 0; first < args->samples; first += part) {
    const int64_t left = args->samples - first;
    const MoeDispatchForwardRouting routing = {indices + first, locations + first, args->capacity,
                                               args->num_experts};
    MLUOP_RETURN_IF_FAILED(KernelTaggedDispatch(
        k_dim, k_type, handle->queue, args->input_desc->dtype, (const char *)gates + first * size,
        routing, (const char *)input + first * args->hidden * size,
        (int)(left < part ? left : part), args->hidden, dispatch));
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchForward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t gates_desc, const void *gates,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t locations_desc, const void *locations,
    const mluOpTensorDescriptor_t input_desc, const void *input, const int samples,
    const int capacity, const int hidden, const int num_experts,
    const mluOpTensorDescriptor_t dispatch_desc, void *dispatch) {
  const MoeDispatchForwardArgs args = {gates_desc, indices_desc,  locations_desc,
                                       input_desc, dispatch_desc, samples,
                                       capacity,   hidden,        num_experts};
  MLUOP_RETURN_IF_FAILED(check_tensors(handle, &args));
  if (ANY_TENSOR_EMPTY(API, gates_desc, input_desc, dispatch_desc)) return MLUOP_STATUS_SUCCESS;
  CHECK_DATA(API, gates);
  CHECK_DATA(API, indices);
  CHECK_DATA(API, locations);
  CHECK_DATA(API, input);
  CHECK_DATA(API, dispatch);
  /* Tasks read other rows of input than the ones they write to dispatch. */
  CHECK_NO_OVERLAP(API, dispatch, dispatch_desc, input, input_desc);

  GEN_CASE(gen_case, handle, "moe_dispatch_forward", "MOE_DISPATCH_FORWARD");
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "gates", gates_desc, gates, genCaseUniform(0, 1));
    genCaseInput(&gen_case, "indices", indices_desc, indices, genCaseReal(0, num_experts - 1));
    genCaseInput(&gen_case, "locations", locations_desc, locations, genCaseReal(0, capacity - 1));
    genCaseInput(&gen_case, "input", input_desc, input, genCaseUniform(-100, 100));
    genCaseInput(&gen_case, "dispatch", dispatch_desc, dispatch, genCaseUniform(-100, 100));
    genCaseOutput(&gen_case, "dispatch", dispatch_desc, dispatch);
    genCaseParamInt(&gen_case, "samples", samples);
    genCaseParamInt(&gen_case, "capacity", capacity);
    genCaseParamInt(&gen_case, "hidden", hidden);
    genCaseParamInt(&gen_case, "num_experts", num_experts);
    genCaseTestParam(&gen_case, "DIFF3", 0);
    genCaseWrite(&gen_case);
  }

  const int clusters = tagged_clusters(handle, &args, dispatch);
  if (clusters > 0) {
    return tagged_dispatch(handle, &args, clusters, gates, indices, locations, input, dispatch);
  }

  const size_t useful = useful_tasks(&args), cores = (size_t)mluop_context_core_num(handle);
  const cnrtDim3_t k_dim = {(unsigned)(useful < cores ? useful : cores), 1, 1};
  cnrtFunctionType_t k_type = cnrtFuncTypeBlock;
  VLOG(5, API " %u tasks of type block", k_dim.x);
  return KernelMoeDispatchForward(k_dim, k_type, handle->queue, input_desc->dtype, gates, indices,
                                  locations, input, samples, capacity, hidden, num_experts,
                                  dispatch);
}
