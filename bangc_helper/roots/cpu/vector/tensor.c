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
#include "vector/computed.h"
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

/* The operands of a product: dst[m][n] = src[m][k] . weight[n][k]. */
typedef struct Operands {
  int src_type, weight_type;
  const char *src;
  const void *weight;
  int64_t m, k, n, row_bytes, lane_bytes; /* a row of the weight, a lane of WRAM */
} Operands;

/* The addresses of the weight's rows from `column` on; returns how many there are. */
static int weight_rows(const Operands *o, int64_t column, const void *rows[BANG_MATMUL_COLUMNS]) {
  int columns = o->n - column < BANG_MATMUL_COLUMNS ? (int)(o->n - column) : BANG_MATMUL_COLUMNS;
  for (int j = 0; j < columns; j++) {
    rows[j] = weight_row(o->weight, column + j, o->row_bytes, o->lane_bytes);
  }
  return columns;
}

/* The CPU's instructions for this product, or NULL if it is done in floats. 8-bit integers are
 * summed as 32-bit integers, so the sums must be exact in float, too. */
static const bangMatrixUnit *matrix_unit(const Operands *o) {
  enum { MAX_EXACT_S8 = (1 << FLT_MANT_DIG) / (128 * 128) };
  const bangMatrixUnit *unit = &bang_isa->matrix[o->src_type];
  return o->src_type == o->weight_type && o->row_bytes % BANG_MATRIX_ROW_BYTES == 0 &&
                 (o->src_type != BANG_S8 || o->k <= MAX_EXACT_S8) && unit->multiply != NULL &&
                 (unit->is_usable == NULL || unit->is_usable())
             ? unit
             : NULL;
}

/* Products that take as long as an element of a vector function. */
enum { PRODUCTS_PER_ELEMENT = 4 };

static void multiply_by_unit(const bangMatrixUnit *unit, const Operands *o, float *sums,
                             char *packed) {
  for (int64_t column = 0; column < o->n; column += BANG_MATMUL_COLUMNS) {
    const void *rows[BANG_MATMUL_COLUMNS];
    int columns = weight_rows(o, column, rows);
    unit->pack(packed + column * o->row_bytes, rows, o->row_bytes, columns);
  }
  /* A few rows at a time: between them, loads that wait are fetched. */
  for (int64_t row = 0; row < o->m; row += unit->rows) {
    int64_t rows = o->m - row < unit->rows ? o->m - row : unit->rows;
    bang_count_computed(rows * o->k * o->n / PRODUCTS_PER_ELEMENT);
    unit->multiply(sums + row * o->n, o->src + row * o->row_bytes, packed, rows, o->row_bytes,
                   o->n);
  }
}

/* Rows converted at a time: few enough to stay in the L1 cache until they are multiplied. */
enum { CHUNK_ROWS = 16 };

/* An empty range. The minimum starts at an ordinary value: only smaller ones can underflow. */
#define NO_MAGNITUDES ((bangMagnitudes){.min = 0x3c00, .max = 0})

static float bf16_magnitude(uint16_t bits) {
  float x;
  __bang_vec_convert(BANG_F32, &x, BANG_BF16, &bits, 1, 0, BANG_RN);
  return x;
}

/* Whether every product of two bfloat16 numbers is exact in float. The mantissa is always wide
 * enough, so only overflow and underflow matter. Infinities and NaNs fail the first comparison. */
static bool products_are_exact(bangMagnitudes factors, bangMagnitudes weights) {
  return bf16_magnitude(factors.max) * bf16_magnitude(weights.max) <= FLT_MAX &&
         bf16_magnitude(factors.min) * bf16_magnitude(weights.min) >= FLT_MIN;
}

/* Floats of scratch that multiply_as_floats needs besides the packed weights. */
static int64_t copied_floats(int64_t k) {
  return (CHUNK_ROWS + BANG_MATMUL_COLUMNS) * k;
}

static void multiply_as_floats(const Operands *o, float *sums, float *packed, float *copies) {
  float *weight_copy = copies + CHUNK_ROWS * o->k;
  bool is_half = o->src_type == BANG_F16 && o->weight_type == BANG_F16;
  bool is_bf16 = o->src_type == BANG_BF16 && o->weight_type == BANG_BF16;
  bangMagnitudes weights = NO_MAGNITUDES;
  for (int64_t column = 0; column < o->n; column += BANG_MATMUL_COLUMNS) {
    const void *rows[BANG_MATMUL_COLUMNS];
    int columns = weight_rows(o, column, rows);
    for (int j = 0; j < columns; j++) {
      if (is_bf16) bang_isa->extend_range(&weights, rows[j], o->k);
      rows[j] = as_floats(o->weight_type, rows[j], o->k, weight_copy + j * o->k);
    }
    bang_isa->pack_weights(packed + column * o->k, rows, o->k * (int64_t)sizeof(float), columns);
  }
  for (int64_t row = 0; row < o->m; row += CHUNK_ROWS) {
    int64_t rows = o->m - row < CHUNK_ROWS ? o->m - row : CHUNK_ROWS;
    const void *chunk = o->src + row * o->k * operand_size(o->src_type);
    bangMagnitudes factors = NO_MAGNITUDES;
    if (is_bf16) bang_isa->extend_range(&factors, chunk, rows * o->k);
    /* A float holds every product of two halves. */
    bool is_exact = is_half || (is_bf16 && products_are_exact(factors, weights));
    bang_isa->matmul(sums + row * o->n, as_floats(o->src_type, chunk, rows * o->k, copies), packed,
                     rows, o->k, o->n, is_exact);
  }
}

BANG_API void __bang_vec_matmul(int dst_type, void *dst, int src_type, const void *src,
                                int weight_type, const void *weight, const void *bias,
                                int64_t bias_n, int64_t m, int64_t k, int64_t n, int64_t lane_bytes,
                                int shift) {
  if (m <= 0 || k <= 0 || n <= 0) {
    return;
  }
  const Operands operands = {.src_type = src_type,
                             .weight_type = weight_type,
                             .src = src,
                             .weight = weight,
                             .m = m,
                             .k = k,
                             .n = n,
                             .row_bytes = k * operand_size(weight_type),
                             .lane_bytes = lane_bytes};
  if (round_up(operands.row_bytes, SLOT_BYTES) * round_up(n, WRAM_LANES) / WRAM_LANES >
      lane_bytes) {
    __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND,
                 "matmul: %lld weight rows of %lld bytes do not fit WRAM", (long long)n,
                 (long long)operands.row_bytes);
    return;
  }
  size_t packed_floats = (size_t)(round_up(n, BANG_MATMUL_COLUMNS) * k);
  size_t floats = (size_t)(m * n + copied_floats(k) + bias_n);
  float *packed = malloc((packed_floats + floats) * sizeof(float));
  if (packed == NULL) {
    no_memory((packed_floats + floats) * sizeof(float));
    return;
  }
  float *sums = packed + packed_floats;
  float *copies = sums + m * n;
  const bangMatrixUnit *unit = matrix_unit(&operands);
  if (unit != NULL) {
    multiply_by_unit(unit, &operands, sums, (char *)packed);
  } else {
    multiply_as_floats(&operands, sums, packed, copies);
  }
  finish(dst_type, dst, sums, bias, bias_n, m, n, shift, copies + copied_floats(k));
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
