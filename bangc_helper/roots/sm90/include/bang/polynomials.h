/* SPDX-License-Identifier: MIT
 *
 * Elementary functions with the polynomials and the order of operations of the CPU root, and
 * without fused multiply-add (cncc turns it off), so that both roots give the same bits.
 */
#ifndef BANG_POLYNOMIALS_H_
#define BANG_POLYNOMIALS_H_

#include "bang/series.h"
#include "bang/types.h"

namespace bang_impl {

/* x * 2^n for n in [-252, 254], in two steps, so that denormal results are rounded just once. */
BANG_INLINE float scaled_by_power(float x, int n) {
  int half_n = n >> 1;
  return x * float_of((uint32_t)(half_n + 127) << 23) *
         float_of((uint32_t)(n - half_n + 127) << 23);
}

/* name(x): a polynomial from bang/series.h */
#define BANG_FIRST(term) auto p = term;
#define BANG_NEXT(term) p = p * x + term;
#define BANG_DEFINE_SERIES(name, T, series) \
  BANG_INLINE T name(T x) {                 \
    series(BANG_FIRST, BANG_NEXT);          \
    return p;                               \
  }
BANG_DEFINE_SERIES(exp_series, float, BANG_EXP_SERIES)
BANG_DEFINE_SERIES(log_series, float, BANG_LOG_SERIES)
BANG_DEFINE_SERIES(exp_double_series, double, BANG_EXP_DOUBLE_SERIES)
BANG_DEFINE_SERIES(atanh_series, double, BANG_ATANH_SERIES)
BANG_DEFINE_SERIES(erfc_series, double, BANG_ERFC_SERIES)
BANG_DEFINE_SERIES(sin_series, double, BANG_SIN_SERIES)
BANG_DEFINE_SERIES(cos_series, double, BANG_COS_SERIES)
#undef BANG_DEFINE_SERIES
#undef BANG_NEXT
#undef BANG_FIRST

/* e^r for |r| <= ln2 / 2 */
BANG_INLINE float exp_of_remainder(float r) {
  return (exp_series(r) * (r * r) + r) + 1.0f;
}

/* Adding this leaves the nearest integer in the last bits. */
#define BANG_ROUND_MAGIC_F 0x1.8p23f

BANG_INLINE float exp_polynomial_of(float x) {
  float bounded = x > 130.0f ? 130.0f : x < -130.0f ? -130.0f : x;
  float sum = bounded * 1.44269504088896341f + BANG_ROUND_MAGIC_F;
  float n = sum - BANG_ROUND_MAGIC_F;
  float r = (bounded - n * 0.693359375f) - n * -2.12194440e-4f;
  return scaled_by_power(exp_of_remainder(r), (int)(bits_of(sum) - bits_of(BANG_ROUND_MAGIC_F)));
}
/* The same if the result is a normal number, whose exponent can simply be increased. */
BANG_INLINE bool is_exp_moderate(float x) {
  return fabsf(x) < 86.0f;
}
BANG_INLINE float exp_of_moderate(float x) {
  float sum = x * 1.44269504088896341f + BANG_ROUND_MAGIC_F;
  float n = sum - BANG_ROUND_MAGIC_F;
  float near = __fmaf_rn(n, -0.693359375f, x); /* exact: the product needs no rounding */
  float r = near - n * -2.12194440e-4f;
  return float_of(bits_of(exp_of_remainder(r)) + (bits_of(sum) << 23));
}

BANG_INLINE float exp2_polynomial_of(float x) {
  float bounded = x > 200.0f ? 200.0f : x < -200.0f ? -200.0f : x;
  float sum = bounded + BANG_ROUND_MAGIC_F;
  float n = sum - BANG_ROUND_MAGIC_F;
  return scaled_by_power(exp_of_remainder((bounded - n) * 0.693147180559945f),
                         (int)(bits_of(sum) - bits_of(BANG_ROUND_MAGIC_F)));
}

/* x = 2^exponent * (1 + f), f in [sqrt(1/2) - 1, sqrt(2) - 1]; denormals included, x > 0 */
struct Mantissa {
  float exponent, f;
};
BANG_INLINE Mantissa split_mantissa(float x) {
  bool is_denormal = x < 0x1p-126f;
  uint32_t bits = bits_of(is_denormal ? x * 0x1p24f : x);
  int exponent = (int)(bits >> 23) - 127 - (is_denormal ? 24 : 0);
  float m = float_of((bits & 0x007fffffu) | 0x3f800000u);
  if (m > 1.41421356237f) {
    m = m * 0.5f;
    exponent = exponent + 1;
  }
  return Mantissa{(float)exponent, m - 1.0f};
}

/* ln(1 + f) - f */
BANG_INLINE float log_correction(float f) {
  float square = f * f;
  return log_series(f) * f * square - 0.5f * square;
}

BANG_INLINE float log_special(float x, float y) {
  const float infinity = float_of(0x7f800000u);
  if (x == infinity) y = x;
  if (x == 0.0f) y = -infinity;
  if (x < 0.0f) y = float_of(0x7fc00000u);
  return x != x ? x : y;
}
BANG_INLINE float positive_or_one(float x) {
  return x > 0.0f && x < float_of(0x7f800000u) ? x : 1.0f;
}
BANG_INLINE float log_polynomial_of(float x) {
  Mantissa m = split_mantissa(positive_or_one(x));
  float tail = log_correction(m.f) + m.exponent * -2.12194440e-4f;
  return log_special(x, (tail + m.f) + m.exponent * 0.693359375f);
}
BANG_INLINE float log2_polynomial_of(float x) {
  Mantissa m = split_mantissa(positive_or_one(x));
  float correction = log_correction(m.f);
  float rest = correction * 0.44269504088896340735992f + m.f * 0.44269504088896340735992f;
  return log_special(x, ((rest + correction) + m.f) + m.exponent);
}
BANG_INLINE float log10_polynomial_of(float x) {
  Mantissa m = split_mantissa(positive_or_one(x));
  float correction = log_correction(m.f);
  float y = correction * 7.00731903251827651129e-4f + m.f * 7.00731903251827651129e-4f;
  y = y + m.exponent * 2.48745663981195213739e-4f;
  y = y + correction * 4.33593750000000000000e-1f;
  y = y + m.f * 4.33593750000000000000e-1f;
  return log_special(x, y + m.exponent * 3.00781250000000000000e-1f);
}

/* ---- in double, where intermediate results need more bits than a float has ---- */

#define BANG_ROUND_MAGIC 0x1.8p52
BANG_INLINE double nearest_of(double x) {
  return (x + BANG_ROUND_MAGIC) - BANG_ROUND_MAGIC;
}
BANG_INLINE int64_t integer_of(double x) {
  return __double_as_longlong(x + BANG_ROUND_MAGIC) - __double_as_longlong(BANG_ROUND_MAGIC);
}

/* e^x = power * (1 + rest) for |x| <= 700 */
struct Exponential {
  double power, rest;
};
BANG_INLINE Exponential exponential_of(double x) {
  double n = nearest_of(x * 1.4426950408889634);
  double r = (x - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45;
  double p = exp_double_series(r) * (r * r) + r;
  return Exponential{__longlong_as_double((integer_of(n) + 1023) << 52), p};
}
BANG_INLINE double expm1_in_double(double x) {
  Exponential e = exponential_of(x);
  return (e.power - 1.0) + e.power * e.rest;
}
BANG_INLINE double exp_in_double(double x) {
  Exponential e = exponential_of(x);
  return e.power + e.power * e.rest;
}
BANG_INLINE double clamped(double x, double limit) {
  x = x > limit ? limit : x;
  return x < -limit ? -limit : x;
}

BANG_INLINE double tanh_in_double(double x) {
  double e = expm1_in_double(clamped(x, 30.0) * 2.0);
  return x != x || x == 0.0 ? x : e / (e + 2.0);
}
BANG_INLINE double sigmoid_in_double(double x) {
  double e = exp_in_double(clamped(-x, 500.0));
  return x != x ? x : 1.0 / (1.0 + e);
}
/* ln(1 + t) for t in [0, 1] as 2 atanh(t / (2 + t)) */
BANG_INLINE double log1p_of_unit(double t) {
  double s = t / (2.0 + t);
  return 2.0 * s * atanh_series(s * s);
}
BANG_INLINE double softplus_in_double(double x) {
  double e = exp_in_double(clamped(-fabs(x), 500.0));
  return x != x ? x : (x > 0.0 ? x : 0.0) + log1p_of_unit(e);
}

/* e^(t * t) * erfc(t) for 0 <= t <= 12 */
BANG_INLINE double scaled_erfc(double t) {
  return erfc_series((t - 2.5) / (t + 2.5)) / (1.0 + 2.0 * t);
}
BANG_INLINE double gelu_in_double(double x) {
  double t = fabs(clamped(x, 17.0) * 0.70710678118654752440);
  double tail = scaled_erfc(t) * exp_in_double(-(t * t));
  double y = 0.5 * x * (x > 0.0 ? 2.0 - tail : tail);
  if (x < -17.0) y = -0.0;
  return x != x ? x : y;
}

/* With tanh instead of erf; equals x * sigmoid(2 sqrt(2 / pi) (x + 0.044715 x^3)). */
BANG_INLINE double gelu_tanh_in_double(double x) {
  double z = x * (1.0 + 0.044715 * (x * x)) * 1.59576912160573071176;
  return x < -30.0 ? -0.0 : x * sigmoid_in_double(z);
}

/* x reduced to a quarter turn, and the number of the quarter, for |x| < 2^28. */
struct Quarter {
  double r;
  int64_t n;
};
BANG_INLINE Quarter reduced_quarter(double x) {
  double n = nearest_of(x * 0.63661977236758134308);
  double r = (x - n * 1.57079631090164184570) - n * 1.58932547735281966916e-8;
  return Quarter{r, integer_of(n)};
}
BANG_INLINE double sin_of_remainder(double r) {
  double q = r * r;
  return r + r * q * sin_series(q);
}
BANG_INLINE double cos_of_remainder(double r) {
  double q = r * r;
  return cos_series(q) * q + 1.0;
}
BANG_INLINE double sin_of_quarter(Quarter k) {
  double y = k.n & 1 ? cos_of_remainder(k.r) : sin_of_remainder(k.r);
  return k.n & 2 ? -y : y;
}
BANG_INLINE double sin_in_double(double x) {
  return x == 0.0 ? x : sin_of_quarter(reduced_quarter(x));
}
BANG_INLINE double cos_in_double(double x) {
  Quarter k = reduced_quarter(x);
  k.n = k.n + 1;
  return sin_of_quarter(k);
}

}  // namespace bang_impl

#endif /* BANG_POLYNOMIALS_H_ */
