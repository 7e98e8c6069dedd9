/* SPDX-License-Identifier: MIT
 *
 * The calls of the operators on a paged cache, and their forms, for host and device code. All sizes
 * are positive. */
#ifndef KERNELS_GATHER_IN_UB_PAGED_CALLS_H_
#define KERNELS_GATHER_IN_UB_PAGED_CALLS_H_

#include "core/variant.h"
#include "kernels/utils/paged_cache.h"
#include "mlu_op.h"

/* ---- gather_in_ub and gather_in_ub_batched ---- */

/* output[q][j] = the row that ids[q][j] names, or zeros. */
typedef struct GatherRowsCall {
  PagedCache cache;
  PageTables tables;
  PagedQueries queries;
  int8_t *output;
} GatherRowsCall;

MLUOP_FORM(GatherRowsReference);
MLUOP_FORM(GatherRowsSmallUnits);

/* Tile of the small_tasks form, and the fewest rows it must hold: bits of rows are addressed by the
 * byte. */
#define GATHER_SMALL_TILE_BYTES (36 * 1024)
#define GATHER_SMALL_TILE_MIN_ROWS 8
MLUOP_FORM(GatherRowsSmallTasks);

/* ---- paged_cache_write ---- */

/* The cache has fewer than 2^32 rows. */
typedef struct PagedCacheWriteCall {
  const int8_t *input;
  int64_t row_num; /* of input, positions and request_ids */
  const int32_t *positions;
  const int32_t *request_ids; /* NULL: request 0 */
  PageTables tables;
  PagedCache cache;
} PagedCacheWriteCall;

MLUOP_FORM(PagedCacheWriteReference);

/* Longest row of the small_tasks form, so that samples times parts of a row fit the task numbers.
 */
#define PAGED_WRITE_MAX_ROW_BYTES (1 << 22)
MLUOP_FORM(PagedCacheWriteSmallTasks);

/* ---- sparse_attention_scores ---- */

/* Alignment of keys in NRAM and of heads in WRAM. */
#define SCORES_ROW_ALIGN 64
/* NRAM for the keys of a unit, and for its scores. */
#define SCORES_TILE_BYTES (32 * 1024)
/* Lanes of WRAM; a head lies in one lane. */
#define SCORES_WRAM_LANES 64

/* A key and its scores fit SCORES_TILE_BYTES, and the heads of a query fit WRAM. */
typedef struct SparseAttentionScoresCall {
  mluOpDataType_t dtype; /* of query and keys: float, half or bfloat16 */
  const int8_t *query;
  int head_num;
  PagedCache keys;
  PageTables tables;
  PagedQueries queries;
  float scale;
  float *scores;
} SparseAttentionScoresCall;

MLUOP_FORM(SparseAttentionScoresReference);

#endif /* KERNELS_GATHER_IN_UB_PAGED_CALLS_H_ */
