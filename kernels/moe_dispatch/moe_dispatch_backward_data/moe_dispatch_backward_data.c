/* SPDX-License-Identifier: MIT
 *
 * Host side of moe_dispatch_backward_data: checks, task sizing, launch. */
#include "kernels/moe_dispatch/moe_dispatch_backward_data/moe_dispatch_backward_data.h"

#include "core/check.h"
#include "core/context.h"
#include "core/gen_case.h"
#include "core/logging.h"
#include "core/tensor.h"
#include "kernels/kernel.h"

#define API "[mluOpMoeDispatchBackwardData]"

/* A task should have at least this much to move, else starting it costs more than it saves. */
#define MIN_TASK_BYTES (32 * 1024)

typedef struct MoeDispatchBackwardDataArgs {
  mluOpTensorDescriptor_t gates_desc, indices_desc, locations_desc, dispatch_desc, grad_input_desc;
  int samples, capacity, hidden, num_experts;
} MoeDispatchBackwardDataArgs;

static mluOpStatus_t check_tensors(mluOpHandle_t handle, const MoeDispatchBackwardDataArgs *args) {
  mluOpTensorDescriptor_t gates_desc = args->gates_desc, indices_desc = args->indices_desc;
  mluOpTensorDescriptor_t locations_desc = args->locations_desc;
  mluOpTensorDescriptor_t dispatch_desc = args->dispatch_desc;
  mluOpTensorDescriptor_t grad_input_desc = args->grad_input_desc;
  int samples = args->samples, capacity = args->capacity;
  int hidden = args->hidden, num_experts = args->num_experts;

  CHECK_HANDLE(API, handle);
  CHECK_ARCH(API, handle, MLUOP_MLU370);
  CHECK_DESC(API, gates_desc);
  CHECK_DESC(API, indices_desc);
  CHECK_DESC(API, locations_desc);
  CHECK_DESC(API, dispatch_desc);
  CHECK_DESC(API, grad_input_desc);

  CHECK_RANK(API, gates_desc, 1);
  CHECK_RANK(API, indices_desc, 1);
  CHECK_RANK(API, locations_desc, 1);
  CHECK_RANK(API, dispatch_desc, 2);
  CHECK_RANK(API, grad_input_desc, 2);

  CHECK_DTYPE(API, dispatch_desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16);
  CHECK_SAME_DTYPE(API, gates_desc, dispatch_desc);
  CHECK_SAME_DTYPE(API, grad_input_desc, dispatch_desc);
  CHECK_DTYPE(API, indices_desc, MLUOP_DTYPE_INT32);
  CHECK_DTYPE(API, locations_desc, MLUOP_DTYPE_INT32);

  CHECK_NOT_NEGATIVE(API, samples);
  CHECK_NOT_NEGATIVE(API, capacity);
  CHECK_NOT_NEGATIVE(API, hidden);
  CHECK_NOT_NEGATIVE(API, num_experts);
  CHECK_DIM(API, gates_desc, 0, samples);
  CHECK_DIM(API, indices_desc, 0, samples);
  CHECK_DIM(API, locations_desc, 0, samples);
  CHECK_DIM(API, dispatch_desc, 0, (int64_t)num_experts * capacity);
  CHECK_DIM(API, dispatch_desc, 1, hidden);
  CHECK_DIM(API, grad_input_desc, 0, samples);
  CHECK_DIM(API, grad_input_desc, 1, hidden);

  CHECK_CONTIGUOUS(API, gates_desc);
  CHECK_CONTIGUOUS(API, indices_desc);
  CHECK_CONTIGUOUS(API, locations_desc);
  CHECK_CONTIGUOUS(API, dispatch_desc);
  CHECK_CONTIGUOUS(API, grad_input_desc);

  LARGE_TENSOR_CHECK(API, gates_desc);
  LARGE_TENSOR_CHECK(API, indices_desc);
  LARGE_TENSOR_CHECK(API, locations_desc);
  LARGE_TENSOR_CHECK(API, dispatch_desc);
  LARGE_TENSOR_CHECK(API, grad_input_desc);
  return MLUOP_STATUS_SUCCESS;
}

/* Tasks write other rows than the ones they read, so the two must not share memory. */
static mluOpStatus_t check_overlap(const MoeDispatchBackwardDataArgs *args, const void *dispatch,
                                   const void *grad_input) {
  uintptr_t dispatch_begin = (uintptr_t)dispatch, grad_begin = (uintptr_t)grad_input;
  bool overlap = dispatch_begin < grad_begin + mluop_tensor_bytes(args->grad_input_desc) &&
                 grad_begin < dispatch_begin + mluop_tensor_bytes(args->dispatch_desc);
  CHECK_VALUE(API, grad_input, !overlap, "memory that does not overlap dispatch at %p", dispatch);
  return MLUOP_STATUS_SUCCESS;
}

static cnrtDim3_t task_dim(mluOpHandle_t handle, const MoeDispatchBackwardDataArgs *args) {
  size_t useful = CEIL_DIV(mluop_tensor_bytes(args->grad_input_desc), MIN_TASK_BYTES);
  size_t cores = (size_t)mluop_context_core_num(handle);
  cnrtDim3_t dim = {(unsigned)(useful < cores ? useful : cores), 1, 1};
  return dim;
}

mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchBackwardData(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t gates_desc, const void *gates,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t locations_desc, const void *locations,
    const mluOpTensorDescriptor_t dispatch_desc, const void *dispatch, const int samples,
    const int capacity, const int hidden, const int num_experts,
    const mluOpTensorDescriptor_t grad_input_desc, void *grad_input) {
  const MoeDispatchBackwardDataArgs args = {gates_desc,    indices_desc,    locations_desc,
                                            dispatch_desc, grad_input_desc, samples,
                                            capacity,      hidden,          num_experts};
  MLUOP_RETURN_IF_FAILED(check_tensors(handle, &args));
  if (ANY_TENSOR_EMPTY(API, grad_input_desc)) return MLUOP_STATUS_SUCCESS;
  CHECK_DATA(API, grad_input);
  if (ANY_TENSOR_EMPTY(API, dispatch_desc)) {
    /* No slots: no sample is in dispatch. */
    INTERNAL_CHECK(API, cnrtMemsetAsync(grad_input, 0, mluop_tensor_bytes(grad_input_desc),
                                        handle->queue) == cnrtSuccess);
    return MLUOP_STATUS_SUCCESS;
  }
  CHECK_DATA(API, gates);
  CHECK_DATA(API, indices);
  CHECK_DATA(API, locations);
  CHECK_DATA(API, dispatch);
  MLUOP_RETURN_IF_FAILED(check_overlap(&args, dispatch, grad_input));

  GEN_CASE(gen_case, handle, "moe_dispatch_backward_data", "MOE_DISPATCH_BACKWARD_DATA");
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "gates", gates_desc, gates, genCaseUniform(0, 1));
    genCaseInput(&gen_case, "indices", indices_desc, indices, genCaseReal(0, num_experts - 1));
    genCaseInput(&gen_case, "locations", locations_desc, locations, genCaseReal(0, capacity - 1));
    genCaseInput(&gen_case, "dispatch", dispatch_desc, dispatch, genCaseUniform(-1, 1));
    genCaseOutput(&gen_case, "grad_input", grad_input_desc, grad_input);
    genCaseParamInt(&gen_case, "samples", samples);
    genCaseParamInt(&gen_case, "capacity", capacity);
    genCaseParamInt(&gen_case, "hidden", hidden);
    genCaseParamInt(&gen_case, "num_experts", num_experts);
    genCaseTestParam(&gen_case, "DIFF3", 0);
    genCaseWrite(&gen_case);
  }

  cnrtDim3_t k_dim = task_dim(handle, &args);
  cnrtFunctionType_t k_type = cnrtFuncTypeBlock;
  VLOG(5, API " %u tasks of type block", k_dim.x);
  return KernelMoeDispatchBackwardData(k_dim, k_type, handle->queue, dispatch_desc->dtype, gates,
                                       indices, locations, dispatch, samples, capacity, hidden,
                                       num_experts, grad_input);
}
