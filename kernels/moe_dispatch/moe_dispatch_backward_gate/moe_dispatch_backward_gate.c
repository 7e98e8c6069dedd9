/* SPDX-License-Identifier: MIT
 *
 * Host side of moe_dispatch_backward_gate: workspace, checks, and the call handed to a form of the
 * kernel. */
#include "kernels/moe_dispatch/moe_dispatch_backward_gate/moe_dispatch_backward_gate.h"

#include "core/check.h"
#include "core/context.h"
#include "core/gen_case.h"
#include "core/tensor.h"
#include "core/tool.h"
#include "kernels/kernel.h"
#include "kernels/moe_dispatch/dispatch_checks.h"
#include "kernels/utils/zero_fill.h"

#define API "[mluOpMoeDispatchBackwardGate]"
#define WORKSPACE_API "[mluOpGetMoeDispatchBackwardGateWorkspaceSize]"

/* Tasks share the chunks of a sample only when there are fewer samples than tasks. */
static bool tasks_share_samples(mluOpHandle_t handle, int64_t samples, int64_t hidden) {
  return samples < mluop_context_core_num(handle) && samples <= GATE_MAX_SHARED_SAMPLES &&
         hidden > GATE_CHUNK;
}

static size_t needed_workspace(mluOpHandle_t handle, int64_t samples, int64_t hidden) {
  if (!tasks_share_samples(handle, samples, hidden)) return 0;
  return (size_t)samples * (size_t)CEIL_DIV(hidden, GATE_CHUNK) * sizeof(float);
}

mluOpStatus_t MLUOP_WIN_API mluOpGetMoeDispatchBackwardGateWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, size_t *workspace_size) {
  CHECK_HANDLE(WORKSPACE_API, handle);
  CHECK_ARCH(WORKSPACE_API, handle, MLUOP_MLU370);
  CHECK_DESC(WORKSPACE_API, input_desc);
  CHECK_NOT_NULL(WORKSPACE_API, workspace_size);
  CHECK_RANK(WORKSPACE_API, input_desc, 2);
  MLUOP_RETURN_IF_FAILED(dispatch_check_dtype(WORKSPACE_API, "input_desc", input_desc));
  CHECK_CONTIGUOUS(WORKSPACE_API, input_desc);
  LARGE_TENSOR_CHECK(WORKSPACE_API, input_desc);
  *workspace_size = needed_workspace(handle, input_desc->dims[0], input_desc->dims[1]);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchBackwardGate(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t locations_desc, const void *locations,
    const mluOpTensorDescriptor_t input_desc, const void *input,
    const mluOpTensorDescriptor_t dispatch_desc, const void *dispatch, const int samples,
    const int capacity, const int hidden, const int num_experts, void *workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t grad_gates_desc, void *grad_gates) {
  const DispatchArgs args = {.tensor = {{"grad_gates_desc", grad_gates_desc},
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
  DISPATCH_LOG_CALL(API, &args);
  if (ANY_TENSOR_EMPTY(API, grad_gates_desc)) return MLUOP_STATUS_SUCCESS;
  if (ANY_TENSOR_EMPTY(API, input_desc, dispatch_desc)) {
    /* Sums of nothing. */
    CHECK_DATA(API, grad_gates);
    return mluop_zero_fill(handle, grad_gates_desc, grad_gates);
  }
  size_t needed = needed_workspace(handle, samples, hidden);
  CHECK_WORKSPACE(API, workspace, workspace_size, needed);
  CHECK_DATA(API, indices);
  CHECK_DATA(API, locations);
  CHECK_DATA(API, input);
  CHECK_DATA(API, dispatch);
  CHECK_DATA(API, grad_gates);
  /* Tasks write sums while others still read. */
  CHECK_APART(API, MLUOP_WRITTEN(grad_gates, grad_gates_desc), MLUOP_SCRATCH(workspace, needed),
              MLUOP_READ(indices, indices_desc), MLUOP_READ(locations, locations_desc),
              MLUOP_READ(input, input_desc), MLUOP_READ(dispatch, dispatch_desc));

  GEN_CASE(gen_case, handle, "moe_dispatch_backward_gate", "MOE_DISPATCH_BACKWARD_GATE");
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "indices", indices_desc, indices, genCaseReal(0, num_experts - 1));
    genCaseInput(&gen_case, "locations", locations_desc, locations, genCaseReal(0, capacity - 1));
    genCaseInput(&gen_case, "input", input_desc, input, genCaseUniform(-1, 1));
    genCaseInput(&gen_case, "dispatch", dispatch_desc, dispatch, genCaseUniform(-1, 1));
    genCaseOutput(&gen_case, "grad_gates", grad_gates_desc, grad_gates);
    dispatch_record_sizes(&gen_case, &args);
    genCaseTestParam(&gen_case, "DIFF1", 0.003);
    genCaseTestParam(&gen_case, "DIFF2", 0.003);
    genCaseWrite(&gen_case);
  }

  const MoeDispatchBackwardGateCall call = {
      .dtype = input_desc->dtype,
      .routing = {indices, locations, capacity, num_experts},
      .input = input,
      .dispatch = dispatch,
      .samples = samples,
      .hidden = hidden,
      .row_bytes = hidden * (int64_t)mluop_dtype_size(input_desc->dtype),
      .partial_sums = needed > 0 ? workspace : NULL,
      .grad_gates = grad_gates};
  return mluop_variant_launch(&moe_dispatch_backward_gate_variants, handle, &call);
}
