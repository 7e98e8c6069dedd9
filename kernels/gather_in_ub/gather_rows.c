/* SPDX-License-Identifier: MIT */
#include "core/tensor_rules.h"
#include "kernels/gather_in_ub/paged_calls.h"
#include "kernels/kernel.h"

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

/* Shorter rows are gathered faster than copied one by one. */
#define DIRECT_COPIES_MIN_BYTES 512

static const char *direct_copies_cannot(mluOpHandle_t handle, const void *call) {
  const GatherRowsCall *c = call;
  (void)handle;
  return c->cache.row_bytes > DIRECT_COPIES_MAX_BYTES ? "rows are too long" : NULL;
}

static const char *direct_copies_do_not_pay(mluOpHandle_t handle, const void *call) {
  const GatherRowsCall *c = call;
  if (handle->facts.copies_directly == 0) return "copies inside device memory are not faster";
  return c->cache.row_bytes < DIRECT_COPIES_MIN_BYTES ? "rows are short" : NULL;
}

static const mluopVariant forms[] = {
    {"small_tasks", small_tasks_cannot, mluop_small_tasks_do_not_pay, GatherRowsSmallTasks},
    {"small_units", NULL, mluop_small_tasks_do_not_pay, GatherRowsSmallUnits},
    {"direct_copies", direct_copies_cannot, direct_copies_do_not_pay, GatherRowsDirectCopies},
    {"reference", NULL, NULL, GatherRowsReference}};
static const mluopVariantTable one_query = MLUOP_VARIANT_TABLE("gather_in_ub", forms);
static const mluopVariantTable many_queries = MLUOP_VARIANT_TABLE("gather_in_ub_batched", forms);

mluOpStatus_t gather_rows(mluopTensors *tensors, int block_size, int axis) {
  MLUOP_RETURN_IF_FAILED(paged_check_types(tensors, block_size));
  CHECK_VALUE(tensors->api, axis, axis == -2, "-2");
  MLUOP_RETURN_IF_FAILED(paged_check_shapes(tensors));
  MLUOP_RETURN_IF_FAILED(paged_check_layouts(tensors, GATHER_TABLE));
  CHECK_TENSORS(tensors, MLUOP_ALL, DATA, APART);

  const GatherRowsCall call = {
      .cache = paged_cache(tensors, GATHER_PARAM, block_size),
      .tables = page_tables(tensors, GATHER_TABLE),
      .queries = paged_queries(tensors, GATHER_INDICES, GATHER_REQUEST_IDS, GATHER_COUNTS),
      .output = (int8_t *)tensors->tensor[GATHER_OUTPUT].data};
  int64_t sizes[PAGED_SIZES];
  paged_set_sizes(tensors, sizes, &call.cache, &call.tables, call.queries.ids_per_query);
  RECORD_CASE(tensors, block_size, axis);
  const bool is_batched = tensors->table->count > GATHER_REQUEST_IDS;
  return mluop_variant_launch(is_batched ? &many_queries : &one_query, tensors->handle, &call);
}
