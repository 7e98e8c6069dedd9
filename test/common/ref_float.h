/* SPDX-License-Identifier: MIT
 *
 * half and bfloat16 for the reference implementations: plain integer arithmetic, rounding to
 * nearest even, sharing no code with what is tested. */
#ifndef TEST_COMMON_REF_FLOAT_H_
#define TEST_COMMON_REF_FLOAT_H_

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t ref_float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline float ref_float_from_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline float ref_half_to_float(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16;
  int exponent = (half >> 10) & 0x1f;
  uint32_t fraction = half & 0x3ff;
  if (exponent == 0x1f)
    return ref_float_from_bits(sign | 0x7f800000u | (fraction ? 0x400000u : 0) | fraction << 13);
  float magnitude = exponent == 0 ? ldexpf((float)fraction, -24)
                                  : ldexpf((float)(fraction | 0x400), exponent - 25);
  return sign ? -magnitude : magnitude;
}

static inline uint16_t ref_float_to_half(float value) {
  uint32_t bits = ref_float_bits(value);
  uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
  if (magnitude >= 0x47800000u) return (uint16_t)(sign | 0x7c00);
  /* Scaled so that one unit is the last place of the result; every step is exact except the
   * rounding by rint. */
  float x = ref_float_from_bits(magnitude);
  int exponent = magnitude < 0x38800000u ? -14 : (int)(magnitude >> 23) - 127;
  long units = lrintf(ldexpf(x, 10 - exponent));
  /* `units` includes the implicit one of a normal number, and a carry out of the fraction
   * increments the exponent. */
  return (uint16_t)(sign | (uint16_t)(((exponent + 14) << 10) + units));
}

static inline float ref_bfloat16_to_float(uint16_t value) {
  return ref_float_from_bits((uint32_t)value << 16);
}

static inline uint16_t ref_float_to_bfloat16(float value) {
  uint32_t bits = ref_float_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(bits >> 16 | 0x40);
  uint32_t low = bits & 0xffffu;
  uint32_t high = bits >> 16;
  if (low > 0x8000u || (low == 0x8000u && (high & 1))) ++high;
  return (uint16_t)high;
}

#endif /* TEST_COMMON_REF_FLOAT_H_ */
