/* SPDX-License-Identifier: MIT
 *
 * Host side of moe_dispatch_backward_data: checks, task sizing, launch. */
#include "kernels/moe_dispatch/moe_dispatch_backward_data/moe_dispatch_backward_data.h"

#include "core/check.h"
#include "core/context.h"
#include "core/gen_case.h"
#include "core/logging.h"
#include "core/tensor.h"
#include "kernels/moe_dispatch/dispatch_checks.h"
#include "kernels/moe_dispatch/moe_dispatch_backward_data/quick_gather_scaled.h"

#define API "[mluOpMoeDispatchBackwardData]"

mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchBackwardData(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t gates_desc, const void *gates,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t locations_desc, const void *locations,
    const mluOpTensorDescriptor_t dispatch_desc, const void *dispatch, const int samples,
    const int capacity, const int hidden, const int num_experts,
    const mluOpTensorDescriptor_t grad_input_desc, void *grad_input) {
  const DispatchArgs args = {.tensor = {{"gates_desc", gates_desc},
                                        {"indices_desc", indices_desc},
                                        {"locations_desc", locations_desc},
                                        {"grad_input_desc", grad_input_desc},
                                        {"dispatch_desc", dispatch_desc}},
                             .typed = DISPATCH_SLOTS,
                             .samples = samples,
                             .capacity = capacity,
                             .hidden = hidden,
                             .num_experts = num_experts};
  MLUOP_RETURN_IF_FAILED(dispatch_check_tensors(API, handle, &args));
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
  /* Tasks write other rows than the ones they read. */
  CHECK_NO_OVERLAP(API, grad_input, grad_input_desc, dispatch, dispatch_desc);

  GEN_CASE(gen_case, handle, "moe_dispatch_backward_data", "MOE_DISPATCH_BACKWARD_DATA");
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "gates", gates_desc, gates, genCaseUniform(0, 1));
    genCaseInput(&gen_case, "indices", indices_desc, indices, genCaseReal(0, num_experts - 1));
    genCaseInput(&gen_case, "locations", locations_desc, locations, genCaseReal(0, capacity - 1));
    genCaseInput(&gen_case, "dispatch", dispatch_desc, dispatch, genCaseUniform(-1, 1));
    genCaseOutput(&gen_case, "grad_input", grad_input_desc, grad_input);
    dispatch_record_sizes(&gen_case, &args);
    genCaseTestParam(&gen_case, "DIFF3", 0);
    genCaseWrite(&gen_case);
  }

  const DispatchRouting routing = {indices, locations, capacity, num_experts};
  if (QuickGatherScaledSuits(&routing, dispatch_desc->dtype, hidden)) {
    VLOG(5, API " small tasks for %d samples", samples);
    return KernelQuickGatherScaled(handle->queue, dispatch_desc->dtype, gates, routing, dispatch,
                                   samples, hidden, grad_input);
  }
  cnrtDim3_t k_dim = {
      mluop_context_tasks(handle, mluop_tensor_bytes(grad_input_desc), DISPATCH_MIN_TASK_BYTES), 1,
      1};
  cnrtFunctionType_t k_type = cnrtFuncTypeBlock;
  VLOG(5, API " %u tasks of type block", k_dim.x);
  return KernelMoeDispatchBackwardData(k_dim, k_type, handle->queue, dispatch_desc->dtype, gates,
                                       indices, locations, dispatch, samples, capacity, hidden,
                                       num_experts, grad_input);
}
