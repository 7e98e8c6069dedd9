/* SPDX-License-Identifier: MIT
 *
 * A paged cache: rows in blocks of block_size, and a table from logical to physical blocks. Logical
 * row `id` of a request is physical row table[id / block_size] * block_size + id % block_size. */
#ifndef KERNELS_UTILS_PAGED_CACHE_H_
#define KERNELS_UTILS_PAGED_CACHE_H_

#include <stdint.h>

/* Limit of the entries of a request: they are addressed by unsigned 32-bit byte offsets. */
#define PAGE_TABLE_MAX_ENTRIES (1 << 30)

typedef struct PagedCache {
  int8_t *rows;
  int64_t row_num;
  int64_t row_bytes;
  int64_t row_stride; /* bytes from one row to the next, at least row_bytes */
  int32_t block_size;
} PagedCache;

/* A table of entry_num physical blocks for each request. */
typedef struct PageTables {
  const int32_t *entries;
  int64_t request_num;
  int32_t entry_num;
} PageTables;

/* The logical rows that are wanted: ids_per_query for each query. */
typedef struct PagedQueries {
  const int32_t *ids;
  int64_t query_num;
  int64_t ids_per_query;
  /* One per query. NULL: query q belongs to request q * request_num / query_num. */
  const int32_t *request_ids;
  const int32_t *valid_counts; /* number of valid ids of each query, which come first; NULL: all */
} PagedQueries;

#endif /* KERNELS_UTILS_PAGED_CACHE_H_ */
