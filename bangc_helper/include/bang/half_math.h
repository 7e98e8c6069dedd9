/* SPDX-License-Identifier: MIT
 *
 * <cmath> for half and bfloat16_t. The standard overloads take float, double and long
 * double, so a 16-bit argument would be ambiguous. Each function computes in float and
 * rounds once.
 */
#ifndef BANG_HALF_MATH_H_
#define BANG_HALF_MATH_H_

#include "bang/inline.h"

#include <algorithm>
#include <cmath>

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

#undef BANG_HALF_PREDICATE
#undef BANG_HALF_UNARY
#undef BANG_HALF_BINARY

}  // namespace std

#endif /* BANG_HALF_MATH_H_ */
