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
#include "kernels/moe_dispatch/dispatch_checks.h"

#define API "[mluOpMoeDispatchForward]"

/* Of the kernels that tag rows: what a task that moves should have at least, and how many of
 * these a core has at a time. */
#define MIN_MOVED_BYTES (16 * 1024)
#define TASKS_TOGETHER 4

/* Tasks that move rows without tags. */
static unsigned useful_tasks(mluOpHandle_t handle, const DispatchArgs *args) {
  return mluop_context_tasks(handle, mluop_tensor_bytes(args->tensor[DISPATCH_SAMPLES].desc),
                             DISPATCH_MIN_TASK_BYTES);
}

static mluOpDataType_t dtype_of(const DispatchArgs *args) {
  return args->tensor[args->typed].desc->dtype;
}

/* Whether the kernels that tag rows can do this call, and pay. */
static bool may_tag(mluOpHandle_t handle, const DispatchArgs *args, const void *dispatch) {
  const size_t word = sizeof(int32_t), most_bytes = UINT32_MAX;
  const size_t row_bytes = (size_t)args->hidden * mluop_dtype_size(dtype_of(args));
  return KernelMoveTaggedSamples() > 0 && row_bytes % word == 0 &&
         (uintptr_t)dispatch % word == 0 &&
         mluop_tensor_bytes(args->tensor[DISPATCH_SLOTS].desc) <= most_bytes &&
         useful_tasks(handle, args) >= (unsigned)handle->core_num_per_cluster;
}

/* As many tasks as find room; if these had much to do then more and larger ones than the least, of
 * which those that are served sooner take more. */
static unsigned move_tasks(size_t bytes, size_t samples, size_t cores) {
  const size_t useful = CEIL_DIV(bytes, MIN_MOVED_BYTES), together = TASKS_TOGETHER * cores;
  size_t tasks = useful < together ? useful : together;
  if (useful >= 4 * together)
    tasks = useful / 2 < MOE_DISPATCH_MOST_TASKS ? useful / 2 : MOE_DISPATCH_MOST_TASKS;
  const size_t listing = CEIL_DIV(samples, (size_t)KernelMoveTaggedSamples());
  return (unsigned)(tasks > listing ? tasks : listing);
}

/* Moves the samples of a call that are tagged. */
static mluOpStatus_t move_tagged(mluOpHandle_t handle, const DispatchArgs *args,
                                 DispatchRouting routing, int samples, const void *gates,
                                 const void *input, void *dispatch) {
  const mluOpDataType_t dtype = dtype_of(args);
  const size_t row_bytes = (size_t)args->hidden * mluop_dtype_size(dtype);
  if (QuickMoveSuits(row_bytes)) {
    return KernelQuickMove(handle->queue, dtype, gates, routing, input, samples, args->hidden,
                           dispatch);
  }
  const size_t cores = (size_t)mluop_context_core_num(handle);
  const cnrtDim3_t dim = {move_tasks((size_t)samples * row_bytes, (size_t)samples, cores), 1, 1};
  VLOG(5, API " %u tasks that move", dim.x);
  return KernelMoveTagged(dim, cnrtFuncTypeBlock, handle->queue, dtype, gates, routing, input,
                          samples, args->hidden, dispatch);
}

/* What later samples write stays, so more of them than there are tags for follow. */
static mluOpStatus_t dispatch_by_tags(mluOpHandle_t handle, const DispatchArgs *args,
                                      const void *gates, const int32_t *indices,
                                      const int32_t *locations, const void *input, void *dispatch) {
  const mluOpDataType_t dtype = dtype_of(args);
  const int64_t size = (int64_t)mluop_dtype_size(dtype), row_bytes = args->hidden * size;
  const int64_t most = MOE_DISPATCH_TAGGED_SAMPLES;
  for (int64_t first = 0; first < args->samples; first += most) {
    const int64_t samples = args->samples - first < most ? args->samples - first : most;
    const DispatchRouting routing = {indices + first, locations + first, args->capacity,
                                     args->num_experts};
    MLUOP_RETURN_IF_FAILED(KernelTagSamples(handle->queue, dtype, routing, (int)samples,
                                            (uint32_t)row_bytes, dispatch));
    MLUOP_RETURN_IF_FAILED(move_tagged(handle, args, routing, (int)samples,
                                       (const char *)gates + first * size,
                                       (const char *)input + first * row_bytes, dispatch));
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
  const DispatchArgs args = {.tensor = {{"gates_desc", gates_desc},
                                        {"indices_desc", indices_desc},
                                        {"locations_desc", locations_desc},
                                        {"input_desc", input_desc},
                                        {"dispatch_desc", dispatch_desc}},
                             .typed = DISPATCH_SAMPLES,
                             .samples = samples,
                             .capacity = capacity,
                             .hidden = hidden,
                             .num_experts = num_experts};
  MLUOP_RETURN_IF_FAILED(dispatch_check_tensors(API, handle, &args));
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
    dispatch_record_sizes(&gen_case, &args);
    genCaseTestParam(&gen_case, "DIFF3", 0);
    genCaseWrite(&gen_case);
  }

  if (may_tag(handle, &args, dispatch)) {
    return dispatch_by_tags(handle, &args, gates, indices, locations, input, dispatch);
  }

  const cnrtDim3_t k_dim = {useful_tasks(handle, &args), 1, 1};
  cnrtFunctionType_t k_type = cnrtFuncTypeBlock;
  VLOG(5, API " %u tasks of type block", k_dim.x);
  return KernelMoeDispatchForward(k_dim, k_type, handle->queue, input_desc->dtype, gates, indices,
                                  locations, input, samples, capacity, hidden, num_experts,
                                  dispatch);
}
