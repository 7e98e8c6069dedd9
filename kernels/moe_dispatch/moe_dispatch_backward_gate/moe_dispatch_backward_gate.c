/* SPDX-License-Identifier: MIT */
#include "core/context.h"
#include "core/tensor_rules.h"
#include "kernels/kernel.h"
#include "kernels/moe_dispatch/dispatch_checks.h"
#include "kernels/utils/zero_fill.h"

#define API "[mluOpMoeDispatchBackwardGate]"

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

static const char *scalar_rows_cannot(mluOpHandle_t handle, const void *call) {
  (void)handle;
  return ((const MoeDispatchCall *)call)->partial_sums != NULL ? "tasks share a sample" : NULL;
}

static const char *scalar_rows_do_not_pay(mluOpHandle_t handle, const void *call) {
  return mluop_scalar_rows_of_type_do_not_pay(handle, ((const MoeDispatchCall *)call)->dtype);
}

MLUOP_VARIANTS(moe_dispatch_backward_gate,
               {"small_tasks", dispatch_gather_refusal, mluop_small_tasks_do_not_pay,
                MoeDispatchBackwardGateSmallTasks},
               {"scalar_rows", scalar_rows_cannot, scalar_rows_do_not_pay,
                MoeDispatchBackwardGateScalarRows},
               {"reference", NULL, NULL, MoeDispatchBackwardGateReference});

/* Partial sums are only needed where several tasks share a sample: with fewer samples than cores.
 */
static size_t needed_workspace(mluOpHandle_t handle, int64_t samples, int64_t hidden) {
  const bool is_shared = samples < mluop_context_core_num(handle) &&
                         samples <= GATE_MAX_SHARED_SAMPLES && hidden > GATE_CHUNK;
  return is_shared ? (size_t)(samples * CEIL_DIV(hidden, GATE_CHUNK)) * sizeof(float) : 0;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetMoeDispatchBackwardGateWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, size_t *workspace_size) {
  mluopTensors tensors = MLUOP_TENSOR_QUERY("[mluOpGetMoeDispatchBackwardGateWorkspaceSize]",
                                            handle, &table, INPUT, input_desc);
  CHECK_TENSOR_QUERY(&tensors, MLUOP_ONLY(INPUT), workspace_size);
  CHECK_TENSORS(&tensors, MLUOP_ONLY(INPUT), RANK, TYPE, LAYOUT, LARGE);
  *workspace_size = needed_workspace(handle, input_desc->dims[0], input_desc->dims[1]);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchBackwardGate(
    mluOpHandle_t handle, MLUOP_IN_ARGS(indices), MLUOP_IN_ARGS(locations), MLUOP_IN_ARGS(input),
    MLUOP_IN_ARGS(dispatch), DISPATCH_SCALAR_ARGS, void *workspace, const size_t workspace_size,
    MLUOP_OUT_ARGS(grad_gates)) {
  DISPATCH_SIZES(sizes);
  mluopTensors tensors =
      MLUOP_TENSORS(API, handle, &table, sizes, grad_gates, indices, locations, input, dispatch);
  MLUOP_RETURN_IF_FAILED(dispatch_check_tensors(&tensors));
  LOG_CALL(&tensors, DISPATCH_SCALAR_NAMES);
  if (ANY_TENSOR_EMPTY(API, grad_gates_desc)) return MLUOP_STATUS_SUCCESS;
  if (ANY_TENSOR_EMPTY(API, input_desc, dispatch_desc)) {
    /* A sum over nothing is 0. */
    CHECK_DATA(API, grad_gates);
    return mluop_zero_fill(handle, grad_gates_desc, grad_gates);
  }
  CHECK_TENSOR_WORKSPACE(&tensors, workspace, workspace_size,
                         needed_workspace(handle, samples, hidden));
  /* Tasks write sums while others still read. */
  CHECK_TENSORS(&tensors, MLUOP_ALL, DATA, APART);
  RECORD_CASE(&tensors, DISPATCH_SCALAR_NAMES);

  const MoeDispatchCall call = {DISPATCH_CALL(input_desc), .input = input, .grad = grad_gates,
                                .partial_sums = tensors.workspace_bytes > 0 ? workspace : NULL};
  return mluop_variant_launch(&moe_dispatch_backward_gate_variants, handle, &call);
}
