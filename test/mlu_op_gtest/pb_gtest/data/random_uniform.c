/* SPDX-License-Identifier: MIT
 *
 * Compiled without contraction of a*b+c: the promised bits have every operation rounded. */
#include "data/random_uniform.h"

/* The greatest value below 1: what a state that rounds up to 2^31 gives. */
static const float below_one = 0x1.fffffep-1f;

static inline float uniform_of(uint32_t state, float lower, float width) {
  const float share = (float)(int32_t)(state - 1) * 0x1p-31f;
  return (share < below_one ? share : below_one) * width + lower;
}

static void one_by_one(mluopRandom *random, float lower, float width, float *values, size_t n) {
  enum { BLOCK = 512 };
  uint32_t states[BLOCK];
  for (size_t at = 0; at < n; at += BLOCK) {
    const size_t block = n - at < BLOCK ? n - at : BLOCK;
    mluop_random_next_many(random, states, block);
    for (size_t i = 0; i < block; ++i) {
      values[at + i] = uniform_of(states[i], lower, width);
    }
  }
}

#ifdef __x86_64__
#include <immintrin.h>

#define FOR_AVX512 __attribute__((target("avx512f")))

/* Enough independent sequences to hide a multiplication's latency. */
enum { VECTORS = 8, VECTOR_STATES = 8, STEP = VECTORS * VECTOR_STATES };

/* state * factor mod 2^31 - 1, a state per 64-bit lane: a compiler multiplies 64-bit lanes whole,
 * although their upper halves are zero. */
static inline FOR_AVX512 __m512i multiply8(__m512i states, __m512i factor, __m512i modulus) {
  const __m512i product = _mm512_mul_epu32(states, factor);
  const __m512i sum =
      _mm512_add_epi64(_mm512_and_si512(product, modulus), _mm512_srli_epi64(product, 31));
  return _mm512_min_epu32(sum, _mm512_sub_epi32(sum, modulus)); /* below the modulus: it wraps */
}

/* n is a multiple of STEP. */
static FOR_AVX512 void sixty_four_at_once(mluopRandom *random, float lower, float width,
                                          float *values, size_t n) {
  uint32_t first[STEP];
  mluopRandom ahead = *random, power = {.state = 1};
  mluop_random_next_many(&ahead, first, STEP);
  mluop_random_skip(&power, STEP);
  __m512i states[VECTORS];
  for (int v = 0; v < VECTORS; ++v) {
    states[v] =
        _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(first + v * VECTOR_STATES)));
  }
  const __m512i modulus = _mm512_set1_epi64(0x7fffffff), factor = _mm512_set1_epi64(power.state);
  const __m512i low_halves =
      _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  for (size_t at = 0; at < n; at += STEP) {
    for (int v = 0; v < VECTORS; v += 2) {
      const __m512i drawn = _mm512_permutex2var_epi32(states[v], low_halves, states[v + 1]);
      const __m512 share =
          _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_sub_epi32(drawn, _mm512_set1_epi32(1))),
                        _mm512_set1_ps(0x1p-31f));
      const __m512 part =
          _mm512_mul_ps(_mm512_min_ps(share, _mm512_set1_ps(below_one)), _mm512_set1_ps(width));
      _mm512_storeu_ps(values + at + v * VECTOR_STATES, _mm512_add_ps(part, _mm512_set1_ps(lower)));
      states[v] = multiply8(states[v], factor, modulus);
      states[v + 1] = multiply8(states[v + 1], factor, modulus);
    }
  }
  mluop_random_skip(random, n);
}

void mluop_random_uniform_block_float(mluopRandom *random, float lower, float width, float *values,
                                      size_t n) {
  size_t done = 0;
  if (n >= STEP && __builtin_cpu_supports("avx512f")) {
    done = n / STEP * STEP;
    sixty_four_at_once(random, lower, width, values, done);
  }
  one_by_one(random, lower, width, values + done, n - done);
}
#else
void mluop_random_uniform_block_float(mluopRandom *random, float lower, float width, float *values,
                                      size_t n) {
  one_by_one(random, lower, width, values, n);
}
#endif
