/* SPDX-License-Identifier: MIT
 *
 * The result of a comparison of vectors, all ones or all zeros per lane, as a number: bit i = lane
 * i. */
#ifndef BANG_CPU_VECTOR_LANE_BITS_H_
#define BANG_CPU_VECTOR_LANE_BITS_H_

#include "vector/lanes.h"

#if defined(__AVX512F__)
INLINE uint64_t lane_bits_8(vu8 mask) {
  return _mm512_movepi8_mask((__m512i)mask);
}
INLINE uint64_t lane_bits_16(vu16 mask) {
  return _mm512_movepi16_mask((__m512i)mask);
}
INLINE uint64_t lane_bits_32(vu32 mask) {
  return _mm512_movepi32_mask((__m512i)mask);
}
INLINE uint64_t lane_bits_64(vu64 mask) {
  return _mm512_movepi64_mask((__m512i)mask);
}
#elif defined(__AVX2__)
INLINE uint64_t lane_bits_8(vu8 mask) {
  return (uint32_t)_mm256_movemask_epi8((__m256i)mask);
}
INLINE uint64_t lane_bits_16(vu16 mask) {
  __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128((__m256i)mask),
                                  _mm256_extracti128_si256((__m256i)mask, 1));
  return (uint32_t)_mm_movemask_epi8(bytes);
}
INLINE uint64_t lane_bits_32(vu32 mask) {
  return (uint32_t)_mm256_movemask_ps((__m256)mask);
}
INLINE uint64_t lane_bits_64(vu64 mask) {
  return (uint32_t)_mm256_movemask_pd((__m256d)mask);
}
#else
#define PORTABLE_LANE_BITS(width, vector)          \
  INLINE uint64_t lane_bits_##width(vector mask) { \
    uint64_t bits = 0;                             \
    for (int i = 0; i < VB * 8 / width; i++) {     \
      bits |= (uint64_t)(mask[i] & 1) << i;        \
    }                                              \
    return bits;                                   \
  }
PORTABLE_LANE_BITS(8, vu8)
PORTABLE_LANE_BITS(16, vu16)
PORTABLE_LANE_BITS(32, vu32)
PORTABLE_LANE_BITS(64, vu64)
#endif

#endif /* BANG_CPU_VECTOR_LANE_BITS_H_ */
