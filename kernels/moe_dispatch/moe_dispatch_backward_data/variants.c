/* SPDX-License-Identifier: MIT
 *
 * Which form of moe_dispatch_backward_data does a call. */
#include "kernels/kernel.h"
#include "kernels/moe_dispatch/moe_dispatch_backward_data/moe_dispatch_backward_data.h"

/* Shorter rows are better moved by tasks with more of them. */
#define SMALL_TASKS_MIN_ROW_BYTES 1024

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const MoeDispatchBackwardDataCall *c = call;
  (void)handle;
  if (c->row_bytes > BACKWARD_DATA_SMALL_TILE_BYTES) return "a row is longer than a tile";
  const int64_t rows = (int64_t)c->routing.num_experts * c->routing.capacity;
  return rows > GATHER_SPAN_BYTES / c->row_bytes ? "dispatch is larger than a gather reaches"
                                                 : NULL;
}

static const char *small_tasks_do_not_pay(mluOpHandle_t handle, const void *call) {
  const MoeDispatchBackwardDataCall *c = call;
  if (!mluop_small_tasks_overlap(&handle->facts)) return "a core runs one task at a time";
  return c->row_bytes < SMALL_TASKS_MIN_ROW_BYTES ? "rows are short" : NULL;
}

static const mluopVariant variants[] = {
    {"small_tasks", small_tasks_cannot, small_tasks_do_not_pay, MoeDispatchBackwardDataSmallTasks},
    {"reference", NULL, NULL, MoeDispatchBackwardDataReference},
};

const mluopVariantTable moe_dispatch_backward_data_variants =
    MLUOP_VARIANT_TABLE("moe_dispatch_backward_data", variants);
