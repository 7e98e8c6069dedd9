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
  /* Normal: the exponent moves by 112; half of the last kept place is added, less one where the
   * kept part is even. Overflow runs into the exponent of infinity. */
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

void mluop_floats_to_half(const float *values, uint16_t *bits, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    bits[i] = half_of(values[i]);
  }
}

void mluop_floats_to_bfloat16(const float *values, uint16_t *bits, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    bits[i] = bfloat16_of(values[i]);
  }
}
