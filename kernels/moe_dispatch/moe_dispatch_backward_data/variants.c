/* SPDX-License-Identifier: MIT */
#include "kernels/moe_dispatch/dispatch_checks.h"
#include "kernels/moe_dispatch/moe_dispatch_backward_data/moe_dispatch_backward_data.h"

/* Shorter rows go faster by larger tiles. */
#define SMALL_TASKS_MIN_ROW_BYTES 1024

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const MoeDispatchBackwardDataCall *c = call;
  (void)handle;
  if (c->row_bytes > BACKWARD_DATA_SMALL_TILE_BYTES) return "a row is longer than a tile";
  return dispatch_gather_refusal(&c->routing, c->row_bytes);
}

static const char *small_tasks_do_not_pay(mluOpHandle_t handle, const void *call) {
  const MoeDispatchBackwardDataCall *c = call;
  if (c->row_bytes < SMALL_TASKS_MIN_ROW_BYTES) return "rows are short";
  return mluop_small_tasks_do_not_pay(handle, call);
}

MLUOP_VARIANTS(moe_dispatch_backward_data,
               {"small_tasks", small_tasks_cannot, small_tasks_do_not_pay,
                MoeDispatchBackwardDataSmallTasks},
               {"reference", NULL, NULL, MoeDispatchBackwardDataReference});
