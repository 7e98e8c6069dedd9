/* SPDX-License-Identifier: MIT */
#include "kernels/moe_dispatch/dispatch_checks.h"
#include "kernels/moe_dispatch/moe_dispatch_forward/moe_dispatch_forward.h"
#include "kernels/moe_dispatch/moe_dispatch_forward/scalar_tables/scalar_tables.h"
#include "kernels/utils/last_samples.h"

static const char *cannot_in_place(mluOpHandle_t handle, const void *call) {
  (void)handle;
  return MoeDispatchForwardIsInPlace(call) ? "input and dispatch are one memory" : NULL;
}

static const char *scalar_tables_do_not_pay(mluOpHandle_t handle, const void *call) {
  const MoeDispatchForwardCall *c = call;
  if (dispatch_rows(&c->routing) > SCALAR_TABLES_MAX_ROWS) return "dispatch has too many rows";
  return mluop_scalar_tables_do_not_pay(handle, call);
}

static const char *small_tasks_do_not_pay(mluOpHandle_t handle, const void *call) {
  const MoeDispatchForwardCall *c = call;
  if (!mluop_small_tasks_overlap(&handle->facts)) return "a core runs one task at a time";
  if (dispatch_rows(&c->routing) > LAST_SAMPLES_HINTS) return "there are more rows than hints";
  const unsigned tasks =
      mluop_context_tasks(handle, (size_t)(c->samples * c->row_bytes), DISPATCH_MIN_TASK_BYTES);
  return tasks < (unsigned)handle->core_num_per_cluster ? "there is too little to move" : NULL;
}

MLUOP_VARIANTS(moe_dispatch_forward,
               {"scalar_tables", cannot_in_place, scalar_tables_do_not_pay,
                MoeDispatchForwardScalarTables},
               {"small_tasks", cannot_in_place, small_tasks_do_not_pay,
                MoeDispatchForwardSmallTasks},
               {"reference", NULL, NULL, MoeDispatchForwardReference});
