/* SPDX-License-Identifier: MIT
 *
 * Conversions that clang 14 and older call for __fp16 on x86-64. libgcc lacks two of these names,
 * and its versions of the others return the result in a different register. So every translation
 * unit has its own copies, with internal linkage.
 */
#ifndef BANG_CLANG_HALF_H_
#define BANG_CLANG_HALF_H_

#if defined(__clang__) && defined(__x86_64__) && __clang_major__ < 15

#include <stdint.h>
#include <string.h>

/* Rounds to half, to nearest even; a double has every bit of the callers' values that matters. */
static inline uint16_t __bang_half_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  const uint16_t sign = (uint16_t)(bits >> 48 & 0x8000u);
  const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  uint64_t fraction = bits & 0xfffffffffffffull;
  if (exponent == 1024) { /* infinity, or a quiet NaN */
    return (uint16_t)(sign | 0x7c00u | (fraction ? 0x200u | (unsigned)(fraction >> 42) : 0u));
  }
  if (exponent > 15) return (uint16_t)(sign | 0x7c00u);
  if (exponent < -25) return sign;
  fraction |= 0x10000000000000ull;
  /* A normal number keeps 10 bits; below 2^-14 fewer remain. */
  const int drop = exponent >= -14 ? 42 : 42 + (-14 - exponent);
  uint64_t kept = fraction >> drop;
  const uint64_t rest = fraction & ((1ull << drop) - 1);
  const uint64_t half = 1ull << (drop - 1);
  if (rest > half || (rest == half && (kept & 1))) ++kept;
  /* The leading bit of a normal number carries into the exponent, and so does rounding up. */
  const unsigned biased = exponent >= -14 ? (unsigned)(exponent + 14) : 0u;
  return (uint16_t)(sign | ((biased << 10) + (unsigned)kept));
}

static uint16_t __bang_f2h(float value) __asm__("__gnu_f2h_ieee") __attribute__((used));
static uint16_t __bang_f2h(float value) {
  return __bang_half_of_double(value);
}

static uint16_t __bang_d2h(double value) __asm__("__truncdfhf2") __attribute__((used));
static uint16_t __bang_d2h(double value) {
  return __bang_half_of_double(value);
}

/* Rounding to odd first makes the second rounding correct. */
static uint16_t __bang_x2h(long double value) __asm__("__truncxfhf2") __attribute__((used));
static uint16_t __bang_x2h(long double value) {
  double near = (double)value;
  if ((long double)near != value && value == value) {
    uint64_t bits;
    memcpy(&bits, &near, sizeof(bits));
    const bool away = (long double)near > value ? value > 0 : value < 0;
    if (away) --bits;
    bits |= 1;
    memcpy(&near, &bits, sizeof(bits));
  }
  return __bang_half_of_double(near);
}

static float __bang_h2f(uint16_t bits) __asm__("__gnu_h2f_ieee") __attribute__((used));
static float __bang_h2f(uint16_t bits) {
  const uint32_t sign = (uint32_t)(bits & 0x8000u) << 16;
  const uint32_t magnitude = bits & 0x7fffu;
  uint32_t word;
  float value;
  if (magnitude >= 0x7c00u) {
    word = sign | 0x7f800000u | (magnitude & 0x3ffu) << 13 | (magnitude > 0x7c00u ? 0x400000u : 0u);
  } else if (magnitude >= 0x400u) {
    word = sign | ((magnitude << 13) + (112u << 23));
  } else {
    value = (float)magnitude * 0x1p-24f;
    memcpy(&word, &value, sizeof(word));
    word |= sign;
  }
  memcpy(&value, &word, sizeof(value));
  return value;
}

#endif
#endif /* BANG_CLANG_HALF_H_ */
