/* SPDX-License-Identifier: MIT */
#include "sparse_attention_scores_ref.h"

#include <math.h>

#include "test/common/ref_float.h"

static double element(mluOpDataType_t dtype, const void *data, int64_t i) {
  switch (dtype) {
    case MLUOP_DTYPE_FLOAT:
      return ((const float *)data)[i];
    case MLUOP_DTYPE_HALF:
      return ref_half_to_float(((const uint16_t *)data)[i]);
    default:
      return ref_bfloat16_to_float(((const uint16_t *)data)[i]);
  }
}

static float score(const SparseAttentionScoresCall *call, int64_t q, int64_t h, int64_t row) {
  double sum = 0;
  for (int64_t d = 0; d < call->dim; ++d) {
    sum += element(call->dtype, call->query, (q * call->heads + h) * call->dim + d) *
           element(call->dtype, call->param, row * call->dim + d);
  }
  return (float)(call->scale * sum);
}

void sparse_attention_scores_ref(const SparseAttentionScoresCall *call) {
  RefRange own = ref_share_range(call->share, call->queries.queries);
  for (int64_t q = own.begin; q < own.end; ++q) {
    for (int64_t j = 0; j < call->queries.k; ++j) {
      int64_t row = paged_ref_query_row(&call->tables, &call->queries, q, j);
      for (int64_t h = 0; h < call->heads; ++h) {
        call->scores[(q * call->heads + h) * call->queries.k + j] =
            row < 0 ? -INFINITY : score(call, q, h, row);
      }
    }
  }
}

static int64_t existing_rows(const SparseAttentionScoresCall *call) {
  int64_t rows = 0;
  for (int64_t q = 0; q < call->queries.queries; ++q) {
    for (int64_t j = 0; j < call->queries.k; ++j)
      rows += paged_ref_query_row(&call->tables, &call->queries, q, j) >= 0;
  }
  return rows;
}

int64_t sparse_attention_scores_theory_bytes(const SparseAttentionScoresCall *call) {
  int64_t size = call->dtype == MLUOP_DTYPE_FLOAT ? 4 : 2, word = 4;
  int64_t ids = call->queries.queries * call->queries.k;
  return call->queries.queries * call->heads * call->dim * size + ids * word +
         existing_rows(call) * (word + call->dim * size) + ids * call->heads * word;
}

int64_t sparse_attention_scores_theory_ops(const SparseAttentionScoresCall *call) {
  return existing_rows(call) * call->heads * (2 * call->dim + 1);
}
