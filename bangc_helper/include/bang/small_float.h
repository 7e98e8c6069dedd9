/* SPDX-License-Identifier: MIT
 *
 * 16-bit floats as classes: their bits and operators. Host compilers read this file too, so it
 * keeps to C++11.
 */
#ifndef BANG_SMALL_FLOAT_H_
#define BANG_SMALL_FLOAT_H_

#include <stdint.h>
#include <string.h>

#include <limits>
#include <type_traits>

#include "bang/inline.h"

namespace bang_impl {

BANG_BOTH uint32_t bits_of(float x) {
#ifdef __CUDA_ARCH__
  return __float_as_uint(x);
#else
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
#endif
}
BANG_BOTH float float_of(uint32_t bits) {
#ifdef __CUDA_ARCH__
  return __uint_as_float(bits);
#else
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
#endif
}

/* Rounds to nearest, ties to even; NaN bits match the CPU's. Without branches, so that compilers
 * make vectors of it. */
BANG_BOTH uint16_t half_bits_of(float x) {
  const uint32_t bits = bits_of(x), magnitude = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
#ifdef __CUDA_ARCH__
  if (magnitude > 0x7f800000u) return (uint16_t)(sign | 0x7e00u | (magnitude >> 13 & 0x3ffu));
  uint16_t result;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(x));
  return result;
#else
  const uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
  const uint32_t normal = (rounded >> 13) - (112u << 10);
  /* Adding 0.5 rounds to units of 2^-24. */
  const uint32_t subnormal = bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f);
  const uint32_t nan = 0x7e00u | (magnitude >> 13 & 0x3ffu);
  uint32_t half = magnitude < 0x38800000u ? subnormal : normal;
  half = magnitude >= 0x477ff000u ? 0x7c00u : half;
  half = magnitude > 0x7f800000u ? nan : half;
  return (uint16_t)(sign | half);
#endif
}
BANG_BOTH float float_of_half(uint16_t h) {
#ifdef __CUDA_ARCH__
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(h));
  return result;
#else
  /* The exponent of a subnormal half is 1 without the hidden bit, which is subtracted. No step has
   * a subnormal float, with which arithmetic can take a hundred times as long. Masks instead of
   * conditions make the best vectors. */
  const uint32_t shifted = static_cast<uint32_t>(static_cast<int16_t>(h)) << 13;
  const uint32_t magnitude = shifted & 0x0fffe000u, more_exponent = 112u << 23;
  const uint32_t if_subnormal = 0u - static_cast<uint32_t>(magnitude < 0x0400u << 13);
  const uint32_t if_infinite = 0u - static_cast<uint32_t>(magnitude >= 0x7c00u << 13);
  const uint32_t bits =
      magnitude + more_exponent + (if_infinite & more_exponent) + (if_subnormal & 1u << 23);
  const float value = float_of(bits) - float_of(if_subnormal & 113u << 23);
  return float_of(bits_of(value) | (shifted & 0x80000000u));
#endif
}
BANG_BOTH uint16_t bfloat_bits_of(float x) {
  uint32_t bits = bits_of(x);
  const uint16_t nan = (uint16_t)(bits >> 16 | 0x40u);
#ifdef __CUDA_ARCH__
  uint16_t rounded;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(rounded) : "f"(x));
#else
  const uint16_t rounded = (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
#endif
  return (bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded;
}
BANG_BOTH float float_of_bfloat(uint16_t b) {
  return float_of((uint32_t)b << 16);
}

/* Enabled when T is the class itself; enabled when T is any other type that converts to float. */
template <class T, class Small>
struct same_number : std::enable_if<std::is_same<T, Small>::value> {};
template <class T, class Small>
struct other_number
    : std::enable_if<std::is_convertible<T, float>::value && !std::is_same<T, Small>::value> {};

}  // namespace bang_impl

/* A 16-bit float. Arithmetic happens in float, and storing the result rounds once. Two operands of
 * the same 16-bit type, or one and an integer, give that type again. The members for volatile
 * objects are templates: plain functions would replace the implicit copy operations, and the class
 * would not be trivial. */
#define BANG_SMALL_FLOAT(name, narrow, widen)                                              \
  struct name {                                                                            \
    uint16_t value;                                                                        \
                                                                                           \
    name() = default;                                                                      \
    template <class T, class = typename bang_impl::other_number<T, name>::type>            \
    BANG_BOTH name(T number) : value(bang_impl::narrow(static_cast<float>(number))) {}     \
    template <class T, class = typename bang_impl::same_number<T, name>::type>             \
    BANG_BOTH name(const volatile T &x) : value(x.value) {}                                \
    struct Raw {};                                                                         \
    constexpr name(Raw, uint16_t bits) : value(bits) {}                                    \
    static constexpr name from_bits(unsigned bits) {                                       \
      return name(Raw(), static_cast<uint16_t>(bits));                                     \
    }                                                                                      \
    template <class T, class = typename bang_impl::same_number<T, name>::type>             \
    BANG_BOTH name &operator=(const volatile T &x) {                                       \
      value = x.value;                                                                     \
      return *this;                                                                        \
    }                                                                                      \
    template <class T, typename bang_impl::other_number<T, name>::type * = nullptr>        \
    BANG_BOTH name &operator=(T number) {                                                  \
      return *this = name(number);                                                         \
    }                                                                                      \
    template <class T,                                                                     \
              class = typename std::enable_if<std::is_convertible<T, float>::value>::type> \
    BANG_BOTH name operator=(T number) volatile {                                          \
      const name x(number);                                                                \
      value = x.value;                                                                     \
      return x;                                                                            \
    }                                                                                      \
    BANG_BOTH operator float() const { return bang_impl::widen(value); }                   \
    BANG_BOTH operator float() const volatile { return bang_impl::widen(value); }          \
    BANG_BOTH name operator+() const { return *this; }                                     \
    BANG_BOTH name operator-() const { return from_bits(value ^ 0x8000u); }                \
    BANG_BOTH name &operator+=(float x) { return *this = name(float(*this) + x); }         \
    BANG_BOTH name operator+=(float x) volatile { return *this = name(float(*this) + x); } \
    BANG_BOTH name &operator-=(float x) { return *this = name(float(*this) - x); }         \
    BANG_BOTH name operator-=(float x) volatile { return *this = name(float(*this) - x); } \
    BANG_BOTH name &operator*=(float x) { return *this = name(float(*this) * x); }         \
    BANG_BOTH name operator*=(float x) volatile { return *this = name(float(*this) * x); } \
    BANG_BOTH name &operator/=(float x) { return *this = name(float(*this) / x); }         \
    BANG_BOTH name operator/=(float x) volatile { return *this = name(float(*this) / x); } \
    BANG_BOTH name &operator++() { return *this += 1.0f; }                                 \
    BANG_BOTH name &operator--() { return *this -= 1.0f; }                                 \
    BANG_BOTH name operator++(int) {                                                       \
      name old = *this;                                                                    \
      ++*this;                                                                             \
      return old;                                                                          \
    }                                                                                      \
    BANG_BOTH name operator--(int) {                                                       \
      name old = *this;                                                                    \
      --*this;                                                                             \
      return old;                                                                          \
    }                                                                                      \
  };                                                                                       \
  static_assert(sizeof(name) == 2 && std::is_trivial<name>::value, "plain data");

/* std::numeric_limits of such a class, given as bit patterns. */
#define BANG_SMALL_LIMITS(name, bits, decimals, least_exponent, most_exponent, least_decimal, \
                          most_decimal, min_bits, max_bits, lowest_bits, eps_bits, inf_bits,  \
                          nan_bits, half_bits)                                                \
  template <>                                                                                 \
  struct numeric_limits<name> {                                                               \
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false,        \
                          is_exact = false;                                                   \
    static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = true,        \
                          is_bounded = true;                                                  \
    static constexpr int digits = bits, digits10 = decimals, max_digits10 = decimals + 2,     \
                         radix = 2;                                                           \
    static constexpr int min_exponent = least_exponent, max_exponent = most_exponent;         \
    static constexpr int min_exponent10 = least_decimal, max_exponent10 = most_decimal;       \
    static constexpr name min() noexcept { return name::from_bits(min_bits); }                \
    static constexpr name max() noexcept { return name::from_bits(max_bits); }                \
    static constexpr name lowest() noexcept { return name::from_bits(lowest_bits); }          \
    static constexpr name epsilon() noexcept { return name::from_bits(eps_bits); }            \
    static constexpr name infinity() noexcept { return name::from_bits(inf_bits); }           \
    static constexpr name quiet_NaN() noexcept { return name::from_bits(nan_bits); }          \
    static constexpr name denorm_min() noexcept { return name::from_bits(1); }                \
    static constexpr name round_error() noexcept { return name::from_bits(half_bits); }       \
  };

#endif /* BANG_SMALL_FLOAT_H_ */
