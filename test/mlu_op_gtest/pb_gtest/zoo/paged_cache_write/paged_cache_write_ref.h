/* SPDX-License-Identifier: MIT */
#ifndef ZOO_PAGED_CACHE_WRITE_REF_H_
#define ZOO_PAGED_CACHE_WRITE_REF_H_

#include <stdint.h>

#include "test/common/paged_ref.h"
#include "test/common/ref_share.h"

/* One call of the operator on host memory. Rows are bytes, because their type does not matter. */
typedef struct PagedCacheWriteCall {
  PagedRefTables tables;
  const int32_t *positions, *request_ids; /* [n]; request_ids NULL: request 0 */
  int64_t n;
  int64_t row_bytes;
  const void *input; /* [n][row_bytes] */
  void *cache;       /* [token_size][row_bytes] */
  RefShare share;    /* of the rows of the cache, so that the last row written wins */
} PagedCacheWriteCall;

/* The definition of the operator: rows in increasing order, so the last one wins. */
void paged_cache_write_ref(const PagedCacheWriteCall *call);

/* Minimum of bytes moved: positions, request ids and, for each row that has a place, its table
 * entry and the row in and out. */
int64_t paged_cache_write_theory_bytes(const PagedCacheWriteCall *call);

#endif /* ZOO_PAGED_CACHE_WRITE_REF_H_ */
