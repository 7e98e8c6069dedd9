/* SPDX-License-Identifier: MIT
 *
 * Scalar functions as kernels call them: without std::, with overloads for 16-bit arguments, and
 * min and max of two different types.
 */
#ifndef BANG_SCALAR_MATH_H_
#define BANG_SCALAR_MATH_H_

#include <math.h>

#include <algorithm>
#include <cmath>

#include "bang/extremes.h"
#include "bang/half_math.h"
#include "bang/inline.h"

namespace std {

/* For arguments of two types. */
using bang_impl::extremes::max;
using bang_impl::extremes::min;

/* Older standard libraries lack these names in std::. */
using ::acosf;
using ::asinf;
using ::atan2f;
using ::atanf;
using ::ceilf;
using ::copysignf;
using ::cosf;
using ::coshf;
using ::erff;
using ::exp2f;
using ::expf;
using ::expm1f;
using ::fabsf;
using ::floorf;
using ::fmaf;
using ::fmaxf;
using ::fminf;
using ::fmodf;
using ::hypotf;
using ::log10f;
using ::log1pf;
using ::log2f;
using ::logf;
using ::nearbyintf;
using ::powf;
using ::rintf;
using ::roundf;
using ::sinf;
using ::sinhf;
using ::sqrtf;
using ::tanf;
using ::tanhf;
using ::truncf;

}  // namespace std

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

#endif /* BANG_SCALAR_MATH_H_ */
