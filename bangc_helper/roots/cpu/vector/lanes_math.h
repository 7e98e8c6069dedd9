/* SPDX-License-Identifier: MIT
 *
 * Elementary functions on float lanes. They use their own polynomials and no fused multiply-add, so
 * that every instruction set gives the same bits. Special values follow C's <math.h>. The tests
 * measure the errors, in units in the last place, over all or very many floats.
 */
#ifndef BANG_CPU_VECTOR_LANES_MATH_H_
#define BANG_CPU_VECTOR_LANES_MATH_H_

#include <math.h>

#include "bang/series.h"
#include "vector/lanes.h"
#include "vector/lanes_round.h"

/* x * 2^n for n in [-252, 254], in two steps, so that denormal results are rounded just once. */
INLINE vf scale_by_power(vf x, vs32 n) {
  vs32 half_n = n >> 1;
  vf first = (vf)((half_n + 127) << 23);
  vf second = (vf)((n - half_n + 127) << 23);
  return x * first * second;
}

/* name(x): a polynomial from bang/series.h */
#define FIRST_FLOAT(term) vf p = splat_f(term);
#define FIRST_DOUBLE(term) vd p = splat_d(term);
#define NEXT(term) p = p * x + term;
#define DEFINE_SERIES(name, vector, first, series) \
  INLINE vector name(vector x) {                   \
    series(first, NEXT);                           \
    return p;                                      \
  }
DEFINE_SERIES(exp_series, vf, FIRST_FLOAT, BANG_EXP_SERIES)
DEFINE_SERIES(log_series, vf, FIRST_FLOAT, BANG_LOG_SERIES)

/* e^r for |r| <= ln2 / 2 */
INLINE vf exp_polynomial(vf r) {
  return (exp_series(r) * (r * r) + r) + 1.0f;
}

/* Nearest integer for |x| < 2^22: the magic addition leaves it in the last bits. NaN stays NaN. */
#define BANG_ROUND_MAGIC_F 0x1.8p23f
typedef struct Nearest {
  vf value;
  vs32 integer;
} Nearest;
INLINE Nearest nearest_small(vf x) {
  vf sum = x + BANG_ROUND_MAGIC_F;
  return (Nearest){sum - BANG_ROUND_MAGIC_F, (vs32)sum - (vs32)splat_f(BANG_ROUND_MAGIC_F)};
}

/* Beyond the bounds the result is infinity or zero; NaN stays NaN. */
INLINE vf exp_lanes(vf x) {
  vf bounded = at_least(at_most(x, 130.0f), -130.0f);
  Nearest n = nearest_small(bounded * 1.44269504088896341f);
  /* ln2 in two parts; the first is short enough that n * part is exact. */
  vf r = (bounded - n.value * 0.693359375f) - n.value * -2.12194440e-4f;
  return scale_by_power(exp_polynomial(r), n.integer);
}

INLINE vf exp2_lanes(vf x) {
  vf bounded = at_least(at_most(x, 200.0f), -200.0f);
  Nearest n = nearest_small(bounded);
  return scale_by_power(exp_polynomial((bounded - n.value) * 0.693147180559945f), n.integer);
}

/* x = 2^exponent * (1 + f), f in [sqrt(1/2) - 1, sqrt(2) - 1]; denormals included, x > 0 */
typedef struct Mantissa {
  vf exponent, f;
} Mantissa;

INLINE Mantissa split_mantissa(vf x) {
  vs32 is_denormal = x < 0x1p-126f;
  vf normal = select_f(is_denormal, x * 0x1p24f, x);
  vu32 bits = (vu32)normal;
  vs32 exponent = (vs32)(bits >> 23) - 127 - (is_denormal & splat_s(24));
  vf m = (vf)((bits & 0x007fffffu) | 0x3f800000u);
  vs32 above = m > 1.41421356237f;
  m = select_f(above, m * 0.5f, m);
  exponent = exponent - above; /* adds one */
  return (Mantissa){__builtin_convertvector(exponent, vf), m - 1.0f};
}

/* ln(1 + f) - f */
INLINE vf log_correction(vf f) {
  vf square = f * f;
  return log_series(f) * f * square - 0.5f * square;
}

/* Results for 0, negative numbers, infinity and NaN, shared by the logarithms. */
INLINE vf log_special(vf x, vf y) {
  y = select_f(x == INFINITY, x, y);
  y = select_f(x == 0.0f, splat_f(-INFINITY), y);
  y = select_f(x < 0.0f, splat_f(NAN), y);
  return select_f(x != x, x, y);
}
INLINE vf positive_or_one(vf x) {
  return select_f((x > 0.0f) & (x < INFINITY), x, splat_f(1.0f));
}

INLINE vf log_lanes(vf x) {
  Mantissa m = split_mantissa(positive_or_one(x));
  vf tail = log_correction(m.f) + m.exponent * -2.12194440e-4f;
  return log_special(x, (tail + m.f) + m.exponent * 0.693359375f);
}
/* f * c is computed in two parts, with c = 1 + rest. */
INLINE vf log2_lanes(vf x) {
  Mantissa m = split_mantissa(positive_or_one(x));
  vf correction = log_correction(m.f);
  vf rest = correction * 0.44269504088896340735992f + m.f * 0.44269504088896340735992f;
  return log_special(x, ((rest + correction) + m.f) + m.exponent);
}
INLINE vf log10_lanes(vf x) {
  Mantissa m = split_mantissa(positive_or_one(x));
  vf correction = log_correction(m.f);
  vf y = correction * 7.00731903251827651129e-4f + m.f * 7.00731903251827651129e-4f;
  y = y + m.exponent * 2.48745663981195213739e-4f;
  y = y + correction * 4.33593750000000000000e-1f;
  y = y + m.f * 4.33593750000000000000e-1f;
  return log_special(x, y + m.exponent * 3.00781250000000000000e-1f);
}

/* ---- in double, where intermediate results need more bits than a float has ---- */

INLINE vd double_low(vf x) {
  float lanes[LANES];
  memcpy(lanes, &x, sizeof lanes);
  vfh half;
  memcpy(&half, lanes, sizeof half);
  return __builtin_convertvector(half, vd);
}
INLINE vd double_high(vf x) {
  float lanes[LANES];
  memcpy(lanes, &x, sizeof lanes);
  vfh half;
  memcpy(&half, lanes + LANES / 2, sizeof half);
  return __builtin_convertvector(half, vd);
}
INLINE vf float_lanes(vd low, vd high) {
  vfh parts[2] = {__builtin_convertvector(low, vfh), __builtin_convertvector(high, vfh)};
  vf x;
  memcpy(&x, parts, sizeof x);
  return x;
}
INLINE vd select_d(vs64 mask, vd yes, vd no) {
  return (vd)((mask & (vs64)yes) | (~mask & (vs64)no));
}
INLINE vd splat_d(double x) {
  return x - (vd){0};
}
DEFINE_SERIES(exp_series_d, vd, FIRST_DOUBLE, BANG_EXP_DOUBLE_SERIES)
DEFINE_SERIES(atanh_series_d, vd, FIRST_DOUBLE, BANG_ATANH_SERIES)
DEFINE_SERIES(erfc_series_d, vd, FIRST_DOUBLE, BANG_ERFC_SERIES)
DEFINE_SERIES(sin_series_d, vd, FIRST_DOUBLE, BANG_SIN_SERIES)
DEFINE_SERIES(cos_series_d, vd, FIRST_DOUBLE, BANG_COS_SERIES)
/* Nearest integer for |x| < 2^51, as a double and as 64-bit lanes. */
#define BANG_ROUND_MAGIC 0x1.8p52
INLINE vd nearest_d(vd x) {
  return (x + BANG_ROUND_MAGIC) - BANG_ROUND_MAGIC;
}
INLINE vs64 integer_d(vd x) {
  return (vs64)(x + BANG_ROUND_MAGIC) - (vs64)splat_d(BANG_ROUND_MAGIC);
}

/* e^x = power * (1 + rest) for |x| <= 700 */
typedef struct Exponential {
  vd power, rest;
} Exponential;
INLINE Exponential exponential_d(vd x) {
  vd n = nearest_d(x * 1.4426950408889634);
  vd r = (x - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45;
  vd p = exp_series_d(r) * (r * r) + r;
  return (Exponential){(vd)((integer_d(n) + 1023) << 52), p};
}
INLINE vd expm1_d(vd x) {
  Exponential e = exponential_d(x);
  return (e.power - 1.0) + e.power * e.rest;
}
INLINE vd exp_d(vd x) {
  Exponential e = exponential_d(x);
  return e.power + e.power * e.rest;
}
INLINE vd clamp_d(vd x, double limit) {
  x = select_d(x > limit, splat_d(limit), x);
  return select_d(x < -limit, splat_d(-limit), x);
}

INLINE vd tanh_d(vd x) {
  vd e = expm1_d(clamp_d(x, 30.0) * 2.0);
  return select_d((x != x) | (x == 0.0), x, e / (e + 2.0)); /* -0 stays -0 */
}
INLINE vd sigmoid_d(vd x) {
  vd e = exp_d(clamp_d(-x, 500.0));
  return select_d(x != x, x, 1.0 / (1.0 + e));
}
/* ln(1 + t) for t in [0, 1] as 2 atanh(t / (2 + t)) */
INLINE vd log1p_unit_d(vd t) {
  vd s = t / (2.0 + t);
  return 2.0 * s * atanh_series_d(s * s);
}
INLINE vd softplus_d(vd x) {
  vd magnitude = select_d(x < 0.0, -x, x);
  vd e = exp_d(clamp_d(-magnitude, 500.0));
  vd positive = select_d(x > 0.0, x, splat_d(0.0));
  return select_d(x != x, x, positive + log1p_unit_d(e));
}

/* e^(t * t) * erfc(t) for 0 <= t <= 12 */
INLINE vd scaled_erfc_d(vd t) {
  return erfc_series_d((t - 2.5) / (t + 2.5)) / (1.0 + 2.0 * t);
}
/* x / 2 * erfc(-x / sqrt 2); below -17 the result is smaller than the smallest float. */
INLINE vd gelu_d(vd x) {
  vd bounded = clamp_d(x, 17.0) * 0.70710678118654752440;
  vd t = (vd)((vs64)bounded & INT64_MAX);
  vd tail = scaled_erfc_d(t) * exp_d(-(t * t));
  vd y = 0.5 * x * select_d(x > 0.0, 2.0 - tail, tail);
  y = select_d(x < -17.0, splat_d(-0.0), y); /* also for -inf * 0 */
  return select_d(x != x, x, y);
}

/* With tanh instead of erf; equals x * sigmoid(2 sqrt(2 / pi) (x + 0.044715 x^3)). */
INLINE vd gelu_tanh_d(vd x) {
  vd z = x * (1.0 + 0.044715 * (x * x)) * 1.59576912160573071176;
  vd y = x * sigmoid_d(z);
  return select_d(x < -30.0, splat_d(-0.0), y); /* also for -inf * 0 */
}

/* x reduced to a quarter turn, and the number of the quarter, for |x| < 2^28. */
typedef struct Quarter {
  vd r;
  vs64 n;
} Quarter;
INLINE Quarter reduce_quarter(vd x) {
  vd n = nearest_d(x * 0.63661977236758134308);
  vd r = (x - n * 1.57079631090164184570) - n * 1.58932547735281966916e-8;
  return (Quarter){r, integer_d(n)};
}
INLINE vd sin_polynomial_d(vd r) {
  vd q = r * r;
  return r + r * q * sin_series_d(q);
}
INLINE vd cos_polynomial_d(vd r) {
  vd q = r * r;
  return cos_series_d(q) * q + 1.0;
}
INLINE vd sin_of_quarter(Quarter k) {
  vs64 odd = -(k.n & 1);
  vd y = select_d(odd, cos_polynomial_d(k.r), sin_polynomial_d(k.r));
  return (vd)((vs64)y ^ ((k.n & 2) << 62));
}
INLINE vd sin_d(vd x) {
  return select_d(x == 0.0, x, sin_of_quarter(reduce_quarter(x)));
}
INLINE vd cos_d(vd x) {
  Quarter k = reduce_quarter(x);
  k.n = k.n + 1;
  return sin_of_quarter(k);
}

#define BANG_THROUGH_DOUBLE(name)                                          \
  INLINE vf name##_lanes(vf x) {                                           \
    return float_lanes(name##_d(double_low(x)), name##_d(double_high(x))); \
  }
BANG_THROUGH_DOUBLE(tanh)
BANG_THROUGH_DOUBLE(sigmoid)
BANG_THROUGH_DOUBLE(softplus)
BANG_THROUGH_DOUBLE(gelu)
BANG_THROUGH_DOUBLE(gelu_tanh)
BANG_THROUGH_DOUBLE(sin)
BANG_THROUGH_DOUBLE(cos)

#endif /* BANG_CPU_VECTOR_LANES_MATH_H_ */
