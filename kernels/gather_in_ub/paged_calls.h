/* SPDX-License-Identifier: MIT
 *
 * The operators on a paged cache: their calls and forms, for host and device code, the checks that
 * their host files share, and the division of work. All sizes of a call are positive. */
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

/* Longest row of direct copies. */
#define DIRECT_COPIES_MAX_BYTES (32 * 1024)
MLUOP_FORM(GatherRowsDirectCopies);

/* Tile of the small_tasks form, and the fewest rows it must hold: bits of rows are addressed by the
 * byte. */
#define GATHER_SMALL_TILE_BYTES (18 * 1024)
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

/* ---- checks and division of work ---- */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mluopTensors mluopTensors; /* core/tensor_rules.h */

/* Sizes in the tensor tables: bounds of the integers in the inputs. */
enum { LOGICAL_ROWS, BLOCKS, REQUESTS, VALID_COUNTS, PAGED_SIZES };
void paged_set_sizes(mluopTensors *tensors, int64_t *sizes, const PagedCache *cache,
                     const PageTables *tables, int64_t ids_per_query);

/* Rules of the tensors that several operators have. */
#define PAGED_ROW_TYPES                                                                    \
  MLUOP_TYPES(MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_INT8, \
              MLUOP_DTYPE_UINT8)
#define PAGED_TABLES MLUOP_INT32, MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_BELOW(BLOCKS)
#define PAGED_OPTIONAL(row, axis, size) \
  MLUOP_OPTIONAL, MLUOP_INT32, MLUOP_DIMS(MLUOP_DIM(row, axis)), MLUOP_BELOW(size)

/* Handle, presence, ranks, types and the block size. */
mluOpStatus_t paged_check_types(mluopTensors *tensors, int block_size);

/* Shapes, none empty, then all checks of the optional tensors. */
mluOpStatus_t paged_check_shapes(mluopTensors *tensors);

/* Layouts; NOT_SUPPORTED if the table at `block_table` has too many entries per request. */
mluOpStatus_t paged_check_layouts(mluopTensors *tensors, int block_table);

/* The checked tensors, given by their rows of the table, as the kernels take them. */
PagedCache paged_cache(const mluopTensors *tensors, int cache, int block_size);
PageTables page_tables(const mluopTensors *tensors, int block_table);
PagedQueries paged_queries(const mluopTensors *tensors, int ids, int request_ids, int counts);

/* Ids of a unit, and the tasks that share the units. All cores have work, even with a single query,
 * as long as units are large enough. */
typedef struct PagedLaunch {
  cnrtDim3_t dim;
  int unit_ids;
} PagedLaunch;

PagedLaunch paged_launch(mluOpHandle_t handle, const PagedQueries *queries, int64_t row_bytes,
                         int max_unit_ids, int tasks_per_core);

#ifdef __cplusplus
}
#endif

/* Rows of the tensor tables of gather_in_ub and gather_in_ub_batched; that of gather_in_ub ends
 * with the output. */
enum GatherRow {
  GATHER_PARAM,
  GATHER_INDICES,
  GATHER_TABLE,
  GATHER_OUTPUT,
  GATHER_REQUEST_IDS,
  GATHER_COUNTS
};
#define GATHER_PARAM_RULE                                                               \
  MLUOP_IN(param, PAGED_ROW_TYPES, MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_SPACED_ROWS, \
           MLUOP_UNIFORM(-100, 100))

/* Checks a call of either and launches it. */
mluOpStatus_t gather_rows(mluopTensors *tensors, int block_size, int axis);

#endif /* KERNELS_GATHER_IN_UB_PAGED_CALLS_H_ */
