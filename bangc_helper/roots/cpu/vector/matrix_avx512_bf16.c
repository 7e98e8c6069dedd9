/* SPDX-License-Identifier: MIT
 *
 * bfloat16 products by AVX-512's instruction for pairs of them. A vector of weights has a pair of
 * each column.
 */
#include <immintrin.h>
#include <string.h>

#include "vector/vector.h"

/* Enough independent sums to hide the latency of the instruction. */
enum { ROWS = 8 };

/* Multiplies up to ROWS rows by the columns of a pack. The last row stands in for missing ones,
 * whose sums are dropped. */
static inline __attribute__((always_inline)) void multiply_rows(float *dst, int64_t stride,
                                                                __mmask16 columns, const char *src,
                                                                int64_t row_bytes, int64_t rows,
                                                                const char *packed) {
  __m512 sums[ROWS];
  const char *row[ROWS];
  BANG_UNROLL
  for (int r = 0; r < ROWS; r++) {
    row[r] = src + (r < rows ? r : rows - 1) * row_bytes;
    sums[r] = _mm512_setzero_ps();
  }
  for (int64_t i = 0; i < row_bytes; i += 4) {
    __m512bh weights = (__m512bh)_mm512_loadu_si512(packed + i * BANG_MATMUL_COLUMNS);
    BANG_UNROLL
    for (int r = 0; r < ROWS; r++) {
      int pair;
      memcpy(&pair, row[r] + i, sizeof pair);
      sums[r] = _mm512_dpbf16_ps(sums[r], (__m512bh)_mm512_set1_epi32(pair), weights);
    }
  }
  BANG_UNROLL
  for (int r = 0; r < ROWS; r++) {
    if (r < rows) _mm512_mask_storeu_ps(dst + r * stride, columns, sums[r]);
  }
}

static void multiply(float *sums, const void *src, const void *packed, int64_t m, int64_t row_bytes,
                     int64_t n) {
  for (int64_t column = 0; column < n; column += BANG_MATMUL_COLUMNS) {
    int64_t left = n - column;
    __mmask16 columns = (__mmask16)(left < BANG_MATMUL_COLUMNS ? (1 << left) - 1 : -1);
    for (int64_t row = 0; row < m; row += ROWS) {
      multiply_rows(sums + row * n + column, n, columns, (const char *)src + row * row_bytes,
                    row_bytes, m - row, (const char *)packed + column * row_bytes);
    }
  }
}

void bang_fill_matrix_avx512_bf16(bangIsaTable *table) {
  table->matrix[BANG_BF16] = (bangMatrixUnit){ROWS, NULL, table->pack_weights, multiply};
}
