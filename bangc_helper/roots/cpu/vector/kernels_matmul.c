/* SPDX-License-Identifier: MIT
 *
 * Matrix product for the tensor unit: float, each output one sum over ascending k, so the bits do
 * not depend on the instruction set.
 */
#include "vector/lanes.h"
#include "vector/vector.h"

/* Outputs computed together: their weights are transposed once, k by k, into this many columns. */
#define COLUMNS 64
#define DEPTH 128
#define ROWS 4

static void product_block(float *dst, int64_t dst_stride, const float *src, int64_t src_stride,
                          int rows, float (*weights)[COLUMNS], int64_t depth, int columns) {
  for (int r = 0; r < rows; r++) {
    vf sums[COLUMNS / LANES];
    float lanes[COLUMNS] = {0};
    memcpy(lanes, dst + r * dst_stride, (size_t)columns * sizeof(float));
    memcpy(sums, lanes, sizeof sums);
    for (int64_t k = 0; k < depth; k++) {
      vf x = splat_f(src[r * src_stride + k]);
      for (int j = 0; j < COLUMNS / LANES; j++) {
        sums[j] = add_f(sums[j], mul_f(x, load_f32(weights[k] + j * LANES)));
      }
    }
    memcpy(lanes, sums, sizeof lanes);
    memcpy(dst + r * dst_stride, lanes, (size_t)columns * sizeof(float));
  }
}

static void matmul(float *dst, const float *src, const float *const *rows, int64_t m, int64_t k,
                   int64_t n) {
  float weights[DEPTH][COLUMNS];
  memset(dst, 0, (size_t)(m * n) * sizeof(float));
  for (int64_t column = 0; column < n; column += COLUMNS) {
    int columns = n - column < COLUMNS ? (int)(n - column) : COLUMNS;
    for (int64_t start = 0; start < k; start += DEPTH) {
      int64_t depth = k - start < DEPTH ? k - start : DEPTH;
      for (int j = 0; j < COLUMNS; j++) {
        for (int64_t d = 0; d < depth; d++) {
          weights[d][j] = j < columns ? rows[column + j][start + d] : 0.0f;
        }
      }
      for (int64_t row = 0; row < m; row += ROWS) {
        int count = m - row < ROWS ? (int)(m - row) : ROWS;
        product_block(dst + row * n + column, n, src + row * k + start, k, count, weights, depth,
                      columns);
      }
    }
  }
}

void PER_ISA(bang_fill_matmul)(bangIsaTable *table) {
  table->matmul = matmul;
}
