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

#include "bang/bfloat16.h"
#include "bang/enums.h"
#include "bang/qualifiers.h"
#include "bang/small_float.h"

/* g++ has _Float16 since version 13, on x86-64 since 12. */
#if defined(__clang__) || (defined(__aarch64__) && __GNUC__ < 13)
typedef __fp16 half;
#else
typedef _Float16 half;
#endif

namespace bang_impl {

/* Conversions that compilers make vectors of. On x86-64 a cast is a call, unless the compiler may
 * use the instruction, and there are no vectors of half: a half is read as bits. */
#if defined(__x86_64__) && !defined(__F16C__)
struct half_operand {
  uint16_t bits;
  half_operand(const half &x) { memcpy(&bits, &x, sizeof bits); }
  half_operand(const volatile half &x) : half_operand(static_cast<half>(x)) {}
};
BANG_BOTH float float_of_number(half_operand x) {
  return float_of_half(x.bits);
}
BANG_BOTH half half_of_number(float x) {
  const uint16_t bits = half_bits_of(x);
  half y;
  memcpy(&y, &bits, sizeof y);
  return y;
}
#else
typedef half half_operand;
BANG_BOTH float float_of_number(half x) {
  return static_cast<float>(x);
}
BANG_BOTH half half_of_number(float x) {
  return static_cast<half>(x);
}
#endif

}  // namespace bang_impl

typedef int8_t int8;
typedef int8_t fix8;
typedef int16_t int16;
/* Two 4-bit integers. */
struct int4x2_t {
  unsigned char value;
};

struct uint3 {
  unsigned int x, y, z;
};
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_count = 1, unsigned int y_count = 1, unsigned int z_count = 1)
      : x(x_count), y(y_count), z(z_count) {}
  constexpr dim3(uint3 counts) : x(counts.x), y(counts.y), z(counts.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

namespace std {

/* Specializations that the standard library lacks. */
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

}  // namespace std

#endif /* BANG_TYPES_H_ */
