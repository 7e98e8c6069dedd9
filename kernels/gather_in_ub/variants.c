/* SPDX-License-Identifier: MIT */
#include "kernels/gather_in_ub/gather_rows.h"
#include "kernels/kernel.h"

/* Shorter rows go faster by copies of whole runs. */
#define SMALL_TASKS_MIN_ROW_BYTES 512

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const GatherRowsCall *c = call;
  (void)handle;
  if (c->cache.row_bytes * GATHER_SMALL_TILE_MIN_ROWS > GATHER_SMALL_TILE_BYTES) {
    return "rows are too long for a tile";
  }
  if (c->cache.row_num > GATHER_SPAN_BYTES / c->cache.row_stride) {
    return "the cache is larger than a gather reaches";
  }
  const int64_t tasks = MAX(c->queries.query_num, c->queries.ids_per_query);
  return tasks > MAX_TASKS_PER_DIMENSION ? "there are more queries or ids than tasks of a dimension"
                                         : NULL;
}

static const char *small_tasks_do_not_pay(mluOpHandle_t handle, const void *call) {
  const GatherRowsCall *c = call;
  if (c->cache.row_bytes < SMALL_TASKS_MIN_ROW_BYTES) return "rows are short";
  return mluop_small_tasks_do_not_pay(handle, call);
}

MLUOP_VARIANTS(gather_in_ub,
               {"small_tasks", small_tasks_cannot, small_tasks_do_not_pay, GatherRowsSmallTasks},
               {"small_units", NULL, mluop_small_tasks_do_not_pay, GatherRowsSmallUnits},
               {"reference", NULL, NULL, GatherRowsReference});
const mluopVariantTable gather_in_ub_batched_variants =
    MLUOP_VARIANT_TABLE("gather_in_ub_batched", gather_in_ub_forms);
