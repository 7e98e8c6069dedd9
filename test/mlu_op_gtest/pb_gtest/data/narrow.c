/* SPDX-License-Identifier: MIT */
#include "data/narrow.h"

#include <string.h>

static inline uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static inline float bits_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

static const uint32_t infinity_bits = 0x7f800000;

static inline uint16_t half_of(float value) {
  const uint32_t all = float_bits(value), sign = all & 0x80000000, magnitude = all ^ sign;
  /* Normal: the exponent changes by 112. Adds half of the last kept place, minus one if the kept
   * part is even. Overflow carries into the exponent of infinity. */
  const uint32_t normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  /* Below 2^-14: adding 0.5 makes the FPU round at the last place of a subnormal half. */
  const uint32_t small = float_bits(bits_float(magnitude) + 0.5f) - float_bits(0.5f);
  const uint32_t large = magnitude > infinity_bits ? 0x7e00 : 0x7c00;
  const uint32_t finite = magnitude < (113u << 23) ? small : normal;
  return (uint16_t)((magnitude >= (143u << 23) ? large : finite) | sign >> 16);
}

static inline uint16_t bfloat16_of(float value) {
  const uint32_t all = float_bits(value), magnitude = all & 0x7fffffff;
  const uint32_t rounded = (all + 0x7fff + (all >> 16 & 1)) >> 16;
  const uint32_t quiet = (all >> 16 & 0x8000) | 0x7fc0;
  return (uint16_t)(magnitude > infinity_bits ? quiet : rounded);
}

static void halves_one_by_one(const float *values, uint16_t *bits, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    bits[i] = half_of(values[i]);
  }
}

static void bfloat16s_one_by_one(const float *values, uint16_t *bits, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    bits[i] = bfloat16_of(values[i]);
  }
}

#ifdef __x86_64__
#include <immintrin.h>

#define FOR_AVX512 __attribute__((target("avx512f")))
enum { STEP = 16 };

/* The instruction keeps a NaN's payload, so NaNs are replaced by the quiet NaN without payload. n
 * is a multiple of STEP, here and below. */
static FOR_AVX512 void halves_of_vectors(const float *values, uint16_t *bits, size_t n) {
  for (size_t i = 0; i < n; i += STEP) {
    const __m512 x = _mm512_loadu_ps(values + i);
    const __m512i all = _mm512_castps_si512(x);
    const __m512i nan =
        _mm512_or_si512(_mm512_and_si512(_mm512_srli_epi32(all, 16), _mm512_set1_epi32(0x8000)),
                        _mm512_set1_epi32(0x7e00));
    const __m512i half =
        _mm512_cvtepu16_epi32(_mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    const __m512i found = _mm512_mask_mov_epi32(half, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), nan);
    _mm256_storeu_si256((__m256i *)(bits + i), _mm512_cvtepi32_epi16(found));
  }
}

static FOR_AVX512 void bfloat16s_of_vectors(const float *values, uint16_t *bits, size_t n) {
  for (size_t i = 0; i < n; i += STEP) {
    const __m512 x = _mm512_loadu_ps(values + i);
    const __m512i all = _mm512_castps_si512(x), upper = _mm512_srli_epi32(all, 16);
    const __m512i odd = _mm512_and_si512(upper, _mm512_set1_epi32(1));
    const __m512i rounded = _mm512_srli_epi32(
        _mm512_add_epi32(all, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff))), 16);
    const __m512i nan = _mm512_or_si512(_mm512_and_si512(upper, _mm512_set1_epi32(0x8000)),
                                        _mm512_set1_epi32(0x7fc0));
    const __m512i found =
        _mm512_mask_mov_epi32(rounded, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), nan);
    _mm256_storeu_si256((__m256i *)(bits + i), _mm512_cvtepi32_epi16(found));
  }
}

/* How many of n values are processed in vectors. */
static size_t in_vectors(size_t n) {
  return __builtin_cpu_supports("avx512f") ? n / STEP * STEP : 0;
}
#else
static size_t in_vectors(size_t n) {
  (void)n;
  return 0;
}
#define halves_of_vectors halves_one_by_one
#define bfloat16s_of_vectors bfloat16s_one_by_one
#endif

void mluop_floats_to_half(const float *values, uint16_t *bits, size_t n) {
  const size_t done = in_vectors(n);
  halves_of_vectors(values, bits, done);
  halves_one_by_one(values + done, bits + done, n - done);
}

void mluop_floats_to_bfloat16(const float *values, uint16_t *bits, size_t n) {
  const size_t done = in_vectors(n);
  bfloat16s_of_vectors(values, bits, done);
  bfloat16s_one_by_one(values + done, bits + done, n - done);
}
