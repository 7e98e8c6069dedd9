/* SPDX-License-Identifier: MIT */
#include "kernels/gather_in_ub/paged_host.h"

#include "core/context.h"
#include "core/tensor_rules.h"
#include "kernels/kernel.h"

/* A unit should have at least this much to move, else handing it out costs more than it saves. */
#define MIN_UNIT_BYTES (16 * 1024)
/* Cores that have work for this share of the time are well used; with so many rounds they always
 * are. */
#define WELL_USED 0.98
#define MOST_ROUNDS 32

mluOpStatus_t paged_check_types(const mluopTensors *tensors, int block_size) {
  CHECK_TENSORS(tensors, MLUOP_REQUIRED_ROWS, HANDLE, PRESENT, RANK, BASE_TYPE, BFLOAT16, SAME_TYPE,
                TYPE);
  CHECK_VALUE(tensors->api, block_size, block_size > 0, "1 or more");
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t paged_check_shapes(const mluopTensors *tensors) {
  CHECK_TENSORS(tensors, MLUOP_REQUIRED_ROWS, SHAPE, NOT_EMPTY);
  for (int row = 0; row < tensors->table->count; ++row) {
    if (!tensors->table->rules[row].is_optional) continue;
    CHECK_TENSORS(tensors, MLUOP_ONLY(row), DATA, RANK, TYPE, SHAPE, LAYOUT);
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t paged_check_layouts(const mluopTensors *tensors, int block_table) {
  CHECK_TENSORS(tensors, MLUOP_REQUIRED_ROWS, LAYOUT);
  return mluop_check_limit(tensors->api, tensors->table->rules[block_table].desc_name, "entries",
                           (uint64_t)tensors->tensor[block_table].desc->dims[1],
                           PAGE_TABLE_MAX_ENTRIES, "");
}

void paged_set_sizes(int64_t *sizes, const PagedCache *cache, const PageTables *tables,
                     int64_t ids_per_query) {
  sizes[LOGICAL_ROWS] = (int64_t)tables->entry_num * cache->block_size;
  sizes[BLOCKS] = (cache->row_num - 1) / cache->block_size + 1;
  sizes[REQUESTS] = tables->request_num;
  sizes[VALID_COUNTS] = ids_per_query + 1;
}

PagedCache paged_cache(mluOpTensorDescriptor_t desc, const void *data, int block_size) {
  int64_t element = (int64_t)mluop_dtype_size(desc->dtype);
  PagedCache cache = {
      .rows = (int8_t *)data,
      .row_num = desc->dims[0],
      .row_bytes = desc->dims[1] * element,
      .row_stride = (desc->dims[0] > 1 ? desc->strides[0] : desc->dims[1]) * element,
      .block_size = block_size};
  return cache;
}

PageTables page_tables(mluOpTensorDescriptor_t desc, const void *data) {
  PageTables tables = {
      .entries = data, .request_num = desc->dims[0], .entry_num = (int32_t)desc->dims[1]};
  return tables;
}

/* The fewest units per query, from `least` to `most`, that keep the cores equally busy. */
static int64_t balanced_units(int64_t query_num, int64_t least, int64_t most, int64_t cores) {
  int64_t best = least;
  double best_use = 0;
  for (int64_t units = least; units <= most; ++units) {
    const int64_t all = units * query_num;
    const double use = (double)all / (double)ALIGN_UP(all, cores);
    if (use > best_use) {
      best_use = use;
      best = units;
    }
    if (best_use >= WELL_USED || all >= MOST_ROUNDS * cores) break;
  }
  return best;
}

PagedLaunch paged_launch(mluOpHandle_t handle, int64_t query_num, int64_t ids_per_query,
                         int64_t row_bytes, int max_unit_ids, int tasks_per_core) {
  int64_t cores = (int64_t)mluop_context_core_num(handle) * tasks_per_core;
  int64_t least_ids = CEIL_DIV(MIN_UNIT_BYTES, row_bytes);
  if (least_ids > max_unit_ids) least_ids = max_unit_ids;
  int64_t units = balanced_units(query_num, CEIL_DIV(ids_per_query, (int64_t)max_unit_ids),
                                 CEIL_DIV(ids_per_query, least_ids), cores);
  int64_t unit_ids = CEIL_DIV(ids_per_query, units);
  if (unit_ids < least_ids) unit_ids = least_ids;
  if (unit_ids > ids_per_query) unit_ids = ids_per_query;
  int64_t unit_num = CEIL_DIV(ids_per_query, unit_ids) * query_num;
  PagedLaunch launch = {.dim = {(unsigned)(unit_num < cores ? unit_num : cores), 1, 1},
                        .unit_ids = (int)unit_ids};
  return launch;
}
