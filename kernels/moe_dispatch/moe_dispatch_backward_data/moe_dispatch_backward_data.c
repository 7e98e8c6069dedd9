/* SPDX-License-Identifier: MIT */
#include "kernels/moe_dispatch/moe_dispatch_backward_data/moe_dispatch_backward_data.h"

#include "core/tensor_rules.h"
#include "kernels/moe_dispatch/dispatch_checks.h"
#include "kernels/utils/zero_fill.h"

#define API "[mluOpMoeDispatchBackwardData]"

enum { GATES, INDICES, LOCATIONS, GRAD_INPUT, DISPATCH };
static const mluopTensorRule rules[] = {
    MLUOP_IN(gates, MLUOP_TYPE_OF(DISPATCH), MLUOP_DIMS(SAMPLES), MLUOP_UNIFORM(0, 1)),
    MLUOP_IN(indices, DISPATCH_INDICES),
    MLUOP_IN(locations, DISPATCH_LOCATIONS),
    MLUOP_OUT(grad_input, MLUOP_TYPE_OF(DISPATCH), DISPATCH_SAMPLE_ROWS),
    MLUOP_IN(dispatch, MLUOP_FLOATS, DISPATCH_SLOT_ROWS, MLUOP_UNIFORM(-1, 1)),
};
static const mluopTensorTable table =
    MLUOP_TENSOR_TABLE("moe_dispatch_backward_data", rules, .op_type = "MOE_DISPATCH_BACKWARD_DATA",
                       .base = DISPATCH, .size_names = DISPATCH_SIZE_NAMES);

mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchBackwardData(
    mluOpHandle_t handle, MLUOP_IN_ARGS(gates), MLUOP_IN_ARGS(indices), MLUOP_IN_ARGS(locations),
    MLUOP_IN_ARGS(dispatch), DISPATCH_SCALAR_ARGS, MLUOP_OUT_ARGS(grad_input)) {
  DISPATCH_SIZES(sizes);
  mluopTensors tensors =
      MLUOP_TENSORS(API, handle, &table, sizes, gates, indices, locations, grad_input, dispatch);
  MLUOP_RETURN_IF_FAILED(dispatch_check_tensors(&tensors));
  LOG_CALL(&tensors, DISPATCH_SCALAR_NAMES);
  if (ANY_TENSOR_EMPTY(API, grad_input_desc)) return MLUOP_STATUS_SUCCESS;
  CHECK_DATA(API, grad_input);
  if (ANY_TENSOR_EMPTY(API, dispatch_desc)) {
    /* Without slots no sample is in dispatch. */
    return mluop_zero_fill(handle, grad_input_desc, grad_input);
  }
  /* A task reads rows of dispatch while others write grad_input. */
  CHECK_TENSORS(&tensors, MLUOP_ALL, DATA, APART);
  RECORD_CASE(&tensors, DISPATCH_SCALAR_NAMES);

  const MoeDispatchBackwardDataCall call = {DISPATCH_CALL(dispatch_desc), .gates = gates,
                                            .dispatch = dispatch, .grad_input = grad_input};
  return mluop_variant_launch(&moe_dispatch_backward_data_variants, handle, &call);
}
