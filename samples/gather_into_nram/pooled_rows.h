/* SPDX-License-Identifier: MIT */
#ifndef POOLED_ROWS_H_
#define POOLED_ROWS_H_

#include <stdint.h>

#include "cnrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Columns of the cache. */
enum { POOLED_COLUMNS = 96 };

/* output[q] = the sum of the cache rows indices[q][0 .. k), in that order. Rows are looked up as in
 * gather_in_ub: the cache has row_num rows in blocks of block_size, and a table maps logical to
 * physical blocks. All pointers are device memory. */
void sum_selected_rows(cnrtDim3_t dim, cnrtQueue_t queue, float *cache, int64_t row_num,
                       int32_t block_size, const int32_t *table, int32_t table_entries,
                       const int32_t *indices, int queries, int k, float *output);

#ifdef __cplusplus
}
#endif

#endif /* POOLED_ROWS_H_ */
