/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_GATHER_IN_UB_PAGED_CACHE_WRITE_PAGED_CACHE_WRITE_H_
#define KERNELS_GATHER_IN_UB_PAGED_CACHE_WRITE_PAGED_CACHE_WRITE_H_

#include "cnrt.h"
#include "kernels/utils/paged_cache.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches the kernel; all sizes are positive. request_ids NULL: request 0. */
mluOpStatus_t KernelPagedCacheWrite(cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue,
                                    const void *input, int64_t row_num, const int32_t *positions,
                                    const int32_t *request_ids, PageTables tables,
                                    PagedCache cache);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_GATHER_IN_UB_PAGED_CACHE_WRITE_PAGED_CACHE_WRITE_H_ */
