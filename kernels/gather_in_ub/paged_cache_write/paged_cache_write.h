/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_GATHER_IN_UB_PAGED_CACHE_WRITE_PAGED_CACHE_WRITE_H_
#define KERNELS_GATHER_IN_UB_PAGED_CACHE_WRITE_PAGED_CACHE_WRITE_H_

#include "core/variant.h"
#include "kernels/utils/paged_cache.h"
#include "mlu_op.h"

/* All sizes are positive; the cache has fewer than 2^32 rows. */
typedef struct PagedCacheWriteCall {
  const void *input;
  int64_t row_num; /* of input, positions and request_ids */
  const int32_t *positions;
  const int32_t *request_ids; /* NULL: request 0 */
  PageTables tables;
  PagedCache cache;
} PagedCacheWriteCall;

extern const mluopVariantTable paged_cache_write_variants;

MLUOP_FORM(PagedCacheWriteReference);

/* Longest row of the small_tasks form, so that samples times parts of a row fit the task numbers.
 */
#define PAGED_WRITE_MAX_ROW_BYTES (1 << 22)
MLUOP_FORM(PagedCacheWriteSmallTasks);

#endif /* KERNELS_GATHER_IN_UB_PAGED_CACHE_WRITE_PAGED_CACHE_WRITE_H_ */
