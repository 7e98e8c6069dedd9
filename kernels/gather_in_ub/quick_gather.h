/* SPDX-License-Identifier: MIT
 *
 * The gather of rows of the usual size, for devices whose scalar code is slow. */
#ifndef KERNELS_GATHER_IN_UB_QUICK_GATHER_H_
#define KERNELS_GATHER_IN_UB_QUICK_GATHER_H_

#include <stdbool.h>

#include "cnrt.h"
#include "kernels/utils/paged_cache.h"
#include "mlu_op.h"

/* The most ids of a task, and how many tasks are worth having for each core. */
#define QUICK_GATHER_IDS 64
#define QUICK_GATHER_TASKS_PER_CORE 16

#ifdef __cplusplus
extern "C" {
#endif

/* Whether it is the better way to do this call, and can do it. */
bool QuickGatherSuits(const PagedCache *cache, const PagedQueries *queries);

/* output[q][j] = the row that ids[q][j] names, or zeros; all sizes are positive. A task takes
 * task_ids ids, at most QUICK_GATHER_IDS. */
mluOpStatus_t KernelQuickGather(cnrtQueue_t queue, PagedCache cache, PageTables tables,
                                PagedQueries queries, int task_ids, void *output);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_GATHER_IN_UB_QUICK_GATHER_H_ */
