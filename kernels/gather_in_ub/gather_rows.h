/* SPDX-License-Identifier: MIT
 *
 * The forms of gather_in_ub and gather_in_ub_batched, which share their kernels, and what each
 * launch needs. */
#ifndef KERNELS_GATHER_IN_UB_GATHER_ROWS_H_
#define KERNELS_GATHER_IN_UB_GATHER_ROWS_H_

#include "core/variant.h"
#include "kernels/utils/paged_cache.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* output[q][j] = the row that ids[q][j] names, or zeros; all sizes are positive. */
typedef struct GatherRowsCall {
  PagedCache cache;
  PageTables tables;
  PagedQueries queries;
  void *output;
} GatherRowsCall;

extern const mluopVariantTable gather_in_ub_variants, gather_in_ub_batched_variants;

mluOpStatus_t GatherRowsReference(mluOpHandle_t handle, const void *call);
mluOpStatus_t GatherRowsSmallTasks(mluOpHandle_t handle, const void *call);
mluOpStatus_t GatherRowsSmallUnits(mluOpHandle_t handle, const void *call);

/* The tile of the small tasks holds at least this many rows: bits of rows are handled by the byte.
 */
#define GATHER_SMALL_TILE_BYTES (36 * 1024)
#define GATHER_SMALL_TILE_MIN_ROWS 8

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_GATHER_IN_UB_GATHER_ROWS_H_ */
