/* SPDX-License-Identifier: MIT
 *
 * Matrix product for the tensor unit. Every output adds its products, each rounded to float, in
 * ascending k, so the result is bit-identical on every instruction set.
 */
#include <stdbool.h>

#include "vector/lanes.h"
#include "vector/vector.h"

/* Size of a block of outputs: enough independent sums to hide the latency of an addition. */
#define ROWS (LANES == 16 ? 8 : 4)
#define COLUMNS BANG_MATMUL_COLUMNS
#define VECTORS (COLUMNS / LANES)
/* Values of k per step. Four fill a NEON vector, which can multiply by any one of its lanes. */
#define STEP 4
/* Values of k per pass over the rows: their weights stay in the L1 cache for the whole pass. */
#define DEPTH 256

/* sum + x * y where x * y is exact in float, so a fused multiply-add gives the same bits. */
INLINE vf add_exact_product(vf sum, vf x, vf y) {
#if defined(__AVX512F__)
  return (vf)_mm512_fmadd_ps((__m512)x, (__m512)y, (__m512)sum);
#elif defined(__AVX2__)
  return (vf)_mm256_fmadd_ps((__m256)x, (__m256)y, (__m256)sum);
#elif defined(__ARM_NEON)
  return (vf)vfmaq_f32((float32x4_t)sum, (float32x4_t)x, (float32x4_t)y);
#else
  return add_f(sum, mul_f(x, y));
#endif
}

/* x[i] in every lane; x has STEP elements. */
INLINE vf splat_element(const float *x, int i) {
#if defined(__ARM_NEON)
  return splat_f(load_f32(x)[i]);
#else
  return splat_f(x[i]);
#endif
}

INLINE void add_products(vf *sums, vf x, const float *weights, bool is_exact) {
  BANG_UNROLL
  for (int j = 0; j < VECTORS; j++) {
    vf y = load_f32(weights + j * LANES);
    sums[j] = is_exact ? add_exact_product(sums[j], x, y) : add_f(sums[j], mul_f(x, y));
  }
}

INLINE void multiply_block(float *dst, int64_t dst_stride, int columns, const float *src,
                           int64_t src_stride, int rows, const float (*weights)[COLUMNS],
                           int64_t depth, bool is_exact) {
  vf sums[ROWS][VECTORS];
  float lanes[ROWS][COLUMNS] = {{0}};
  BANG_UNROLL
  for (int r = 0; r < rows; r++) {
    memcpy(lanes[r], dst + r * dst_stride, (size_t)columns * sizeof(float));
    BANG_UNROLL
    for (int j = 0; j < VECTORS; j++) sums[r][j] = load_f32(lanes[r] + j * LANES);
  }
  int64_t k = 0;
  for (; k + STEP <= depth; k += STEP) {
    BANG_UNROLL
    for (int i = 0; i < STEP; i++) {
      BANG_UNROLL
      for (int r = 0; r < rows; r++) {
        add_products(sums[r], splat_element(src + r * src_stride + k, i), weights[k + i], is_exact);
      }
    }
  }
  for (; k < depth; k++) {
    BANG_UNROLL
    for (int r = 0; r < rows; r++) {
      add_products(sums[r], splat_f(src[r * src_stride + k]), weights[k], is_exact);
    }
  }
  BANG_UNROLL
  for (int r = 0; r < rows; r++) {
    BANG_UNROLL
    for (int j = 0; j < VECTORS; j++) store_f32(lanes[r] + j * LANES, sums[r][j]);
    memcpy(dst + r * dst_stride, lanes[r], (size_t)columns * sizeof(float));
  }
}

INLINE void multiply(float *dst, const float *src, const float *packed, int64_t m, int64_t k,
                     int64_t n, bool is_exact) {
  memset(dst, 0, (size_t)(m * n) * sizeof(float));
  for (int64_t column = 0; column < n; column += COLUMNS) {
    int columns = n - column < COLUMNS ? (int)(n - column) : COLUMNS;
    for (int64_t start = 0; start < k; start += DEPTH) {
      int64_t depth = k - start < DEPTH ? k - start : DEPTH;
      const float(*weights)[COLUMNS] = (const float(*)[COLUMNS])(packed + column * k) + start;
      int64_t row = 0;
      for (; row + ROWS <= m; row += ROWS) {
        multiply_block(dst + row * n + column, n, columns, src + row * k + start, k, ROWS, weights,
                       depth, is_exact);
      }
      for (; row < m; row++) {
        multiply_block(dst + row * n + column, n, columns, src + row * k + start, k, 1, weights,
                       depth, is_exact);
      }
    }
  }
}

static void matmul(float *dst, const float *src, const float *packed, int64_t m, int64_t k,
                   int64_t n, bool is_exact) {
  if (is_exact) {
    multiply(dst, src, packed, m, k, n, true);
  } else {
    multiply(dst, src, packed, m, k, n, false);
  }
}

typedef uint32_t Four __attribute__((vector_size(16)));
typedef Four FourInMemory __attribute__((aligned(4), may_alias));
typedef uint32_t Word __attribute__((may_alias));

/* turned[i][j] = rows[j][i], four by four. */
INLINE void turn_four(Word (*turned)[COLUMNS], const Word *a, const Word *b, const Word *c,
                      const Word *d) {
  Four row_a = *(const FourInMemory *)a, row_b = *(const FourInMemory *)b;
  Four row_c = *(const FourInMemory *)c, row_d = *(const FourInMemory *)d;
  Four ab_low = __builtin_shufflevector(row_a, row_b, 0, 4, 1, 5);
  Four ab_high = __builtin_shufflevector(row_a, row_b, 2, 6, 3, 7);
  Four cd_low = __builtin_shufflevector(row_c, row_d, 0, 4, 1, 5);
  Four cd_high = __builtin_shufflevector(row_c, row_d, 2, 6, 3, 7);
  *(FourInMemory *)turned[0] = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  *(FourInMemory *)turned[1] = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  *(FourInMemory *)turned[2] = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  *(FourInMemory *)turned[3] = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

static void pack_weights(void *packed, const void *const *rows, int64_t row_bytes, int columns) {
  Word(*turned)[COLUMNS] = packed;
  const Word *const *words = (const Word *const *)rows;
  int64_t n = row_bytes / (int64_t)sizeof(Word), i = 0;
  int whole = columns / 4 * 4;
  if (columns < COLUMNS) memset(turned, 0, (size_t)n * sizeof *turned);
  for (; i + 4 <= n; i += 4) {
    for (int j = 0; j < whole; j += 4) {
      turn_four((Word(*)[COLUMNS])(turned[i] + j), words[j] + i, words[j + 1] + i, words[j + 2] + i,
                words[j + 3] + i);
    }
    for (int j = whole; j < columns; j++) {
      for (int d = 0; d < 4; d++) turned[i + d][j] = words[j][i + d];
    }
  }
  for (; i < n; i++) {
    for (int j = 0; j < columns; j++) turned[i][j] = words[j][i];
  }
}

#if defined(__AVX512F__)
#define MINIMUM(a, b) (vu16) _mm512_min_epu16((__m512i)(a), (__m512i)(b))
#define MAXIMUM(a, b) (vu16) _mm512_max_epu16((__m512i)(a), (__m512i)(b))
#elif defined(__AVX2__)
#define MINIMUM(a, b) (vu16) _mm256_min_epu16((__m256i)(a), (__m256i)(b))
#define MAXIMUM(a, b) (vu16) _mm256_max_epu16((__m256i)(a), (__m256i)(b))
#elif defined(__ARM_NEON)
#define MINIMUM(a, b) (vu16) vminq_u16((uint16x8_t)(a), (uint16x8_t)(b))
#define MAXIMUM(a, b) (vu16) vmaxq_u16((uint16x8_t)(a), (uint16x8_t)(b))
#else
#define MINIMUM(a, b) ((a) - (vu16)_mm_subs_epu16((__m128i)(a), (__m128i)(b)))
#define MAXIMUM(a, b) ((b) + (vu16)_mm_subs_epu16((__m128i)(a), (__m128i)(b)))
#endif

static void extend_range(bangMagnitudes *range, const uint16_t *x, int64_t n) {
  /* The shift drops the sign. For the minimum, subtracting 1 makes zero the largest value, so
   * zeros are ignored. */
  vu16 min = (vu16){0} + (uint16_t)(2 * range->min - 1),
       max = (vu16){0} + (uint16_t)(2 * range->max);
  for (int64_t i = 0; i < n; i += N_u16) {
    uint16_t rest[N_u16] = {0};
    const uint16_t *from = x + i;
    if (n - i < N_u16) from = memcpy(rest, from, (size_t)(n - i) * sizeof *rest);
    vu16 shifted = load_u16(from) << 1;
    min = MINIMUM(min, shifted - 1);
    max = MAXIMUM(max, shifted);
  }
  uint16_t minima[N_u16], maxima[N_u16];
  store_u16(minima, min);
  store_u16(maxima, max);
  for (int lane = 0; lane < (int)N_u16; lane++) {
    uint16_t low = minima[lane] / 2 + 1, high = maxima[lane] / 2;
    range->min = low < range->min ? low : range->min;
    range->max = high > range->max ? high : range->max;
  }
}

void PER_ISA(bang_fill_matmul)(bangIsaTable *table) {
  table->matmul = matmul;
  table->pack_weights = pack_weights;
  table->extend_range = extend_range;
}
