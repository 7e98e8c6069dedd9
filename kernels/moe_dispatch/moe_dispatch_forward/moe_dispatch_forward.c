/* SPDX-License-Identifier: MIT */
#include "core/tensor_rules.h"
#include "kernels/kernel.h"
#include "kernels/moe_dispatch/dispatch_checks.h"

#define API "[mluOpMoeDispatchForward]"

enum { GATES, INDICES, LOCATIONS, INPUT, DISPATCH };
static const mluopTensorRule rules[] = {
    MLUOP_IN(gates, MLUOP_TYPE_OF(INPUT), MLUOP_DIMS(SAMPLES), MLUOP_UNIFORM(0, 1)),
    MLUOP_IN(indices, DISPATCH_INDICES),
    MLUOP_IN(locations, DISPATCH_LOCATIONS),
    MLUOP_IN(input, MLUOP_FLOATS, DISPATCH_SAMPLE_ROWS, MLUOP_UNIFORM(-100, 100)),
    MLUOP_UPDATED(dispatch, MLUOP_TYPE_OF(INPUT), DISPATCH_SLOT_ROWS, MLUOP_UNIFORM(-100, 100)),
};
static const mluopTensorTable table =
    MLUOP_TENSOR_TABLE("moe_dispatch_forward", rules, .op_type = "MOE_DISPATCH_FORWARD",
                       .base = INPUT, .size_names = DISPATCH_SIZE_NAMES);

static const char *cannot_in_place(mluOpHandle_t handle, const void *call) {
  (void)handle;
  return dispatch_is_in_place(call) ? "input and dispatch are one memory" : NULL;
}

static const char *scalar_tables_do_not_pay(mluOpHandle_t handle, const void *call) {
  const MoeDispatchCall *c = call;
  if (dispatch_rows(&c->routing) > SCALAR_TABLES_MAX_ROWS) return "dispatch has too many rows";
  return mluop_scalar_tables_do_not_pay(handle, call);
}

static const char *small_tasks_do_not_pay(mluOpHandle_t handle, const void *call) {
  const MoeDispatchCall *c = call;
  if (!mluop_small_tasks_overlap(&handle->facts)) return "a core runs one task at a time";
  if (dispatch_rows(&c->routing) > LAST_SAMPLES_HINTS) return "there are more rows than hints";
  const unsigned few = (unsigned)handle->core_num_per_cluster;
  return dispatch_tasks(handle, c) < few ? "there is too little to move" : NULL;
}

MLUOP_VARIANTS(moe_dispatch_forward,
               {"scalar_tables", cannot_in_place, scalar_tables_do_not_pay,
                MoeDispatchForwardScalarTables},
               {"small_tasks", cannot_in_place, small_tasks_do_not_pay,
                MoeDispatchForwardSmallTasks},
               {"reference", NULL, NULL, MoeDispatchForwardReference});

mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchForward(mluOpHandle_t handle, MLUOP_IN_ARGS(gates),
                                                    MLUOP_IN_ARGS(indices),
                                                    MLUOP_IN_ARGS(locations), MLUOP_IN_ARGS(input),
                                                    DISPATCH_SCALAR_ARGS,
                                                    MLUOP_OUT_ARGS(dispatch)) {
  DISPATCH_SIZES(sizes);
  mluopTensors tensors =
      MLUOP_TENSORS(API, handle, &table, sizes, gates, indices, locations, input, dispatch);
  MLUOP_RETURN_IF_FAILED(dispatch_check_tensors(&tensors));
  LOG_CALL(&tensors, DISPATCH_SCALAR_NAMES);
  if (ANY_TENSOR_EMPTY(API, gates_desc, input_desc, dispatch_desc)) return MLUOP_STATUS_SUCCESS;
  CHECK_TENSORS(&tensors, MLUOP_ALL, DATA);
  const bool is_in_place = dispatch == input && (int64_t)num_experts * capacity == samples;
  if (is_in_place) {
    CHECK_VALUE(API, samples, samples <= DISPATCH_IN_PLACE_MAX_SAMPLES,
                "at most %d where dispatch is input", DISPATCH_IN_PLACE_MAX_SAMPLES);
  }
  /* A task reads rows of input while others write dispatch. */
  CHECK_TENSORS(&tensors, is_in_place ? MLUOP_EXCEPT(INPUT) : MLUOP_ALL, APART);
  RECORD_CASE(&tensors, DISPATCH_SCALAR_NAMES);

  const MoeDispatchCall call = {DISPATCH_CALL(input_desc), .gates = gates, .input = input};
  return mluop_variant_launch(&moe_dispatch_forward_variants, handle, &call);
}
