/* SPDX-License-Identifier: MIT
 *
 * Host side of moe_dispatch_backward_gate: workspace, checks, and the call handed to a form of the
 * kernel. */
#include "kernels/moe_dispatch/moe_dispatch_backward_gate/moe_dispatch_backward_gate.h"

#include "core/context.h"
#include "core/tensor_rules.h"
#include "kernels/kernel.h"
#include "kernels/moe_dispatch/dispatch_checks.h"
#include "kernels/utils/zero_fill.h"

#define API "[mluOpMoeDispatchBackwardGate]"
#define WORKSPACE_API "[mluOpGetMoeDispatchBackwardGateWorkspaceSize]"

enum { GRAD_GATES, INDICES, LOCATIONS, INPUT, DISPATCH };
static const mluopTensorRule rules[] = {
    MLUOP_OUT(grad_gates, MLUOP_TYPE_OF(INPUT), MLUOP_DIMS(SAMPLES)),
    MLUOP_IN(indices, DISPATCH_INDICES),
    MLUOP_IN(locations, DISPATCH_LOCATIONS),
    MLUOP_IN(input, MLUOP_FLOATS, DISPATCH_SAMPLE_ROWS, MLUOP_UNIFORM(-1, 1)),
    MLUOP_IN(dispatch, MLUOP_TYPE_OF(INPUT), DISPATCH_SLOT_ROWS, MLUOP_UNIFORM(-1, 1)),
};
static const mluopTensorTable table =
    MLUOP_TENSOR_TABLE("moe_dispatch_backward_gate", rules, .op_type = "MOE_DISPATCH_BACKWARD_GATE",
                       .base = INPUT, .size_names = DISPATCH_SIZE_NAMES, .tolerance = 0.003);

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
  const mluopTensors tensors = MLUOP_TENSOR_QUERY(WORKSPACE_API, handle, &table, INPUT, input_desc);
  CHECK_TENSORS(&tensors, MLUOP_ONLY(INPUT), HANDLE, PRESENT);
  CHECK_NOT_NULL(WORKSPACE_API, workspace_size);
  CHECK_TENSORS(&tensors, MLUOP_ONLY(INPUT), RANK, TYPE, LAYOUT, LARGE);
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
  DISPATCH_SIZES(sizes);
  mluopTensors tensors =
      MLUOP_TENSORS(API, handle, &table, sizes, grad_gates, indices, locations, input, dispatch);
  MLUOP_RETURN_IF_FAILED(dispatch_check_tensors(&tensors));
  DISPATCH_LOG_CALL(&tensors);
  if (ANY_TENSOR_EMPTY(API, grad_gates_desc)) return MLUOP_STATUS_SUCCESS;
  if (ANY_TENSOR_EMPTY(API, input_desc, dispatch_desc)) {
    /* Sums of nothing. */
    CHECK_DATA(API, grad_gates);
    return mluop_zero_fill(handle, grad_gates_desc, grad_gates);
  }
  CHECK_TENSOR_WORKSPACE(&tensors, workspace, workspace_size,
                         needed_workspace(handle, samples, hidden));
  CHECK_TENSORS(&tensors, MLUOP_EXCEPT(GRAD_GATES), DATA);
  /* Tasks write sums while others still read. */
  CHECK_TENSORS(&tensors, MLUOP_ALL, DATA, APART);
  RECORD_CASE(gen_case, &tensors, dispatch_record_scalars(&gen_case, &tensors));

  const MoeDispatchBackwardGateCall call = {
      .dtype = input_desc->dtype,
      .routing = {indices, locations, capacity, num_experts},
      .input = input,
      .dispatch = dispatch,
      .samples = samples,
      .hidden = hidden,
      .row_bytes = hidden * (int64_t)mluop_dtype_size(input_desc->dtype),
      .partial_sums = tensors.workspace_bytes > 0 ? workspace : NULL,
      .grad_gates = grad_gates};
  return mluop_variant_launch(&moe_dispatch_backward_gate_variants, handle, &call);
}
