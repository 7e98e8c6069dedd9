/* SPDX-License-Identifier: MIT
 *
 * The call of gather_in_ub and gather_in_ub_batched, which share their kernels, and its forms. */
#ifndef KERNELS_GATHER_IN_UB_GATHER_ROWS_H_
#define KERNELS_GATHER_IN_UB_GATHER_ROWS_H_

#include "core/variant.h"
#include "kernels/utils/paged_cache.h"
#include "mlu_op.h"

/* output[q][j] = the row that ids[q][j] names, or zeros. All sizes are positive. */
typedef struct GatherRowsCall {
  PagedCache cache;
  PageTables tables;
  PagedQueries queries;
  void *output;
} GatherRowsCall;

extern const mluopVariantTable gather_in_ub_variants, gather_in_ub_batched_variants;

MLUOP_FORM(GatherRowsReference);
MLUOP_FORM(GatherRowsSmallTasks);
MLUOP_FORM(GatherRowsSmallUnits);

/* Tile of the small_tasks form, and the fewest rows it must hold: bits of rows are addressed by the
 * byte. */
#define GATHER_SMALL_TILE_BYTES (36 * 1024)
#define GATHER_SMALL_TILE_MIN_ROWS 8

#endif /* KERNELS_GATHER_IN_UB_GATHER_ROWS_H_ */
