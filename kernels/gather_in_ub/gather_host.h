/* SPDX-License-Identifier: MIT
 *
 * What gather_in_ub and gather_in_ub_batched share once their arguments are checked. */
#ifndef KERNELS_GATHER_IN_UB_GATHER_HOST_H_
#define KERNELS_GATHER_IN_UB_GATHER_HOST_H_

#include "kernels/utils/paged_cache.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cuts the work and launches the kernel that suits it. `api`: the public function's name in
 * brackets. */
mluOpStatus_t gather_launch(mluOpHandle_t handle, const char *api, const PagedCache *cache,
                            const PageTables *tables, const PagedQueries *queries, void *output);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_GATHER_IN_UB_GATHER_HOST_H_ */
