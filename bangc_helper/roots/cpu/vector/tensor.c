/* SPDX-License-Identifier: MIT
 *
 * The tensor unit: matrix product and convolution, with the weights in the lanes of WRAM.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bang_runtime.h"
#include "vector/vector.h"

enum { WRAM_LANES = 64, SLOT_BYTES = 64 };

static int64_t round_up(int64_t x, int64_t unit) {
  return (x + unit - 1) / unit * unit;
}

/* Row r of the weight: slot r / 64 of lane r % 64. */
static const char *weight_row(const void *weight, int64_t row, int64_t row_bytes,
                              int64_t lane_bytes) {
  return (const char *)weight + (row % WRAM_LANES) * lane_bytes +
         (row / WRAM_LANES) * round_up(row_bytes, SLOT_BYTES);
}

static int operand_size(int type) {
  return type == BANG_TF32 ? (int)sizeof(float) : bang_type_size(type);
}

/* Rounds to a 10-bit mantissa, to nearest, ties to even; NaN stays NaN. */
static void round_to_tf32(float *rounded, const float *src, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    uint32_t bits;
    memcpy(&bits, src + i, sizeof bits);
    bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
    uint32_t nearest = (bits + 0xfffu + (bits >> 13 & 1u)) & ~0x1fffu;
    bits = is_nan ? bits : nearest;
    memcpy(rounded + i, &bits, sizeof bits);
  }
}

/* Returns src itself if it is float, otherwise a converted copy. Integers up to 16 bits are exact.
 */
static const float *as_floats(int type, const void *src, int64_t n, float *copy) {
  if (type == BANG_F32) {
    return src;
  }
  if (type == BANG_TF32) {
    round_to_tf32(copy, src, n);
    return copy;
  }
  __bang_vec_convert(BANG_F32, copy, type, src, n, 0, BANG_RN);
  return copy;
}

static void no_memory(size_t bytes) {
  __bang_fault(CN_INVOKE_ERROR_OUT_OF_RESOURCES, "tensor unit: no memory for %zu bytes of scratch",
               bytes);
}

/* sums[m][n] += bias, then scales and converts. */
static void finish(int dst_type, void *dst, float *sums, const void *bias, int64_t bias_n,
                   int64_t m, int64_t n, int shift, float *scratch) {
  if (shift != 0) {
    float scale = ldexpf(1.0f, shift);
    __bang_vec_scalar(BANG_MUL, BANG_F32, sums, sums, &scale, m * n);
  }
  if (bias != NULL) {
    const float *floats = as_floats(dst_type, bias, bias_n, scratch);
    __bang_vec_cycle(BANG_ADD, BANG_F32, sums, sums, floats, m * n, bias_n);
  }
  if (dst_type != BANG_F32) {
    __bang_vec_convert(dst_type, dst, BANG_F32, sums, m * n, 0, BANG_RN);
  }
}

/* Rows converted at a time: few enough to stay in the L1 cache until they are multiplied. */
enum { CHUNK_ROWS = 16 };

/* An empty range. The minimum starts at an ordinary value: only smaller ones can underflow. */
#define NO_MAGNITUDES ((bangMagnitudes){.min = 0x3c00, .max = 0})

static float magnitude(int type, uint16_t bits) {
  float x;
  __bang_vec_convert(BANG_F32, &x, type, &bits, 1, 0, BANG_RN);
  return x;
}

/* Whether every product of two 16-bit floats is exact in float. The mantissa is always wide enough,
 * so only overflow and underflow matter. Infinities and NaNs fail the first comparison. */
static bool products_are_exact(int type, bangMagnitudes factors, bangMagnitudes weights) {
  return magnitude(type, factors.max) * magnitude(type, weights.max) <= FLT_MAX &&
         magnitude(type, factors.min) * magnitude(type, weights.min) >= FLT_MIN;
}

BANG_API void __bang_vec_matmul(int dst_type, void *dst, int src_type, const void *src,
                                int weight_type, const void *weight, const void *bias,
                                int64_t bias_n, int64_t m, int64_t k, int64_t n, int64_t lane_bytes,
                                int shift) {
  if (m <= 0 || k <= 0 || n <= 0) {
    return;
  }
  int64_t row_bytes = k * operand_size(weight_type);
  if (round_up(row_bytes, SLOT_BYTES) * round_up(n, WRAM_LANES) / WRAM_LANES > lane_bytes) {
    __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND,
                 "matmul: %lld weight rows of %lld bytes do not fit WRAM", (long long)n,
                 (long long)row_bytes);
    return;
  }
  size_t packed_floats = (size_t)(round_up(n, BANG_MATMUL_COLUMNS) * k);
  size_t floats = (size_t)(m * n + CHUNK_ROWS * k + BANG_MATMUL_COLUMNS * k + bias_n);
  float *packed = malloc((packed_floats + floats) * sizeof(float));
  if (packed == NULL) {
    no_memory((packed_floats + floats) * sizeof(float));
    return;
  }
  float *sums = packed + packed_floats;
  float *src_copy = sums + m * n;
  float *weight_copy = src_copy + CHUNK_ROWS * k;
  float *bias_copy = weight_copy + BANG_MATMUL_COLUMNS * k;
  bool is_short = src_type == weight_type && (src_type == BANG_F16 || src_type == BANG_BF16);
  bangMagnitudes weights = NO_MAGNITUDES;
  for (int64_t column = 0; column < n; column += BANG_MATMUL_COLUMNS) {
    const float *rows[BANG_MATMUL_COLUMNS];
    int columns = n - column < BANG_MATMUL_COLUMNS ? (int)(n - column) : BANG_MATMUL_COLUMNS;
    for (int j = 0; j < columns; j++) {
      const void *row = weight_row(weight, column + j, row_bytes, lane_bytes);
      rows[j] = as_floats(weight_type, row, k, weight_copy + j * k);
      if (is_short) bang_isa->extend_range(&weights, row, k);
    }
    bang_isa->pack_weights(packed + column * k, rows, k, columns);
  }
  for (int64_t row = 0; row < m; row += CHUNK_ROWS) {
    int64_t rows = m - row < CHUNK_ROWS ? m - row : CHUNK_ROWS;
    const char *chunk = (const char *)src + row * k * operand_size(src_type);
    bangMagnitudes factors = NO_MAGNITUDES;
    if (is_short) bang_isa->extend_range(&factors, (const uint16_t *)(const void *)chunk, rows * k);
    bool is_exact = is_short && products_are_exact(src_type, factors, weights);
    bang_isa->matmul(sums + row * n, as_floats(src_type, chunk, rows * k, src_copy), packed, rows,
                     k, n, is_exact);
  }
  finish(dst_type, dst, sums, bias, bias_n, m, n, shift, bias_copy);
  if (dst_type == BANG_F32) {
    memcpy(dst, sums, (size_t)(m * n) * sizeof(float));
  }
  free(packed);
}

BANG_API void __bang_vec_conv(int dst_type, void *dst, int src_type, const void *src,
                              int weight_type, const void *weight, const void *bias,
                              const bangWindow *window, int64_t channel_out, int64_t lane_bytes,
                              int shift, int64_t dilation_width, int64_t dilation_height) {
  if (dilation_width <= 0 || dilation_height <= 0) {
    __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND,
                 "conv: such steps between elements are not supported");
    return;
  }
  /* Size of a window including dilation. */
  int64_t covered_height = (window->kernel_height - 1) * dilation_height + 1;
  int64_t covered_width = (window->kernel_width - 1) * dilation_width + 1;
  if (window->stride_height <= 0 || window->stride_width <= 0 || window->height < covered_height ||
      window->width < covered_width || window->channel <= 0 || channel_out <= 0) {
    return;
  }
  int64_t rows = (window->height - covered_height) / window->stride_height + 1;
  int64_t columns = (window->width - covered_width) / window->stride_width + 1;
  if (rows == window->height && columns == window->width) {
    /* A 1 x 1 window: the input is the matrix already. */
    __bang_vec_matmul(dst_type, dst, src_type, src, weight_type, weight, bias, channel_out,
                      rows * columns, window->channel, channel_out, lane_bytes, shift);
    return;
  }
  int64_t row = window->kernel_width * window->channel;
  /* The elements of a window's row are contiguous unless it is dilated. */
  int64_t run = dilation_width == 1 ? row : window->channel;
  int64_t k = window->kernel_height * row;
  int size = operand_size(src_type);
  char *windows = malloc((size_t)(rows * columns * k * size));
  if (windows == NULL) {
    no_memory((size_t)(rows * columns * k * size));
    return;
  }
  for (int64_t h = 0; h < rows; h++) {
    for (int64_t w = 0; w < columns; w++) {
      for (int64_t i = 0; i < window->kernel_height; i++) {
        int64_t line = h * window->stride_height + i * dilation_height;
        for (int64_t done = 0; done < row; done += run) {
          int64_t column = w * window->stride_width + done / window->channel * dilation_width;
          memcpy(windows + ((h * columns + w) * k + i * row + done) * size,
                 (const char *)src + (line * window->width + column) * window->channel * size,
                 (size_t)(run * size));
        }
      }
    }
  }
  __bang_vec_matmul(dst_type, dst, src_type, windows, weight_type, weight, bias, channel_out,
                    rows * columns, k, channel_out, lane_bytes, shift);
  free(windows);
}
