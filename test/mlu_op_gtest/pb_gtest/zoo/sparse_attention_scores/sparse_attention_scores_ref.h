/* SPDX-License-Identifier: MIT */
#ifndef ZOO_SPARSE_ATTENTION_SCORES_REF_H_
#define ZOO_SPARSE_ATTENTION_SCORES_REF_H_

#include <stdint.h>

#include "mlu_op.h"
#include "test/common/paged_ref.h"
#include "test/common/ref_share.h"

/* One call of the operator on host memory. */
typedef struct SparseAttentionScoresCall {
  mluOpDataType_t dtype; /* of query and param: float, half or bfloat16 */
  PagedRefTables tables;
  PagedRefQueries queries;
  int64_t heads, dim;
  float scale;
  const void *query; /* [queries][heads][dim] */
  const void *param; /* [token_size][dim] */
  float *scores;     /* [queries][heads][k] */
  RefShare share;    /* of the queries */
} SparseAttentionScoresCall;

/* The definition of the operator, summed in double. */
void sparse_attention_scores_ref(const SparseAttentionScoresCall *call);

/* Minimum of bytes moved: queries, ids, one table entry and one key per existing row, scores. */
int64_t sparse_attention_scores_theory_bytes(const SparseAttentionScoresCall *call);

/* One multiplication and one addition per element of a product, one multiplication per score. */
int64_t sparse_attention_scores_theory_ops(const SparseAttentionScoresCall *call);

#endif /* ZOO_SPARSE_ATTENTION_SCORES_REF_H_ */
