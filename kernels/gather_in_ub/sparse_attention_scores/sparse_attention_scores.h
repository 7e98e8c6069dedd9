/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_GATHER_IN_UB_SPARSE_ATTENTION_SCORES_SPARSE_ATTENTION_SCORES_H_
#define KERNELS_GATHER_IN_UB_SPARSE_ATTENTION_SCORES_SPARSE_ATTENTION_SCORES_H_

#include "core/context.h"
#include "kernels/utils/paged_cache.h"
#include "mlu_op.h"

/* Alignment of keys in NRAM and of heads in WRAM. */
#define SCORES_ROW_ALIGN 64
/* NRAM for the keys of a unit, and for its scores. */
#define SCORES_TILE_BYTES (32 * 1024)
/* Lanes of WRAM; a head lies in one lane. */
#define SCORES_WRAM_LANES 64

#ifdef __cplusplus
extern "C" {
#endif

/* All sizes are positive. A key and its scores fit SCORES_TILE_BYTES, and the heads of a query fit
 * WRAM. */
typedef struct SparseAttentionScoresCall {
  mluOpDataType_t dtype; /* of query and keys: float, half or bfloat16 */
  const void *query;
  int head_num;
  PagedCache keys;
  PageTables tables;
  PagedQueries queries;
  float scale;
  float *scores;
} SparseAttentionScoresCall;

mluOpStatus_t SparseAttentionScoresReference(mluOpHandle_t handle,
                                             const SparseAttentionScoresCall *call);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_GATHER_IN_UB_SPARSE_ATTENTION_SCORES_SPARSE_ATTENTION_SCORES_H_ */
