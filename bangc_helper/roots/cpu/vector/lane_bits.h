/* SPDX-License-Identifier: MIT
 *
 * Turns the result of a vector comparison, all ones or all zeros per lane, into a number: bit i =
 * lane i. */
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
#elif !defined(__ARM_NEON)
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

/* NEON has no instruction for this, so 64 lanes share the cost. word_of_<width>(masks): lanes are
 * narrowed to bytes, each byte keeps the bit of its position, and neighbours are added.
 * halves_of_<width>(masks): all but the last addition, which two words can share. */
#if defined(__ARM_NEON)
INLINE uint8x16_t halves_of_8(const vu8 *masks) {
  const uint8x16_t places = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201u));
  uint8x16_t bits[4];
  for (int i = 0; i < 4; i++) {
    bits[i] = vandq_u8((uint8x16_t)masks[i], places);
  }
  return vpaddq_u8(vpaddq_u8(bits[0], bits[1]), vpaddq_u8(bits[2], bits[3]));
}
INLINE uint64_t word_of_halves(uint8x16_t halves) {
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(halves, halves)), 0);
}
INLINE uint64_t word_of_8(const vu8 *masks) {
  return word_of_halves(halves_of_8(masks));
}
#define WORD_OF_WIDER(width, narrow_width, uzp1, lanes)                                 \
  INLINE uint8x16_t halves_of_##width(const vu##width *masks) {                         \
    enum { VECTORS = 64 / (VB * 8 / narrow_width) };                                    \
    vu##narrow_width narrow[VECTORS];                                                   \
    for (int i = 0; i < VECTORS; i++) {                                                 \
      narrow[i] = (vu##narrow_width)uzp1((lanes)masks[2 * i], (lanes)masks[2 * i + 1]); \
    }                                                                                   \
    return halves_of_##narrow_width(narrow);                                            \
  }                                                                                     \
  INLINE uint64_t word_of_##width(const vu##width *masks) {                             \
    return word_of_halves(halves_of_##width(masks));                                    \
  }
WORD_OF_WIDER(16, 8, vuzp1q_u8, uint8x16_t)
WORD_OF_WIDER(32, 16, vuzp1q_u16, uint16x8_t)
WORD_OF_WIDER(64, 32, vuzp1q_u32, uint32x4_t)
#endif

/* Number of elements whose bits are made together. Eight elements make a byte, so vectors of 4 or 2
 * lanes are combined first. */
#if defined(__ARM_NEON)
#define TOGETHER(tag) 64
#else
#define TOGETHER(tag) (N_##tag < 8 ? 8 : N_##tag)
#endif

/* Counts the set bits among n. */
INLINE uint32_t number_set(const uint8_t *bits, int64_t n) {
  uint64_t count = 0;
  int64_t i = 0;
#if defined(__ARM_NEON)
  /* Counts are kept per byte of a vector; this many vectors cannot overflow a byte. */
  enum { VECTORS = 16, STEP = VECTORS * 128 };
  for (; i + STEP <= n; i += STEP) {
    uint8x16_t sums = vdupq_n_u8(0);
    for (int k = 0; k < VECTORS; k++) {
      sums = vaddq_u8(sums, vcntq_u8(vld1q_u8(bits + i / 8 + 16 * k)));
    }
    count += vaddlvq_u8(sums);
  }
#endif
  for (; i + 64 <= n; i += 64) {
    uint64_t word;
    memcpy(&word, bits + i / 8, sizeof word);
    count += (uint64_t)__builtin_popcountll(word);
  }
  for (; i < n; i++) {
    count += bits[i / 8] >> (i % 8) & 1u;
  }
  return (uint32_t)count;
}

#endif /* BANG_CPU_VECTOR_LANE_BITS_H_ */
