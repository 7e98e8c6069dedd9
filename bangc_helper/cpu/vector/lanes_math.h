/* SPDX-License-Identifier: MIT
 *
 * Elementary functions on float lanes: own polynomials, no fused multiply-add, so that every
 * instruction set gives the same bits. Special values follow C's <math.h>. Errors in units of the
 * last place are measured by the test of this group over all or very many floats.
 */
#ifndef BANG_CPU_VECTOR_LANES_MATH_H_
#define BANG_CPU_VECTOR_LANES_MATH_H_

#include <math.h>

#include "vector/lanes.h"
#include "vector/lanes_round.h"

/* x * 2^n for n in [-252, 254], in two steps so that denormal results are rounded once at the end.
 */
INLINE vf scale_by_power(vf x, vs32 n) {
  vs32 half_n = n >> 1;
  vf first = (vf)((half_n + 127) << 23);
  vf second = (vf)((n - half_n + 127) << 23);
  return x * first * second;
}

/* e^r for |r| <= ln2 / 2 */
INLINE vf exp_polynomial(vf r) {
  vf p = splat_f(1.9875691500e-4f);
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  return (p * (r * r) + r) + 1.0f;
}

/* Nearest integer for |x| < 2^22: what the addition leaves in the last bits. NaN stays NaN. */
#define BANG_ROUND_MAGIC_F 0x1.8p23f
typedef struct Nearest {
  vf value;
  vs32 integer;
} Nearest;
INLINE Nearest nearest_small(vf x) {
  vf sum = x + BANG_ROUND_MAGIC_F;
  return (Nearest){sum - BANG_ROUND_MAGIC_F, (vs32)sum - (vs32)splat_f(BANG_ROUND_MAGIC_F)};
}

/* Beyond the bounds the result has become infinite or zero; a NaN runs through. */
INLINE vf exp_lanes(vf x) {
  vf bounded = at_least(at_most(x, 130.0f), -130.0f);
  Nearest n = nearest_small(bounded * 1.44269504088896341f);
  /* ln2 in two parts, the first short enough for n * part to be exact */
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
  vf p = splat_f(7.0376836292e-2f);
  p = p * f + -1.1514610310e-1f;
  p = p * f + 1.1676998740e-1f;
  p = p * f + -1.2420140846e-1f;
  p = p * f + 1.4249322787e-1f;
  p = p * f + -1.6668057665e-1f;
  p = p * f + 2.0000714765e-1f;
  p = p * f + -2.4999993993e-1f;
  p = p * f + 3.3333331174e-1f;
  return p * f * square - 0.5f * square;
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
/* f * c is carried in two parts: c = 1 + rest */
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

/* ---- in double: what needs more bits than float on the way ---- */

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
/* nearest integer for |x| < 2^51, as a double and as 64-bit lanes */
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
  vd p = splat_d(1.0 / 3628800);
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * (r * r) + r;
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
  vd q = s * s;
  vd p = splat_d(1.0 / 23);
  p = p * q + 1.0 / 21;
  p = p * q + 1.0 / 19;
  p = p * q + 1.0 / 17;
  p = p * q + 1.0 / 15;
  p = p * q + 1.0 / 13;
  p = p * q + 1.0 / 11;
  p = p * q + 1.0 / 9;
  p = p * q + 1.0 / 7;
  p = p * q + 1.0 / 5;
  p = p * q + 1.0 / 3;
  p = p * q + 1.0;
  return 2.0 * s * p;
}
INLINE vd softplus_d(vd x) {
  vd magnitude = select_d(x < 0.0, -x, x);
  vd e = exp_d(clamp_d(-magnitude, 500.0));
  vd positive = select_d(x > 0.0, x, splat_d(0.0));
  return select_d(x != x, x, positive + log1p_unit_d(e));
}

/* e^(t * t) * erfc(t) for 0 <= t <= 12, fitted in s = (t - 2.5) / (t + 2.5) to 4e-12 */
INLINE vd scaled_erfc_d(vd t) {
  vd s = (t - 2.5) / (t + 2.5);
  vd p = splat_d(4.4915421532453686321e-6);
  p = p * s + 1.8749570333972634962e-5;
  p = p * s + 2.0873758449140078691e-6;
  p = p * s + -1.1269147469014021882e-4;
  p = p * s + -8.5983335818526864069e-5;
  p = p * s + 6.3249079334685642002e-4;
  p = p * s + 4.9119172502946985422e-4;
  p = p * s + -4.3822788280681043516e-3;
  p = p * s + 9.3197935568096827351e-4;
  p = p * s + 3.2760926918909884147e-2;
  p = p * s + -1.029670607289149892e-1;
  p = p * s + 1.5762991686179560464e-1;
  p = p * s + -9.9024539502642772229e-2;
  p = p * s + -1.2235676304420104632e-1;
  p = p * s + 1.264838184366874806;
  return p / (1.0 + 2.0 * t);
}
/* x / 2 * erfc(-x / sqrt 2); below -17 the result is less than the smallest float */
INLINE vd gelu_d(vd x) {
  vd bounded = clamp_d(x, 17.0) * 0.70710678118654752440;
  vd t = (vd)((vs64)bounded & INT64_MAX);
  vd tail = scaled_erfc_d(t) * exp_d(-(t * t));
  vd y = 0.5 * x * select_d(x > 0.0, 2.0 - tail, tail);
  y = select_d(x < -17.0, splat_d(-0.0), y); /* -inf * 0 as well */
  return select_d(x != x, x, y);
}

/* Remainder of a quarter turn for |x| < 2^28, and which quarter. */
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
  vd p = splat_d(1.0 / 6227020800.0);
  p = p * q - 1.0 / 39916800.0;
  p = p * q + 1.0 / 362880.0;
  p = p * q - 1.0 / 5040.0;
  p = p * q + 1.0 / 120.0;
  p = p * q - 1.0 / 6.0;
  return r + r * q * p;
}
INLINE vd cos_polynomial_d(vd r) {
  vd q = r * r;
  vd p = splat_d(-1.0 / 87178291200.0);
  p = p * q + 1.0 / 479001600.0;
  p = p * q - 1.0 / 3628800.0;
  p = p * q + 1.0 / 40320.0;
  p = p * q - 1.0 / 720.0;
  p = p * q + 1.0 / 24.0;
  p = p * q - 0.5;
  return p * q + 1.0;
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
BANG_THROUGH_DOUBLE(sin)
BANG_THROUGH_DOUBLE(cos)

#endif /* BANG_CPU_VECTOR_LANES_MATH_H_ */
