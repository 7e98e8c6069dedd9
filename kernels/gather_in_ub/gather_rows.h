/* SPDX-License-Identifier: MIT
 *
 * The kernel behind gather_in_ub and gather_in_ub_batched. */
#ifndef KERNELS_GATHER_IN_UB_GATHER_ROWS_H_
#define KERNELS_GATHER_IN_UB_GATHER_ROWS_H_

#include "cnrt.h"
#include "kernels/utils/paged_cache.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most ids of a unit, and how many tasks there may be for each core. */
int KernelGatherRowsUnitIds(void);
int KernelGatherRowsTasksPerCore(void);

/* output[q][j] = the row that ids[q][j] names, or zeros; all sizes are positive. unit_ids is
 * how many rows a task takes at a time. */
mluOpStatus_t KernelGatherRows(cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue,
                               PagedCache cache, PageTables tables, PagedQueries queries,
                               int unit_ids, void *output);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_GATHER_IN_UB_GATHER_ROWS_H_ */
