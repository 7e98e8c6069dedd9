/* SPDX-License-Identifier: MIT
 *
 * Types and enumerations of BANG C: half, bfloat16_t, copy directions, fusion codes, sizes of the
 * memories.
 */
#ifndef BANG_TYPES_H_
#define BANG_TYPES_H_

#include <stdint.h>
#include <string.h>

#include <limits>
#include <type_traits>

#include "bang/enums.h"

#if defined(__clang__)
typedef __fp16 half;
#else
typedef _Float16 half;
#endif
typedef int8_t int8;
typedef int8_t fix8;
typedef int16_t int16;

/* Host-only functions may be marked; nothing to do here, where host and device code are one. */
#define __mlu_host__

/* Brain floating point: the upper half of a float. Arithmetic happens in float through the
 * conversions; storing the result back rounds to nearest even, once. Trivial, so that it may live
 * in on-chip arrays. */
struct bfloat16_t {
  uint16_t value;

  bfloat16_t() = default;
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value ||
                                                     std::is_same<T, half>::value>::type>
  bfloat16_t(T number) : value(round_float(static_cast<float>(number))) {}

  operator float() const {
    uint32_t bits = static_cast<uint32_t>(value) << 16;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
  }

  bfloat16_t operator+() const { return *this; }
  bfloat16_t operator-() const { return from_bits(value ^ 0x8000u); }
  bfloat16_t &operator+=(float x) { return *this = bfloat16_t(float(*this) + x); }
  bfloat16_t &operator-=(float x) { return *this = bfloat16_t(float(*this) - x); }
  bfloat16_t &operator*=(float x) { return *this = bfloat16_t(float(*this) * x); }
  bfloat16_t &operator/=(float x) { return *this = bfloat16_t(float(*this) / x); }
  bfloat16_t &operator++() { return *this += 1.0f; }
  bfloat16_t &operator--() { return *this -= 1.0f; }
  bfloat16_t operator++(int) {
    bfloat16_t old = *this;
    ++*this;
    return old;
  }
  bfloat16_t operator--(int) {
    bfloat16_t old = *this;
    --*this;
    return old;
  }

  static bfloat16_t from_bits(unsigned bits) {
    bfloat16_t number;
    number.value = static_cast<uint16_t>(bits);
    return number;
  }

 private:
  static uint16_t round_float(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
      return static_cast<uint16_t>((bits >> 16) |
                                   0x40u); /* a NaN stays one when its payload is cut */
    }
    return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
  }
};
static_assert(sizeof(bfloat16_t) == 2 && std::is_trivial<bfloat16_t>::value,
              "bfloat16_t is plain data");

namespace std {

/* What the library lacks for the two 16-bit formats. */
template <>
struct numeric_limits<half> {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false,
                        is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = true,
                        is_bounded = true;
  static constexpr int digits = 11, digits10 = 3, max_digits10 = 5, radix = 2;
  static constexpr int min_exponent = -13, max_exponent = 16, min_exponent10 = -4,
                       max_exponent10 = 4;
  static constexpr half min() noexcept { return static_cast<half>(6.103515625e-05f); }
  static constexpr half max() noexcept { return static_cast<half>(65504.0f); }
  static constexpr half lowest() noexcept { return static_cast<half>(-65504.0f); }
  static constexpr half epsilon() noexcept { return static_cast<half>(9.765625e-04f); }
  static constexpr half round_error() noexcept { return static_cast<half>(0.5f); }
  static constexpr half denorm_min() noexcept { return static_cast<half>(5.9604644775390625e-08f); }
  static constexpr half infinity() noexcept { return static_cast<half>(__builtin_huge_valf()); }
  static constexpr half quiet_NaN() noexcept { return static_cast<half>(__builtin_nanf("")); }
};

template <>
struct numeric_limits<bfloat16_t> {
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false,
                        is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = true,
                        is_bounded = true;
  static constexpr int digits = 8, digits10 = 2, max_digits10 = 4, radix = 2;
  static constexpr int min_exponent = -125, max_exponent = 128, min_exponent10 = -37,
                       max_exponent10 = 38;
  static bfloat16_t min() noexcept { return bfloat16_t::from_bits(0x0080); }
  static bfloat16_t max() noexcept { return bfloat16_t::from_bits(0x7f7f); }
  static bfloat16_t lowest() noexcept { return bfloat16_t::from_bits(0xff7f); }
  static bfloat16_t epsilon() noexcept { return bfloat16_t::from_bits(0x3c00); }
  static bfloat16_t round_error() noexcept { return bfloat16_t::from_bits(0x3f00); }
  static bfloat16_t denorm_min() noexcept { return bfloat16_t::from_bits(0x0001); }
  static bfloat16_t infinity() noexcept { return bfloat16_t::from_bits(0x7f80); }
  static bfloat16_t quiet_NaN() noexcept { return bfloat16_t::from_bits(0x7fc0); }
};

}  // namespace std

#endif /* BANG_TYPES_H_ */
