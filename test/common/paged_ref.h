/* SPDX-License-Identifier: MIT
 *
 * Addressing of a paged cache for the reference implementations: one id at a time, in plain 64-bit
 * arithmetic, sharing no code with what is tested. */
#ifndef TEST_COMMON_PAGED_REF_H_
#define TEST_COMMON_PAGED_REF_H_

#include <stdint.h>

typedef struct PagedRefTables {
  const int32_t *block_table; /* [requests][entries] */
  int64_t requests, entries;
  int64_t block_size;
  int64_t token_size; /* rows of the cache */
} PagedRefTables;

/* Cache row of a request's `id`; -1 if there is none. */
static inline int64_t paged_ref_row(const PagedRefTables *tables, int64_t request, int64_t id) {
  if (request < 0 || request >= tables->requests) return -1;
  if (id < 0 || id >= tables->entries * tables->block_size) return -1;
  int64_t block = tables->block_table[request * tables->entries + id / tables->block_size];
  if (block < 0) return -1;
  int64_t row = block * tables->block_size + id % tables->block_size;
  return row < tables->token_size ? row : -1;
}

/* The rows that several queries select. */
typedef struct PagedRefQueries {
  const int32_t *indices; /* [queries][k] */
  int64_t queries, k;
  const int32_t *request_ids;  /* [queries], or NULL: evenly distributed */
  const int32_t *valid_counts; /* [queries], or NULL: all */
} PagedRefQueries;

/* Cache row of id j of query q; -1 if there is none. */
static inline int64_t paged_ref_query_row(const PagedRefTables *tables,
                                          const PagedRefQueries *queries, int64_t q, int64_t j) {
  if (queries->valid_counts && j >= queries->valid_counts[q]) return -1;
  int64_t request =
      queries->request_ids ? queries->request_ids[q] : q * tables->requests / queries->queries;
  return paged_ref_row(tables, request, queries->indices[q * queries->k + j]);
}

#endif /* TEST_COMMON_PAGED_REF_H_ */
