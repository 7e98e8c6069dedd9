/* SPDX-License-Identifier: MIT */
#include "core/tensor_rules.h"
#include "kernels/gather_in_ub/paged_calls.h"
#include "kernels/kernel.h"

#define API "[mluOpPagedCacheWrite]"

enum { INPUT, POSITIONS, REQUEST_IDS, BLOCK_TABLE, CACHE };
static const mluopTensorRule rules[] = {
    MLUOP_IN(input, PAGED_ROW_TYPES, MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_UNIFORM(-100, 100)),
    MLUOP_IN(positions, MLUOP_INT32, MLUOP_DIMS(MLUOP_DIM(INPUT, 0)), MLUOP_BELOW(LOGICAL_ROWS)),
    MLUOP_IN(request_ids, PAGED_OPTIONAL(INPUT, 0, REQUESTS)),
    MLUOP_IN(block_table, PAGED_TABLES),
    MLUOP_UPDATED(cache, MLUOP_TYPE_OF(INPUT), MLUOP_DIMS(MLUOP_ANY, MLUOP_DIM(INPUT, 1)),
                  MLUOP_SPACED_ROWS, MLUOP_UNIFORM(-100, 100)),
};
static const mluopTensorTable table = MLUOP_TENSOR_TABLE("paged_cache_write", rules);

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const PagedCacheWriteCall *c = call;
  (void)handle;
  if (c->cache.row_num > INT32_MAX) return "the cache has too many rows";
  return c->cache.row_bytes > PAGED_WRITE_MAX_ROW_BYTES ? "rows are too long" : NULL;
}

static const char *small_tasks_do_not_pay(mluOpHandle_t handle, const void *call) {
  const PagedCacheWriteCall *c = call;
  if (!mluop_small_tasks_overlap(&handle->facts)) return "a core runs one task at a time";
  return c->cache.row_num > LAST_SAMPLES_HINTS ? "there are more rows than hints" : NULL;
}

MLUOP_VARIANTS(paged_cache_write,
               {"small_tasks", small_tasks_cannot, small_tasks_do_not_pay,
                PagedCacheWriteSmallTasks},
               {"reference", NULL, NULL, PagedCacheWriteReference});

mluOpStatus_t MLUOP_WIN_API mluOpPagedCacheWrite(mluOpHandle_t handle, MLUOP_IN_ARGS(input),
                                                 MLUOP_IN_ARGS(positions),
                                                 MLUOP_IN_ARGS(request_ids),
                                                 MLUOP_IN_ARGS(block_table), const int block_size,
                                                 MLUOP_OUT_ARGS(cache)) {
  int64_t sizes[PAGED_SIZES];
  mluopTensors tensors =
      MLUOP_TENSORS(API, handle, &table, NULL, input, positions, request_ids, block_table, cache);
  MLUOP_RETURN_IF_FAILED(paged_check_types(&tensors, block_size));
  MLUOP_RETURN_IF_FAILED(paged_check_shapes(&tensors));
  CHECK_VALUE(API, request_ids, request_ids || block_table_desc->dims[0] == 1,
              "not NULL, because block_table has more than one row");
  CHECK_TENSORS(&tensors, MLUOP_REQUIRED_ROWS, LAYOUT);
  CHECK_LIMIT(API, "cache_desc", "rows", cache_desc->dims[0], (uint64_t)1 << 32);
  /* One unsigned 32-bit byte offset addresses the entries of all requests. */
  CHECK_LIMIT(API, "block_table_desc", "entries", block_table_desc->total_num,
              PAGE_TABLE_MAX_ENTRIES);
  CHECK_TENSORS(&tensors, MLUOP_ALL, DATA, APART);

  const PagedCacheWriteCall call = {.input = input,
                                    .row_num = input_desc->dims[0],
                                    .positions = positions,
                                    .request_ids = request_ids,
                                    .tables = page_tables(&tensors, BLOCK_TABLE),
                                    .cache = paged_cache(&tensors, CACHE, block_size)};
  paged_set_sizes(&tensors, sizes, &call.cache, &call.tables, 0);
  RECORD_CASE(&tensors, block_size);
  return mluop_variant_launch(&paged_cache_write_variants, handle, &call);
}
