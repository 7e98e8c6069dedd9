/* SPDX-License-Identifier: MIT
 *
 * The device library's arithmetic with a rounding direction: add, sub, mul, div and rcp of float
 * and half, to nearest even (rn), toward zero (tz), up and down (dn).
 */
#ifndef BANG_LIBDEVICE_ROUND_H_
#define BANG_LIBDEVICE_ROUND_H_

#include <cmath>

#include "bang/element.h"
#include "bang/inline.h"

namespace bang_impl {

/* An exact result as the nearest double plus the sign of the remainder. */
struct nearly {
  double value;
  double rest;
};

BANG_INLINE nearly nearly_sum(double a, double b) {
  double sum = a + b, part = sum - a;
  return {sum, std::isfinite(sum) ? (a - (sum - part)) + (b - part) : 0};
}
/* Exact: the product of two float significands fits a double. */
BANG_INLINE nearly nearly_product(double a, double b) {
  return {a * b, 0};
}
/* A quotient of two floats is a float, or rounds to a double strictly between two floats. */
BANG_INLINE nearly nearly_quotient(double a, double b) {
  return {a / b, 0};
}

/* The next representable number above or below: one step of the bit pattern. */
template <class T, class Bits>
BANG_INLINE T step(T number, bool upwards) {
  const Bits sign = static_cast<Bits>(static_cast<Bits>(1) << (8 * sizeof(Bits) - 1));
  Bits bits;
  memcpy(&bits, &number, sizeof bits);
  bool negative = (bits & sign) != 0;
  if ((bits & static_cast<Bits>(~sign)) == 0) {
    bits = upwards ? 1 : static_cast<Bits>(sign | 1);
  } else {
    bits = static_cast<Bits>(negative == upwards ? bits - 1 : bits + 1);
  }
  memcpy(&number, &bits, sizeof bits);
  return number;
}

template <class T, class Bits>
BANG_INLINE T toward(const nearly &exact, int mode) {
  T nearest = static_cast<T>(exact.value);
  double got = static_cast<double>(nearest);
  if (mode == BANG_RN || std::isnan(exact.value) || std::isinf(exact.value)) {
    return nearest;
  }
  bool too_small = got < exact.value || (got == exact.value && exact.rest > 0);
  bool too_large = got > exact.value || (got == exact.value && exact.rest < 0);
  bool upwards = mode == BANG_UP || (mode == BANG_TZ && exact.value < 0);
  if (upwards ? too_small : too_large) {
    return step<T, Bits>(nearest, upwards);
  }
  return nearest;
}

}  // namespace bang_impl

#define BANG_CN_ROUND(name, suffix, mode, type, bits, expression)                      \
  BANG_ON_CALL type __cn_scalar_##name##_##suffix(type x, type y) {                    \
    return bang_impl::toward<type, bits>(                                              \
        bang_impl::expression(static_cast<double>(x), static_cast<double>(y)), mode);  \
  }                                                                                    \
  BANG_ON_CALL void __cn_vector_##name##_##suffix(int64_t n, type *dst, const type *a, \
                                                  const type *b) {                     \
    for (int64_t i = 0; i < n; i++) {                                                  \
      dst[i] = __cn_scalar_##name##_##suffix(a[i], b[i]);                              \
    }                                                                                  \
  }
#define BANG_CN_DIRECTED(name, expression)                          \
  BANG_CN_ROUND(name, f32_dn, BANG_DN, float, uint32_t, expression) \
  BANG_CN_ROUND(name, f32_up, BANG_UP, float, uint32_t, expression) \
  BANG_CN_ROUND(name, f32_tz, BANG_TZ, float, uint32_t, expression) \
  BANG_CN_ROUND(name, f16_dn, BANG_DN, half, uint16_t, expression)  \
  BANG_CN_ROUND(name, f16_up, BANG_UP, half, uint16_t, expression)  \
  BANG_CN_ROUND(name, f16_tz, BANG_TZ, half, uint16_t, expression)
BANG_CN_DIRECTED(add, nearly_sum)
BANG_CN_DIRECTED(mul, nearly_product)
BANG_CN_DIRECTED(div, nearly_quotient)
#undef BANG_CN_DIRECTED
#undef BANG_CN_ROUND

/* Derived operations: x - y = x + (-y), and 1 / x. */
#define BANG_CN_SUB(suffix, type)                                                                  \
  BANG_ON_CALL type __cn_scalar_sub_##suffix(type x, type y) {                                     \
    return __cn_scalar_add_##suffix(x, static_cast<type>(-y));                                     \
  }                                                                                                \
  BANG_ON_CALL void __cn_vector_sub_##suffix(int64_t n, type *dst, const type *a, const type *b) { \
    for (int64_t i = 0; i < n; i++) {                                                              \
      dst[i] = __cn_scalar_sub_##suffix(a[i], b[i]);                                               \
    }                                                                                              \
  }
#define BANG_CN_RCP(suffix, type)                                                     \
  BANG_ON_CALL type __cn_scalar_rcp_##suffix(type x) {                                \
    return __cn_scalar_div_##suffix(static_cast<type>(1), x);                         \
  }                                                                                   \
  BANG_ON_CALL void __cn_vector_rcp_##suffix(int64_t n, type *dst, const type *src) { \
    for (int64_t i = 0; i < n; i++) {                                                 \
      dst[i] = __cn_scalar_rcp_##suffix(src[i]);                                      \
    }                                                                                 \
  }
BANG_CN_SUB(f32_dn, float)
BANG_CN_SUB(f32_up, float)
BANG_CN_SUB(f32_tz, float)
BANG_CN_SUB(f16_dn, half)
BANG_CN_SUB(f16_up, half)
BANG_CN_SUB(f16_tz, half)
BANG_CN_RCP(f32_dn, float)
BANG_CN_RCP(f32_up, float)
BANG_CN_RCP(f32_tz, float)
BANG_CN_RCP(f32_rn, float)
BANG_CN_RCP(f16_dn, half)
BANG_CN_RCP(f16_up, half)
BANG_CN_RCP(f16_tz, half)
BANG_CN_RCP(f16_rn, half)
#undef BANG_CN_SUB
#undef BANG_CN_RCP

#endif /* BANG_LIBDEVICE_ROUND_H_ */
