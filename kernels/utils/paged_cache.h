/* SPDX-License-Identifier: MIT
 *
 * A paged cache as host and device code see it: rows in blocks of block_size, found through a table
 * from logical to physical blocks. Logical row `id` of a request is physical row table[id /
 * block_size] * block_size + id % block_size. */
#ifndef KERNELS_UTILS_PAGED_CACHE_H_
#define KERNELS_UTILS_PAGED_CACHE_H_

#include <stdint.h>

/* A row of a table may not have more entries: entries are addressed by unsigned 32-bit byte
 * offsets. */
#define PAGE_TABLE_MAX_ENTRIES (1 << 30)

typedef struct PagedCache {
  int8_t *rows;
  int64_t row_num;
  int64_t row_bytes;
  int64_t row_stride; /* bytes from one row to the next, at least row_bytes */
  int32_t block_size;
} PagedCache;

/* One row of entry_num physical blocks per request. */
typedef struct PageTables {
  const int32_t *entries;
  int64_t request_num;
  int32_t entry_num;
} PageTables;

/* Which logical rows are wanted: ids_per_query of them for each query. */
typedef struct PagedQueries {
  const int32_t *ids;
  int64_t query_num;
  int64_t ids_per_query;
  const int32_t
      *request_ids; /* of each query; NULL: query q asks for request q * request_num / query_num */
  const int32_t *valid_counts; /* ids of each query that count, from the first on; NULL: all */
} PagedQueries;

#endif /* KERNELS_UTILS_PAGED_CACHE_H_ */
