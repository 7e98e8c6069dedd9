/* SPDX-License-Identifier: MIT */
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

/* Shorter rows go faster by larger tiles. */
#define SMALL_TASKS_MIN_ROW_BYTES 1024

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const MoeDispatchCall *c = call;
  if (c->row_bytes > BACKWARD_DATA_SMALL_TILE_BYTES) return "a row is longer than a tile";
  return dispatch_gather_refusal(handle, call);
}

static const char *small_tasks_do_not_pay(mluOpHandle_t handle, const void *call) {
  const MoeDispatchCall *c = call;
  if (c->row_bytes < SMALL_TASKS_MIN_ROW_BYTES) return "rows are short";
  return mluop_small_tasks_do_not_pay(handle, call);
}

MLUOP_VARIANTS(moe_dispatch_backward_data,
               {"small_tasks", small_tasks_cannot, small_tasks_do_not_pay,
                MoeDispatchBackwardDataSmallTasks},
               {"reference", NULL, NULL, MoeDispatchBackwardDataReference});

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

  const MoeDispatchCall call = {DISPATCH_CALL(dispatch_desc), .gates = gates, .grad = grad_input};
  return mluop_variant_launch(&moe_dispatch_backward_data_variants, handle, &call);
}
