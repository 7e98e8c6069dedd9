/* SPDX-License-Identifier: MIT
 *
 * Conversions of elements in every rounding mode. Float to integer saturates and NaN becomes 0;
 * integer to integer saturates. The most frequent pairs have instructions; the others go through an
 * exact double.
 */
#ifndef BANG_ROUNDING_H_
#define BANG_ROUNDING_H_

#include "bang/element.h"

namespace bang_impl {

BANG_INLINE double round_integral(double x, int mode) {
  switch (mode) {
    case BANG_TZ:
      return trunc(x);
    case BANG_OZ:
      return x < 0 ? floor(x) : ceil(x);
    case BANG_UP:
      return ceil(x);
    case BANG_DN:
      return floor(x);
    case BANG_RN:
      return rint(x);
    case BANG_RD:
      return round(x);
    default: {
      double down = floor(x), up = ceil(x);
      return x - down < up - x ? down : up;
    }
  }
}

/* Rounds x to a float format with `precision` bits, smallest normal number 2^min_exponent and
 * largest value (2 - 2^(1 - precision)) * 2^max_exponent. */
BANG_CALLED double round_to_format(double x, int precision, int min_exponent, int max_exponent,
                                   int mode) {
  if (x == 0 || !(fabs(x) < __longlong_as_double(0x7ff0000000000000ll))) return x;
  int exponent = ilogb(x);
  int unit = (exponent < min_exponent ? min_exponent : exponent) - (precision - 1);
  double rounded = copysign(ldexp(round_integral(ldexp(x, -unit), mode), unit), x);
  double largest = ldexp(2.0 - ldexp(1.0, 1 - precision), max_exponent);
  if (fabs(rounded) <= largest) return rounded;
  bool toward_zero = mode == BANG_TZ || (mode == BANG_DN && x > 0) || (mode == BANG_UP && x < 0);
  return copysign(toward_zero ? largest : __longlong_as_double(0x7ff0000000000000ll), x);
}

/* a + b of floats, rounded to odd in double: enough bits for one correct rounding afterwards. */
BANG_INLINE double odd_sum(double a, double b) {
  double sum = __dadd_rz(a, b);
  bool inexact = __dadd_ru(a, b) != __dadd_rd(a, b);
  if (!inexact || !(fabs(sum) < __longlong_as_double(0x7ff0000000000000ll))) return a + b;
  return __longlong_as_double(__double_as_longlong(sum) | 1);
}

template <class Integer>
BANG_INLINE double exact_double(Integer x) {
  if constexpr (sizeof(Integer) < 8) {
    return (double)x;
  } else { /* rounded to odd, so that a later rounding is still correct */
    double near = std::is_signed<Integer>::value ? __ll2double_rz((long long)x)
                                                 : __ull2double_rz((unsigned long long)x);
    double up = std::is_signed<Integer>::value ? __ll2double_ru((long long)x)
                                               : __ull2double_ru((unsigned long long)x);
    double down = std::is_signed<Integer>::value ? __ll2double_rd((long long)x)
                                                 : __ull2double_rd((unsigned long long)x);
    return up == down ? near : __longlong_as_double(__double_as_longlong(near) | 1);
  }
}

/* Converts a number that double represents exactly, or rounded to odd, to an element. */
template <class D>
BANG_INLINE D from_exact(double x, int mode) {
  if constexpr (std::is_same<D, float>::value) {
    return mode == BANG_RN ? (float)x : (float)round_to_format(x, 24, -126, 127, mode);
  } else if constexpr (std::is_same<D, half>::value) {
    return half((float)round_to_format(x, 11, -14, 15, mode));
  } else if constexpr (std::is_same<D, bfloat16_t>::value) {
    return bfloat16_t((float)round_to_format(x, 8, -126, 127, mode));
  } else {
    const D low = std::numeric_limits<D>::lowest(), high = std::numeric_limits<D>::max();
    x = x != x ? 0.0 : round_integral(x, mode);
    return x <= (double)low ? low : x >= (double)high ? high : (D)x;
  }
}

template <class D, class S>
BANG_INLINE D saturated(S x) {
  const D low = std::numeric_limits<D>::lowest(), high = std::numeric_limits<D>::max();
  if (std::is_signed<S>::value && x < 0) {
    if (!std::is_signed<D>::value) return 0;
    return (int64_t)x < (int64_t)low ? low : (D)x;
  }
  return (uint64_t)x > (uint64_t)high ? high : (D)x;
}

/* True if a few instructions convert, without a shift. */
template <class D, class S>
constexpr bool has_plain_conversion(int mode) {
  constexpr bool from_float = in_set(element<S>::code, BANG_SET_FLOAT);
  constexpr bool to_float = in_set(element<D>::code, BANG_SET_FLOAT);
  constexpr bool is_to_float = std::is_same<D, float>::value;
  if (from_float && to_float) return is_to_float || mode == BANG_RN;
  if (!from_float && !to_float) return true;
  if (from_float) {
    return (std::is_same<D, int32_t>::value || std::is_same<D, int64_t>::value) &&
           (mode == BANG_TZ || mode == BANG_RN || mode == BANG_UP || mode == BANG_DN);
  }
  if (!is_to_float || sizeof(S) > 4) return false;
  return sizeof(S) < 4 || mode == BANG_RN || (mode == BANG_TZ && std::is_same<S, int32_t>::value);
}
template <int mode, class D, class S>
BANG_INLINE D plain_conversion(S x) {
  constexpr bool from_float = in_set(element<S>::code, BANG_SET_FLOAT);
  constexpr bool to_float = in_set(element<D>::code, BANG_SET_FLOAT);
  if constexpr (from_float && to_float) {
    return D(float(x));
  } else if constexpr (!from_float && !to_float) {
    return saturated<D, S>(x);
  } else if constexpr (std::is_same<D, int32_t>::value) {
    const float value = float(x);
    return mode == BANG_TZ   ? __float2int_rz(value)
           : mode == BANG_RN ? __float2int_rn(value)
           : mode == BANG_UP ? __float2int_ru(value)
                             : __float2int_rd(value);
  } else if constexpr (std::is_same<D, int64_t>::value) { /* the instruction does not define NaN */
    const float value = float(x);
    const int64_t rounded = mode == BANG_TZ   ? __float2ll_rz(value)
                            : mode == BANG_RN ? __float2ll_rn(value)
                            : mode == BANG_UP ? __float2ll_ru(value)
                                              : __float2ll_rd(value);
    return value != value ? 0 : rounded;
  } else if constexpr (mode == BANG_TZ && sizeof(S) == 4) {
    return __int2float_rz((int)x);
  } else {
    return (float)x;
  }
}

template <class D, class S>
BANG_INLINE D convert_element(S x, int shift, int mode) {
  constexpr bool from_float = in_set(element<S>::code, BANG_SET_FLOAT);
  if (shift == 0) {
    if constexpr (has_plain_conversion<D, S>(BANG_OZ)) return plain_conversion<BANG_OZ, D, S>(x);
    if constexpr (has_plain_conversion<D, S>(BANG_TZ)) {
      if (mode == BANG_TZ) return plain_conversion<BANG_TZ, D, S>(x);
    }
    if constexpr (has_plain_conversion<D, S>(BANG_RN)) {
      if (mode == BANG_RN) return plain_conversion<BANG_RN, D, S>(x);
    }
    if constexpr (has_plain_conversion<D, S>(BANG_UP)) {
      if (mode == BANG_UP) return plain_conversion<BANG_UP, D, S>(x);
    }
    if constexpr (has_plain_conversion<D, S>(BANG_DN)) {
      if (mode == BANG_DN) return plain_conversion<BANG_DN, D, S>(x);
    }
  }
  double exact;
  if constexpr (from_float) {
    exact = float(x);
  } else {
    exact = exact_double(x);
  }
  if (shift != 0) exact = ldexp(exact, shift > 300 ? 300 : shift < -300 ? -300 : shift);
  return from_exact<D>(exact, mode);
}

}  // namespace bang_impl

#endif /* BANG_ROUNDING_H_ */
