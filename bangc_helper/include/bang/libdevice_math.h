/* SPDX-License-Identifier: MIT
 *
 * The device library's elementary functions that no vector unit computes, and its integer
 * arithmetic.
 */
#ifndef BANG_LIBDEVICE_MATH_H_
#define BANG_LIBDEVICE_MATH_H_

#include <cmath>

#include "bang/element.h"
#include "bang/inline.h"
#include "bang/libdevice.h"

namespace bang_impl {

/* One step of Halley's method for erf; `error` is the wanted value minus erf(x). */
BANG_INLINE double refine_inverse(double x, double error) {
  double delta = error / (1.12837916709551257390 * std::exp(-x * x));
  return x + delta / (1 - x * delta);
}

/* Returns x with erf(x) = y. The first guess is good to two digits. */
BANG_INLINE double inverse_erf(double y) {
  if (!(y > -1 && y < 1)) {
    return y == 1 ? HUGE_VAL : y == -1 ? -HUGE_VAL : NAN;
  }
  double rest = std::log1p(-y * y);
  double a = 2 / (3.14159265358979323846 * 0.147) + rest / 2;
  double x = std::sqrt(std::sqrt(a * a - rest / 0.147) - a);
  for (int round = 0; round < 3; round++) {
    double size = std::fabs(y); /* near 1, 1 - size keeps the digits that size has lost */
    x = refine_inverse(x, size > 0.5 ? std::erfc(x) - (1 - size) : size - std::erf(x));
  }
  return std::copysign(x, y);
}

/* Returns x with erfc(x) = y, for y in [0, 2]. Small y (the tail) need another first guess. */
BANG_INLINE double inverse_erfc(double y) {
  if (!(y > 0 && y < 2)) {
    return y == 0 ? HUGE_VAL : y == 2 ? -HUGE_VAL : NAN;
  }
  if (y > 0.01) {
    return inverse_erf(1 - y);
  }
  double t = std::sqrt(-2 * std::log(y / 2));
  double x = (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                      (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))) /
             1.41421356237309504880;
  for (int round = 0; round < 3; round++) {
    x = refine_inverse(x, std::erfc(x) - y);
  }
  return x;
}

BANG_INLINE float erfinv_float(float y) {
  return static_cast<float>(inverse_erf(y));
}
BANG_INLINE float erfcinv_float(float y) {
  return static_cast<float>(inverse_erfc(y));
}
BANG_INLINE float exp10_float(float x) {
  return static_cast<float>(std::pow(10.0, static_cast<double>(x)));
}

}  // namespace bang_impl

/* ---- one argument ---- */

#define BANG_CN_EACH(name, type)                                                \
  BANG_ON_CALL void __cn_vector_##name(int64_t n, type *dst, const type *src) { \
    for (int64_t i = 0; i < n; i++) {                                           \
      dst[i] = __cn_scalar_##name(src[i]);                                      \
    }                                                                           \
  }
#define BANG_CN_EACH_FLOAT(name)  \
  BANG_CN_EACH(name##_f32, float) \
  BANG_CN_EACH(name##_f16, half)
BANG_CN_EACH_FLOAT(tan)
BANG_CN_EACH_FLOAT(sinh)
BANG_CN_EACH_FLOAT(cosh)
BANG_CN_EACH_FLOAT(asin)
BANG_CN_EACH_FLOAT(acos)
BANG_CN_EACH_FLOAT(atan)
BANG_CN_EACH_FLOAT(erf)

#define BANG_CN_FUNCTION(name, function)                       \
  BANG_ON_CALL float __cn_scalar_##name##_f32(float x) {       \
    return function(x);                                        \
  }                                                            \
  BANG_ON_CALL half __cn_scalar_##name##_f16(half x) {         \
    return static_cast<half>(function(static_cast<float>(x))); \
  }                                                            \
  BANG_CN_EACH_FLOAT(name)
BANG_CN_FUNCTION(erfinv, bang_impl::erfinv_float)
BANG_CN_FUNCTION(erfcinv, bang_impl::erfcinv_float)
BANG_CN_FUNCTION(exp10, bang_impl::exp10_float)
BANG_CN_FUNCTION(expm1, expm1f)
BANG_CN_FUNCTION(log1p, log1pf)
#undef BANG_CN_FUNCTION
#undef BANG_CN_EACH_FLOAT
#undef BANG_CN_EACH

/* Same as sqrt, which already rounds to nearest. */
BANG_ON_CALL void __cn_vector_accurate_sqrt_f32(int64_t n, float *dst, const float *src) {
  __cn_vector_sqrt_f32(n, dst, src);
}

/* Non-zero if true. */
BANG_ON_CALL short __cn_scalar_isinf_f16(half x) {
  return std::isinf(static_cast<float>(x));
}
BANG_ON_CALL short __cn_scalar_isnan_f16(half x) {
  return std::isnan(static_cast<float>(x));
}
#define BANG_CN_PREDICATE(name, type, result)                                     \
  BANG_ON_CALL void __cn_vector_##name(int64_t n, result *dst, const type *src) { \
    for (int64_t i = 0; i < n; i++) {                                             \
      dst[i] = __cn_scalar_##name(src[i]);                                        \
    }                                                                             \
  }
BANG_CN_PREDICATE(isinf_f32, float, int)
BANG_CN_PREDICATE(isnan_f32, float, int)
BANG_CN_PREDICATE(isinf_f16, half, short)
BANG_CN_PREDICATE(isnan_f16, half, short)
#undef BANG_CN_PREDICATE

/* ---- two arguments ---- */

BANG_ON_CALL float __cn_scalar_atan2_f32(float y, float x) {
  return atan2f(y, x);
}
BANG_ON_CALL half __cn_scalar_atan2_f16(half y, half x) {
  return static_cast<half>(atan2f(static_cast<float>(y), static_cast<float>(x)));
}
BANG_ON_CALL float __cn_scalar_scalbn_f32(float x, int exponent) {
  return scalbnf(x, exponent);
}
BANG_ON_CALL half __cn_scalar_scalbn_f16(half x, int exponent) {
  return static_cast<half>(scalbnf(static_cast<float>(x), exponent));
}

#define BANG_CN_INTEGER(name, type, expression)          \
  BANG_ON_CALL type __cn_scalar_##name(type x, type y) { \
    return expression;                                   \
  }
/* Sums and products wrap around. */
#define BANG_CN_WRAP(type, unsigned_type, op) \
  static_cast<type>(static_cast<unsigned_type>(x) op static_cast<unsigned_type>(y))
BANG_CN_INTEGER(add_u32, uint32_t, x + y)
BANG_CN_INTEGER(add_s32, int32_t, BANG_CN_WRAP(int32_t, uint32_t, +))
BANG_CN_INTEGER(add_u64, uint64_t, x + y)
BANG_CN_INTEGER(add_s64, int64_t, BANG_CN_WRAP(int64_t, uint64_t, +))
BANG_CN_INTEGER(sub_u32, uint32_t, x - y)
BANG_CN_INTEGER(sub_s32, int32_t, BANG_CN_WRAP(int32_t, uint32_t, -))
BANG_CN_INTEGER(mul_u32, uint32_t, x *y)
BANG_CN_INTEGER(mul_s32, int32_t, BANG_CN_WRAP(int32_t, uint32_t, *))
BANG_CN_INTEGER(div_u32, uint32_t, x / y)
BANG_CN_INTEGER(div_s32, int32_t, x / y)
BANG_CN_INTEGER(max_u32, uint32_t, x > y ? x : y)
BANG_CN_INTEGER(max_s32, int32_t, x > y ? x : y)
BANG_CN_INTEGER(max_u64, uint64_t, x > y ? x : y)
BANG_CN_INTEGER(max_s64, int64_t, x > y ? x : y)
BANG_CN_INTEGER(min_u32, uint32_t, x < y ? x : y)
BANG_CN_INTEGER(min_s32, int32_t, x < y ? x : y)
#undef BANG_CN_WRAP
#undef BANG_CN_INTEGER

#define BANG_CN_PAIRS(name, type, second)                                                      \
  BANG_ON_CALL void __cn_vector_##name(int64_t n, type *dst, const type *a, const second *b) { \
    for (int64_t i = 0; i < n; i++) {                                                          \
      dst[i] = __cn_scalar_##name(a[i], b[i]);                                                 \
    }                                                                                          \
  }
BANG_CN_PAIRS(atan2_f32, float, float)
BANG_CN_PAIRS(atan2_f16, half, half)
BANG_CN_PAIRS(scalbn_f32, float, int)
BANG_CN_PAIRS(scalbn_f16, half, int)
BANG_CN_PAIRS(hypot_f16, half, half)
BANG_CN_PAIRS(mod_f32, float, float)
BANG_CN_PAIRS(mod_f16, half, half)
BANG_CN_PAIRS(max_f32, float, float)
BANG_CN_PAIRS(max_f16, half, half)
BANG_CN_PAIRS(max_u32, uint32_t, uint32_t)
BANG_CN_PAIRS(max_s32, int32_t, int32_t)
BANG_CN_PAIRS(max_u64, uint64_t, uint64_t)
BANG_CN_PAIRS(max_s64, int64_t, int64_t)
BANG_CN_PAIRS(min_f32, float, float)
BANG_CN_PAIRS(min_f16, half, half)
BANG_CN_PAIRS(min_u32, uint32_t, uint32_t)
BANG_CN_PAIRS(min_s32, int32_t, int32_t)
BANG_CN_PAIRS(add_f16_rn, half, half)
BANG_CN_PAIRS(sub_f16_rn, half, half)
BANG_CN_PAIRS(mul_f16_rn, half, half)
BANG_CN_PAIRS(add_u32, uint32_t, uint32_t)
BANG_CN_PAIRS(add_s32, int32_t, int32_t)
BANG_CN_PAIRS(add_u64, uint64_t, uint64_t)
BANG_CN_PAIRS(add_s64, int64_t, int64_t)
BANG_CN_PAIRS(sub_u32, uint32_t, uint32_t)
BANG_CN_PAIRS(sub_s32, int32_t, int32_t)
BANG_CN_PAIRS(mul_u32, uint32_t, uint32_t)
BANG_CN_PAIRS(mul_s32, int32_t, int32_t)
#undef BANG_CN_PAIRS

#endif /* BANG_LIBDEVICE_MATH_H_ */
