/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/tensor_rules.h"
#include "kernels/gather_in_ub/paged_calls.h"
#include "kernels/kernel.h"

#define API "[mluOpSparseAttentionScores]"

enum { QUERY, PARAM, INDICES, BLOCK_TABLE, REQUEST_IDS, COUNTS, SCORES };
static const mluopTensorRule rules[] = {
    MLUOP_IN(query, MLUOP_FLOATS, MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY, MLUOP_DIM(PARAM, 1)),
             MLUOP_UNIFORM(-1, 1)),
    MLUOP_IN(param, MLUOP_TYPE_OF(QUERY), MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_SPACED_ROWS,
             MLUOP_UNIFORM(-1, 1)),
    MLUOP_IN(indices, MLUOP_INT32, MLUOP_DIMS(MLUOP_DIM(QUERY, 0), MLUOP_ANY),
             MLUOP_BELOW(LOGICAL_ROWS)),
    MLUOP_IN(block_table, PAGED_TABLES),
    MLUOP_IN(request_ids, PAGED_OPTIONAL(INDICES, 0, REQUESTS)),
    MLUOP_IN(valid_counts, PAGED_OPTIONAL(INDICES, 0, VALID_COUNTS)),
    MLUOP_OUT(scores, MLUOP_TYPES(MLUOP_DTYPE_FLOAT),
              MLUOP_DIMS(MLUOP_DIM(QUERY, 0), MLUOP_DIM(QUERY, 1), MLUOP_DIM(INDICES, 1))),
};
static const mluopTensorTable table =
    MLUOP_TENSOR_TABLE("sparse_attention_scores", rules, .tolerance = 0.003);

/* The heads of a query stay in WRAM, a row per lane, and a unit has at least one key. */
static mluOpStatus_t check_on_chip_sizes(mluOpHandle_t handle, int64_t head_num,
                                         int64_t row_bytes) {
  const int64_t lane_bytes = handle->wram_size / SCORES_WRAM_LANES;
  const int64_t max_heads = SCORES_TILE_BYTES / (int64_t)sizeof(float);
  const int64_t head_rows = CEIL_DIV(head_num, SCORES_WRAM_LANES);
  CHECK_ELSE(NOT_SUPPORTED,
             row_bytes <= lane_bytes && head_num <= max_heads &&
                 head_rows * ALIGN_UP(row_bytes, SCORES_ROW_ALIGN) <= lane_bytes,
             API
             " query_desc: wanted up to %lld heads, and up to %lld bytes for every 64th head "
             "together, got %lld heads of %lld bytes.",
             (long long)max_heads, (long long)lane_bytes, (long long)head_num,
             (long long)row_bytes);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpSparseAttentionScores(
    mluOpHandle_t handle, MLUOP_IN_ARGS(query), MLUOP_IN_ARGS(param), MLUOP_IN_ARGS(indices),
    MLUOP_IN_ARGS(block_table), MLUOP_IN_ARGS(request_ids), MLUOP_IN_ARGS(valid_counts),
    const int block_size, const float scale, MLUOP_OUT_ARGS(scores)) {
  int64_t sizes[PAGED_SIZES];
  mluopTensors tensors = MLUOP_TENSORS(API, handle, &table, NULL, query, param, indices,
                                       block_table, request_ids, valid_counts, scores);
  MLUOP_RETURN_IF_FAILED(paged_check_types(&tensors, block_size));
  CHECK_VALUE(API, scale, isfinite(scale), "a finite number");
  MLUOP_RETURN_IF_FAILED(paged_check_shapes(&tensors));
  MLUOP_RETURN_IF_FAILED(paged_check_layouts(&tensors, BLOCK_TABLE));
  const PagedCache keys = paged_cache(&tensors, PARAM, block_size);
  MLUOP_RETURN_IF_FAILED(check_on_chip_sizes(handle, query_desc->dims[1], keys.row_bytes));
  CHECK_TENSORS(&tensors, MLUOP_ALL, DATA, APART);

  const SparseAttentionScoresCall call = {
      .dtype = query_desc->dtype,
      .query = query,
      .head_num = (int)query_desc->dims[1],
      .keys = keys,
      .tables = page_tables(&tensors, BLOCK_TABLE),
      .queries = paged_queries(&tensors, INDICES, REQUEST_IDS, COUNTS),
      .scale = scale,
      .scores = scores};
  paged_set_sizes(&tensors, sizes, &call.keys, &call.tables, call.queries.ids_per_query);
  RECORD_CASE(&tensors, block_size, scale);
  return SparseAttentionScoresReference(handle, &call);
}
