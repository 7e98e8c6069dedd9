/* SPDX-License-Identifier: MIT
 *
 * Single 16-bit floats: widening, and narrowing in any rounding mode.
 */
#ifndef BANG_CPU_VECTOR_SCALAR_FLOAT_H_
#define BANG_CPU_VECTOR_SCALAR_FLOAT_H_

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "bang/table.h"

static inline uint32_t bang_float_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline float bang_bits_float(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline float bang_half_to_float(uint16_t h) {
  uint32_t magnitude = h & 0x7fffu;
  uint32_t bits = bang_float_bits(bang_bits_float(magnitude << 13) * 0x1p112f);
  if (magnitude >= 0x7c00u) {
    bits |= 0x7f800000u | (magnitude > 0x7c00u ? 0x00400000u : 0);
  }
  return bang_bits_float(bits | (uint32_t)(h & 0x8000u) << 16);
}
static inline float bang_bfloat_to_float(uint16_t b) {
  return bang_bits_float((uint32_t)b << 16);
}

/* An element of any of the three float types, at any address. */
static inline float bang_get_float(const char *p, int type) {
  uint16_t bits;
  float x;
  if (type == BANG_F32) {
    memcpy(&x, p, sizeof x);
    return x;
  }
  memcpy(&bits, p, sizeof bits);
  return type == BANG_F16 ? bang_half_to_float(bits) : bang_bfloat_to_float(bits);
}

/* x rounded to an integral value. */
static inline double bang_round_integral(double x, int mode) {
  double down = floor(x), up = ceil(x);
  switch (mode) {
    case BANG_TZ:
      return x < 0 ? up : down;
    case BANG_OZ:
      return x < 0 ? down : up;
    case BANG_UP:
      return up;
    case BANG_DN:
      return down;
    case BANG_RN:
      return nearbyint(x);
    default:
      break;
  }
  if (x - down != up - x) {
    return x - down < up - x ? down : up;
  }
  return mode == BANG_RM || x > 0 ? up : down;
}

/* Rounds x to a float format with `precision` bits, smallest normal number 2^min_exponent and
 * largest value (2 - 2^(1 - precision)) * 2^max_exponent. Argument and result are exact in double.
 */
static inline double bang_round_format(double x, int precision, int min_exponent, int max_exponent,
                                       int mode) {
  if (x == 0 || !isfinite(x)) {
    return x;
  }
  int exponent;
  frexp(x, &exponent); /* |x| in [2^(exponent-1), 2^exponent) */
  int unit = (exponent - 1 < min_exponent ? min_exponent : exponent - 1) - (precision - 1);
  double rounded = copysign(ldexp(bang_round_integral(ldexp(x, -unit), mode), unit), x);
  double largest = ldexp(2.0 - ldexp(1.0, 1 - precision), max_exponent);
  if (fabs(rounded) <= largest) {
    return rounded;
  }
  int toward_zero = mode == BANG_TZ || (mode == BANG_DN && x > 0) || (mode == BANG_UP && x < 0);
  return copysign(toward_zero ? largest : INFINITY, x);
}
static inline double bang_round_half(double x, int mode) {
  return bang_round_format(x, 11, -14, 15, mode);
}
static inline double bang_round_bfloat(double x, int mode) {
  return bang_round_format(x, 8, -126, 127, mode);
}
static inline double bang_round_float(double x, int mode) {
  return bang_round_format(x, 24, -126, 127, mode);
}

/* Bits of a value that the format represents exactly. */
static inline uint16_t bang_exact_half_bits(double x) {
  uint32_t bits = bang_float_bits((float)x);
  uint32_t magnitude = bits & 0x7fffffffu, sign = (bits >> 16) & 0x8000u;
  if (magnitude > 0x7f800000u) {
    return (uint16_t)(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  }
  if (magnitude == 0x7f800000u) {
    return (uint16_t)(sign | 0x7c00u);
  }
  if (magnitude < 0x38800000u) {
    return (uint16_t)(sign | (uint32_t)(fabs(x) * 0x1p24));
  }
  return (uint16_t)(sign | ((magnitude >> 13) - (112u << 10)));
}
static inline uint16_t bang_exact_bfloat_bits(double x) {
  uint32_t bits = bang_float_bits((float)x);
  return (uint16_t)((bits >> 16) | ((bits & 0x7fffffffu) > 0x7f800000u ? 0x40u : 0));
}
static inline uint16_t bang_float_to_half(float x) {
  return bang_exact_half_bits(bang_round_half(x, BANG_RN));
}
static inline uint16_t bang_float_to_bfloat(float x) {
  return bang_exact_bfloat_bits(bang_round_bfloat(x, BANG_RN));
}

#endif /* BANG_CPU_VECTOR_SCALAR_FLOAT_H_ */
