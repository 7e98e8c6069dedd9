/* SPDX-License-Identifier: MIT */
#include "kernels/gather_in_ub/paged_host.h"

#include "core/check.h"
#include "core/context.h"
#include "core/logging.h"
#include "core/tensor.h"
#include "core/tool.h"
#include "kernels/kernel.h"

/* A unit should have at least this much to move, else handing it out costs more than it saves. */
#define MIN_UNIT_BYTES (16 * 1024)
/* Cores that have work for this share of the time are well used; with so many rounds they always
 * are. */
#define WELL_USED 0.98
#define MOST_ROUNDS 32

mluOpStatus_t paged_check_table(const char *api, const char *name, mluOpTensorDescriptor_t desc) {
  return mluop_check_limit(api, name, "entries", (uint64_t)desc->dims[1], PAGE_TABLE_MAX_ENTRIES,
                           "");
}

mluOpStatus_t paged_check_not_empty(const char *api, const char *name,
                                    mluOpTensorDescriptor_t desc) {
  if (desc->total_num > 0) return MLUOP_STATUS_SUCCESS;
  LOG_ERROR("%s %s: wanted at least one element, got none.", api, name);
  return MLUOP_STATUS_BAD_PARAM;
}

mluOpStatus_t paged_check_optional(const char *api, const char *name, const void *data,
                                   const char *desc_name, mluOpTensorDescriptor_t desc,
                                   const char *wanted_text, int64_t wanted) {
  MLUOP_RETURN_IF_FAILED(mluop_check_optional(api, name, data, desc));
  if (desc == NULL) return MLUOP_STATUS_SUCCESS;
  MLUOP_RETURN_IF_FAILED(mluop_check_rank(api, desc_name, desc, 1, 1));
  static const mluOpDataType_t dtype = MLUOP_DTYPE_INT32;
  MLUOP_RETURN_IF_FAILED(mluop_check_dtype(api, desc_name, desc, 1, &dtype));
  MLUOP_RETURN_IF_FAILED(mluop_check_dim(api, desc_name, desc, 0, wanted_text, wanted));
  return mluop_check_contiguous(api, desc_name, desc, "must be contiguous");
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
