/* SPDX-License-Identifier: MIT
 *
 * Host side of sparse_attention_scores: checks, and the call handed to the kernel. */
#include "kernels/gather_in_ub/sparse_attention_scores/sparse_attention_scores.h"

#include <math.h>

#include "core/check.h"
#include "core/gen_case.h"
#include "core/logging.h"
#include "core/tensor.h"
#include "core/tool.h"
#include "kernels/gather_in_ub/paged_host.h"
#include "kernels/kernel.h"

#define API "[mluOpSparseAttentionScores]"

typedef struct SparseAttentionScoresArgs {
  mluOpTensorDescriptor_t query_desc, param_desc, indices_desc, block_table_desc, request_ids_desc;
  mluOpTensorDescriptor_t valid_counts_desc, scores_desc;
  const void *request_ids, *valid_counts;
  int block_size;
  float scale;
} SparseAttentionScoresArgs;

/* The heads of a query wait in WRAM, one row per lane; a unit of one key fits NRAM. */
static mluOpStatus_t check_on_chip_sizes(mluOpHandle_t handle,
                                         const SparseAttentionScoresArgs *args) {
  int64_t head_num = args->query_desc->dims[1];
  int64_t row_bytes =
      args->param_desc->dims[1] * (int64_t)mluop_dtype_size(args->param_desc->dtype);
  int64_t lane_bytes = handle->wram_size / SCORES_WRAM_LANES;
  int64_t most_heads = SCORES_TILE_BYTES / (int64_t)sizeof(float);
  int64_t head_rows = CEIL_DIV(head_num, SCORES_WRAM_LANES);
  if (row_bytes <= lane_bytes && head_num <= most_heads &&
      head_rows * ALIGN_UP(row_bytes, SCORES_ROW_ALIGN) <= lane_bytes)
    return MLUOP_STATUS_SUCCESS;
  LOG_ERROR(API
            " query_desc: wanted up to %lld heads, and up to %lld bytes for every 64th head "
            "together, got %lld heads "
            "of %lld bytes.",
            (long long)most_heads, (long long)lane_bytes, (long long)head_num,
            (long long)row_bytes);
  return MLUOP_STATUS_NOT_SUPPORTED;
}

static mluOpStatus_t check_tensors(mluOpHandle_t handle, const SparseAttentionScoresArgs *args) {
  mluOpTensorDescriptor_t query_desc = args->query_desc, param_desc = args->param_desc;
  mluOpTensorDescriptor_t indices_desc = args->indices_desc;
  mluOpTensorDescriptor_t block_table_desc = args->block_table_desc;
  mluOpTensorDescriptor_t request_ids_desc = args->request_ids_desc;
  mluOpTensorDescriptor_t valid_counts_desc = args->valid_counts_desc;
  mluOpTensorDescriptor_t scores_desc = args->scores_desc;
  const void *request_ids = args->request_ids, *valid_counts = args->valid_counts;
  int block_size = args->block_size;
  float scale = args->scale;

  CHECK_HANDLE(API, handle);
  CHECK_ARCH(API, handle, MLUOP_MLU370);
  CHECK_DESC(API, query_desc);
  CHECK_DESC(API, param_desc);
  CHECK_DESC(API, indices_desc);
  CHECK_DESC(API, block_table_desc);
  CHECK_DESC(API, scores_desc);

  CHECK_RANK(API, query_desc, 3);
  CHECK_RANK(API, param_desc, 2);
  CHECK_RANK(API, indices_desc, 2);
  CHECK_RANK(API, block_table_desc, 2);
  CHECK_RANK(API, scores_desc, 3);

  CHECK_DTYPE(API, query_desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16);
  CHECK_BFLOAT16(API, handle, query_desc);
  CHECK_SAME_DTYPE(API, param_desc, query_desc);
  CHECK_DTYPE(API, indices_desc, MLUOP_DTYPE_INT32);
  CHECK_DTYPE(API, block_table_desc, MLUOP_DTYPE_INT32);
  CHECK_DTYPE(API, scores_desc, MLUOP_DTYPE_FLOAT);

  CHECK_VALUE(API, block_size, block_size > 0, "1 or more");
  CHECK_VALUE(API, scale, isfinite(scale), "a finite number");
  CHECK_DIM(API, query_desc, 2, param_desc->dims[1]);
  CHECK_DIM(API, indices_desc, 0, query_desc->dims[0]);
  CHECK_DIM(API, scores_desc, 0, query_desc->dims[0]);
  CHECK_DIM(API, scores_desc, 1, query_desc->dims[1]);
  CHECK_DIM(API, scores_desc, 2, indices_desc->dims[1]);
  MLUOP_RETURN_IF_FAILED(paged_check_not_empty(API, "query_desc", query_desc));
  MLUOP_RETURN_IF_FAILED(paged_check_not_empty(API, "param_desc", param_desc));
  MLUOP_RETURN_IF_FAILED(paged_check_not_empty(API, "indices_desc", indices_desc));
  MLUOP_RETURN_IF_FAILED(paged_check_not_empty(API, "block_table_desc", block_table_desc));
  CHECK_PAGED_OPTIONAL(API, request_ids, request_ids_desc, indices_desc->dims[0]);
  CHECK_PAGED_OPTIONAL(API, valid_counts, valid_counts_desc, indices_desc->dims[0]);

  CHECK_CONTIGUOUS(API, query_desc);
  CHECK_ROWS(API, param_desc);
  CHECK_CONTIGUOUS(API, indices_desc);
  CHECK_CONTIGUOUS(API, block_table_desc);
  CHECK_CONTIGUOUS(API, scores_desc);
  MLUOP_RETURN_IF_FAILED(paged_check_table(API, "block_table_desc", block_table_desc));
  return check_on_chip_sizes(handle, args);
}

mluOpStatus_t MLUOP_WIN_API mluOpSparseAttentionScores(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t query_desc, const void *query,
    const mluOpTensorDescriptor_t param_desc, const void *param,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t block_table_desc, const void *block_table,
    const mluOpTensorDescriptor_t request_ids_desc, const void *request_ids,
    const mluOpTensorDescriptor_t valid_counts_desc, const void *valid_counts, const int block_size,
    const float scale, const mluOpTensorDescriptor_t scores_desc, void *scores) {
  const SparseAttentionScoresArgs args = {
      query_desc,       param_desc,        indices_desc, block_table_desc,
      request_ids_desc, valid_counts_desc, scores_desc,  request_ids,
      valid_counts,     block_size,        scale};
  MLUOP_RETURN_IF_FAILED(check_tensors(handle, &args));
  CHECK_DATA(API, query);
  CHECK_DATA(API, param);
  CHECK_DATA(API, indices);
  CHECK_DATA(API, block_table);
  CHECK_DATA(API, scores);
  CHECK_APART(API, MLUOP_WRITTEN(scores, scores_desc), MLUOP_READ(param, param_desc),
              MLUOP_READ(query, query_desc), MLUOP_READ(indices, indices_desc),
              MLUOP_READ(block_table, block_table_desc), MLUOP_READ(request_ids, request_ids_desc),
              MLUOP_READ(valid_counts, valid_counts_desc));

  const SparseAttentionScoresCall call = {.dtype = query_desc->dtype,
                                          .query = query,
                                          .head_num = (int)query_desc->dims[1],
                                          .keys = paged_cache(param_desc, param, block_size),
                                          .tables = page_tables(block_table_desc, block_table),
                                          .queries = {.ids = indices,
                                                      .query_num = indices_desc->dims[0],
                                                      .ids_per_query = indices_desc->dims[1],
                                                      .request_ids = request_ids,
                                                      .valid_counts = valid_counts},
                                          .scale = scale,
                                          .scores = scores};

  GEN_CASE(gen_case, handle, "sparse_attention_scores", NULL);
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "query", query_desc, query, genCaseUniform(-1, 1));
    genCaseInput(&gen_case, "param", param_desc, param, genCaseUniform(-1, 1));
    genCaseInput(&gen_case, "indices", indices_desc, indices,
                 genCaseReal(0, (double)call.tables.entry_num * block_size - 1));
    genCaseInput(&gen_case, "block_table", block_table_desc, block_table,
                 genCaseReal(0, (double)((call.keys.row_num - 1) / block_size)));
    genCaseInput(&gen_case, "request_ids", request_ids_desc, request_ids,
                 genCaseReal(0, (double)(call.tables.request_num - 1)));
    genCaseInput(&gen_case, "valid_counts", valid_counts_desc, valid_counts,
                 genCaseReal(0, (double)call.queries.ids_per_query));
    genCaseOutput(&gen_case, "scores", scores_desc, scores);
    genCaseParamInt(&gen_case, "block_size", block_size);
    genCaseParamFloat(&gen_case, "scale", scale);
    genCaseTestParam(&gen_case, "DIFF1", 0.003);
    genCaseTestParam(&gen_case, "DIFF2", 0.003);
    genCaseWrite(&gen_case);
  }

  return SparseAttentionScoresReference(handle, &call);
}
