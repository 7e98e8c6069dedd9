/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_GATHER_IN_UB_SPARSE_ATTENTION_SCORES_SPARSE_ATTENTION_SCORES_H_
#define KERNELS_GATHER_IN_UB_SPARSE_ATTENTION_SCORES_SPARSE_ATTENTION_SCORES_H_

#include "cnrt.h"
#include "kernels/utils/paged_cache.h"
#include "mlu_op.h"

/* Rows of keys start at multiples of this in NRAM, and rows of queries in WRAM. */
#define SCORES_ROW_ALIGN 64
/* NRAM for the keys of a unit and for its scores. */
#define SCORES_TILE_BYTES (32 * 1024)
/* Most keys of a unit. */
#define SCORES_MAX_UNIT_IDS 64
/* WRAM consists of this many lanes; a query row lies in one lane. */
#define SCORES_WRAM_LANES 64

#ifdef __cplusplus
extern "C" {
#endif

/* Launches the kernel for query and keys of `dtype` (float, half or bfloat16); all sizes are
 * positive. A unit's keys and scores fit SCORES_TILE_BYTES, the rows of a query fit the lanes of
 * WRAM. */
mluOpStatus_t KernelSparseAttentionScores(cnrtDim3_t k_dim, cnrtFunctionType_t k_type,
                                          cnrtQueue_t queue, mluOpDataType_t dtype,
                                          const void *query, int head_num, PagedCache keys,
                                          PageTables tables, PagedQueries queries, int unit_ids,
                                          float scale, float *scores);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_GATHER_IN_UB_SPARSE_ATTENTION_SCORES_SPARSE_ATTENTION_SCORES_H_ */
