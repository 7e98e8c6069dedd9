/* SPDX-License-Identifier: MIT */
#include "kernels/gather_in_ub/paged_calls.h"

#include "core/context.h"
#include "core/tensor_rules.h"
#include "kernels/kernel.h"

/* Bytes per unit below which taking a unit costs more than it saves. */
#define MIN_UNIT_BYTES (16 * 1024)
/* Utilization of the cores that is good enough, and the units per core that always reach it. */
#define WELL_USED 0.98
#define MAX_ROUNDS 32

mluOpStatus_t paged_check_types(mluopTensors *tensors, int block_size) {
  CHECK_TENSORS(tensors, MLUOP_REQUIRED_ROWS, HANDLE, PRESENT, RANK, BASE_TYPE, BFLOAT16, SAME_TYPE,
                TYPE);
  CHECK_VALUE(tensors->api, block_size, block_size > 0, "1 or more");
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t paged_check_shapes(mluopTensors *tensors) {
  CHECK_TENSORS(tensors, MLUOP_REQUIRED_ROWS, SHAPE, NOT_EMPTY);
  for (int row = 0; row < tensors->table->count; ++row) {
    if (!tensors->table->rules[row].is_optional) continue;
    CHECK_TENSORS(tensors, MLUOP_ONLY(row), DATA, RANK, TYPE, SHAPE, LAYOUT);
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t paged_check_layouts(mluopTensors *tensors, int block_table) {
  CHECK_TENSORS(tensors, MLUOP_REQUIRED_ROWS, LAYOUT);
  CHECK_LIMIT(tensors->api, tensors->table->rules[block_table].desc_name, "entries",
              tensors->tensor[block_table].desc->dims[1], PAGE_TABLE_MAX_ENTRIES);
  return MLUOP_STATUS_SUCCESS;
}

void paged_set_sizes(mluopTensors *tensors, int64_t *sizes, const PagedCache *cache,
                     const PageTables *tables, int64_t ids_per_query) {
  sizes[LOGICAL_ROWS] = (int64_t)tables->entry_num * cache->block_size;
  sizes[BLOCKS] = (cache->row_num - 1) / cache->block_size + 1;
  sizes[REQUESTS] = tables->request_num;
  sizes[VALID_COUNTS] = ids_per_query + 1;
  tensors->sizes = sizes;
}

PagedCache paged_cache(const mluopTensors *tensors, int cache, int block_size) {
  const mluOpTensorDescriptor_t desc = tensors->tensor[cache].desc;
  const int64_t element = (int64_t)mluop_dtype_size(desc->dtype);
  const int64_t row_stride = desc->dims[0] > 1 ? desc->strides[0] : desc->dims[1];
  return (PagedCache){.rows = (int8_t *)tensors->tensor[cache].data,
                      .row_num = desc->dims[0],
                      .row_bytes = desc->dims[1] * element,
                      .row_stride = row_stride * element,
                      .block_size = block_size};
}

PageTables page_tables(const mluopTensors *tensors, int block_table) {
  const int64_t *dims = tensors->tensor[block_table].desc->dims;
  return (PageTables){tensors->tensor[block_table].data, dims[0], (int32_t)dims[1]};
}

PagedQueries paged_queries(const mluopTensors *tensors, int ids, int request_ids, int counts) {
  const int64_t *dims = tensors->tensor[ids].desc->dims;
  return (PagedQueries){tensors->tensor[ids].data, dims[0], dims[1],
                        tensors->tensor[request_ids].data, tensors->tensor[counts].data};
}

/* The smallest number of units per query, from `least` to `most`, that balances the cores. */
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
    if (best_use >= WELL_USED || all >= MAX_ROUNDS * cores) break;
  }
  return best;
}

PagedLaunch paged_launch(mluOpHandle_t handle, const PagedQueries *queries, int64_t row_bytes,
                         int max_unit_ids, int tasks_per_core) {
  const int64_t query_num = queries->query_num, ids_per_query = queries->ids_per_query;
  int64_t cores = (int64_t)mluop_context_core_num(handle) * tasks_per_core;
  int64_t least_ids = MIN(CEIL_DIV(MIN_UNIT_BYTES, row_bytes), max_unit_ids);
  int64_t units = balanced_units(query_num, CEIL_DIV(ids_per_query, (int64_t)max_unit_ids),
                                 CEIL_DIV(ids_per_query, least_ids), cores);
  int64_t unit_ids = MIN(MAX(CEIL_DIV(ids_per_query, units), least_ids), ids_per_query);
  int64_t unit_num = CEIL_DIV(ids_per_query, unit_ids) * query_num;
  return (PagedLaunch){{(unsigned)MIN(unit_num, cores), 1, 1}, (int)unit_ids};
}
