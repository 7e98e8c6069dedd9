/* SPDX-License-Identifier: MIT
 *
 * Arm's matrix instructions: bfloat16 products by BFMMLA, 8-bit integers by SMMLA. Both multiply
 * two rows by two columns, 8 bytes of each.
 */
#include <arm_neon.h>
#include <stdbool.h>
#include <string.h>

#include "vector/vector.h"

#define INLINE static inline __attribute__((always_inline))

enum { COLUMN_PAIRS = BANG_MATMUL_COLUMNS / 2, ROW_PAIRS = 2 };

/* The columns' bytes of two instructions: 16 of a row, of which each instruction takes 8. */
typedef struct Step {
  int8x16_t columns[2][COLUMN_PAIRS];
} Step;

INLINE int8x16_t low_halves(int8x16_t a, int8x16_t b) {
  return vreinterpretq_s8_s64(vtrn1q_s64(vreinterpretq_s64_s8(a), vreinterpretq_s64_s8(b)));
}

INLINE int8x16_t high_halves(int8x16_t a, int8x16_t b) {
  return vreinterpretq_s8_s64(vtrn2q_s64(vreinterpretq_s64_s8(a), vreinterpretq_s64_s8(b)));
}

static void pack(void *packed, const void *const *rows, int64_t row_bytes, int columns) {
  static const int8_t zeros[BANG_MATRIX_ROW_BYTES];
  /* A cache line of a row at a time: rows in WRAM are a power of two apart, so few of their lines
   * stay in the L1 cache. */
  for (int64_t line = 0; line < row_bytes; line += BANG_MATRIX_ROW_BYTES) {
    Step *steps = (Step *)packed + line / 16;
    for (int pair = 0; pair < COLUMN_PAIRS; pair++) {
      const int8_t *a = 2 * pair < columns ? (const int8_t *)rows[2 * pair] + line : zeros;
      const int8_t *b = 2 * pair + 1 < columns ? (const int8_t *)rows[2 * pair + 1] + line : zeros;
      BANG_UNROLL
      for (int i = 0; i < BANG_MATRIX_ROW_BYTES / 16; i++) {
        int8x16_t from_a = vld1q_s8(a + 16 * i), from_b = vld1q_s8(b + 16 * i);
        steps[i].columns[0][pair] = low_halves(from_a, from_b);
        steps[i].columns[1][pair] = high_halves(from_a, from_b);
      }
    }
  }
}

/* Adds products to four sums, which are floats or 32-bit integers. Assembly, because gcc 12 moves
 * the sums between registers around the intrinsics. */
INLINE int32x4_t add_products(int32x4_t sums, int8x16_t rows, int8x16_t columns, bool is_integer) {
  if (is_integer) {
    __asm__("smmla %0.4s, %1.16b, %2.16b" : "+w"(sums) : "w"(rows), "w"(columns));
  } else {
    __asm__("bfmmla %0.4s, %1.8h, %2.8h" : "+w"(sums) : "w"(rows), "w"(columns));
  }
  return sums;
}

INLINE void store_sums(float *dst, int64_t n, const int32x4_t sums[COLUMN_PAIRS], int row,
                       bool is_integer) {
  float lanes[BANG_MATMUL_COLUMNS];
  BANG_UNROLL
  for (int pair = 0; pair < COLUMN_PAIRS; pair += 2) {
    int64x2_t a = vreinterpretq_s64_s32(sums[pair]), b = vreinterpretq_s64_s32(sums[pair + 1]);
    int32x4_t of_row = vreinterpretq_s32_s64(row == 0 ? vtrn1q_s64(a, b) : vtrn2q_s64(a, b));
    vst1q_f32(lanes + 2 * pair, is_integer ? vcvtq_f32_s32(of_row) : vreinterpretq_f32_s32(of_row));
  }
  memcpy(dst, lanes, (size_t)(n < BANG_MATMUL_COLUMNS ? n : BANG_MATMUL_COLUMNS) * sizeof *lanes);
}

/* Multiplies up to 2 * ROW_PAIRS rows by the columns of a pack. The last row stands in for missing
 * ones, whose sums are dropped. */
INLINE void multiply_rows(float *dst, int64_t stride, int64_t columns, const int8_t *src,
                          int64_t row_bytes, int64_t rows, const Step *steps, bool is_integer) {
  int32x4_t sums[ROW_PAIRS][COLUMN_PAIRS];
  const int8_t *row[2 * ROW_PAIRS];
  BANG_UNROLL
  for (int r = 0; r < 2 * ROW_PAIRS; r++) row[r] = src + (r < rows ? r : rows - 1) * row_bytes;
  BANG_UNROLL
  for (int r = 0; r < ROW_PAIRS; r++) {
    BANG_UNROLL
    for (int pair = 0; pair < COLUMN_PAIRS; pair++) sums[r][pair] = vdupq_n_s32(0);
  }
  for (int64_t i = 0; i < row_bytes; i += 16, steps++) {
    int8x16_t halves[ROW_PAIRS][2];
    BANG_UNROLL
    for (int r = 0; r < ROW_PAIRS; r++) {
      int8x16_t a = vld1q_s8(row[2 * r] + i), b = vld1q_s8(row[2 * r + 1] + i);
      halves[r][0] = low_halves(a, b);
      halves[r][1] = high_halves(a, b);
    }
    BANG_UNROLL
    for (int half = 0; half < 2; half++) {
      BANG_UNROLL
      for (int r = 0; r < ROW_PAIRS; r++) {
        BANG_UNROLL
        for (int pair = 0; pair < COLUMN_PAIRS; pair++) {
          sums[r][pair] =
              add_products(sums[r][pair], halves[r][half], steps->columns[half][pair], is_integer);
        }
      }
    }
  }
  BANG_UNROLL
  for (int r = 0; r < 2 * ROW_PAIRS; r++) {
    if (r < rows) store_sums(dst + r * stride, columns, sums[r / 2], r % 2, is_integer);
  }
}

INLINE void multiply(float *sums, const int8_t *src, const char *packed, int64_t m,
                     int64_t row_bytes, int64_t n, bool is_integer) {
  for (int64_t column = 0; column < n; column += BANG_MATMUL_COLUMNS) {
    const Step *steps = (const Step *)(const void *)(packed + column * row_bytes);
    for (int64_t row = 0; row < m; row += 2 * ROW_PAIRS) {
      multiply_rows(sums + row * n + column, n, n - column, src + row * row_bytes, row_bytes,
                    m - row, steps, is_integer);
    }
  }
}

static void multiply_bf16(float *sums, const void *src, const void *packed, int64_t m,
                          int64_t row_bytes, int64_t n) {
  multiply(sums, src, packed, m, row_bytes, n, false);
}

static void multiply_s8(float *sums, const void *src, const void *packed, int64_t m,
                        int64_t row_bytes, int64_t n) {
  multiply(sums, src, packed, m, row_bytes, n, true);
}

void bang_fill_matrix_arm(bangIsaTable *table) {
  table->matrix[BANG_BF16] = (bangMatrixUnit){2 * ROW_PAIRS, NULL, pack, multiply_bf16};
  table->matrix[BANG_S8] = (bangMatrixUnit){2 * ROW_PAIRS, NULL, pack, multiply_s8};
}
