/* SPDX-License-Identifier: MIT
 *
 * <cmath> for half and bfloat16_t: the library has overloads for float, double and long double,
 * between which a 16-bit argument is ambiguous. Each function computes in float and rounds the
 * result once.
 */
#ifndef BANG_HALF_MATH_H_
#define BANG_HALF_MATH_H_

#include <math.h>

#include <algorithm>
#include <cmath>

#include "bang/inline.h"
#include "bang/types.h"

namespace std {

#define BANG_HALF_PREDICATE(fn)       \
  BANG_INLINE bool fn(half x) {       \
    return fn(static_cast<float>(x)); \
  }                                   \
  BANG_INLINE bool fn(bfloat16_t x) { \
    return fn(static_cast<float>(x)); \
  }

#define BANG_HALF_UNARY(fn)                              \
  BANG_INLINE half fn(half x) {                          \
    return static_cast<half>(fn(static_cast<float>(x))); \
  }                                                      \
  BANG_INLINE bfloat16_t fn(bfloat16_t x) {              \
    return bfloat16_t(fn(static_cast<float>(x)));        \
  }

#define BANG_HALF_BINARY(fn)                                                    \
  BANG_INLINE half fn(half x, half y) {                                         \
    return static_cast<half>(fn(static_cast<float>(x), static_cast<float>(y))); \
  }                                                                             \
  BANG_INLINE bfloat16_t fn(bfloat16_t x, bfloat16_t y) {                       \
    return bfloat16_t(fn(static_cast<float>(x), static_cast<float>(y)));        \
  }

BANG_HALF_PREDICATE(isnan)
BANG_HALF_PREDICATE(isinf)
BANG_HALF_PREDICATE(isfinite)
BANG_HALF_PREDICATE(signbit)

BANG_HALF_UNARY(abs)
BANG_HALF_UNARY(fabs)
BANG_HALF_UNARY(sqrt)
BANG_HALF_UNARY(exp)
BANG_HALF_UNARY(exp2)
BANG_HALF_UNARY(log)
BANG_HALF_UNARY(log2)
BANG_HALF_UNARY(log10)
BANG_HALF_UNARY(sin)
BANG_HALF_UNARY(cos)
BANG_HALF_UNARY(tan)
BANG_HALF_UNARY(tanh)
BANG_HALF_UNARY(erf)
BANG_HALF_UNARY(floor)
BANG_HALF_UNARY(ceil)
BANG_HALF_UNARY(trunc)
BANG_HALF_UNARY(round)
BANG_HALF_UNARY(rint)

BANG_HALF_BINARY(pow)
BANG_HALF_BINARY(fmod)
BANG_HALF_BINARY(fmax)
BANG_HALF_BINARY(fmin)
BANG_HALF_BINARY(atan2)
BANG_HALF_BINARY(hypot)

/* Larger and smaller of two types: the narrower one decides, for the device has no double. */
#define BANG_MIXED_EXTREMES(result, first, second)                 \
  inline result max(first a, second b) {                           \
    result x = static_cast<result>(a), y = static_cast<result>(b); \
    return x > y ? x : y;                                          \
  }                                                                \
  inline result min(first a, second b) {                           \
    result x = static_cast<result>(a), y = static_cast<result>(b); \
    return x < y ? x : y;                                          \
  }
BANG_MIXED_EXTREMES(float, float, double)
BANG_MIXED_EXTREMES(float, double, float)
BANG_MIXED_EXTREMES(half, half, float)
BANG_MIXED_EXTREMES(half, half, double)

#undef BANG_HALF_PREDICATE
#undef BANG_HALF_UNARY
#undef BANG_HALF_BINARY
#undef BANG_MIXED_EXTREMES

}  // namespace std

/* Without std:: too, as <math.h> offers the others. */
using std::abs;
using std::atan2;
using std::ceil;
using std::cos;
using std::erf;
using std::exp;
using std::exp2;
using std::fabs;
using std::floor;
using std::fmax;
using std::fmin;
using std::fmod;
using std::hypot;
using std::isfinite;
using std::isinf;
using std::isnan;
using std::log;
using std::log10;
using std::log2;
using std::pow;
using std::rint;
using std::round;
using std::signbit;
using std::sin;
using std::sqrt;
using std::tan;
using std::tanh;
using std::trunc;

#endif /* BANG_HALF_MATH_H_ */
