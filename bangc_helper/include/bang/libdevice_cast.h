/* SPDX-License-Identifier: MIT
 *
 * The device library's casts and its atomic operations on one number.
 *
 * A cast to an integer saturates, and a NaN counts as the infinity of its sign. A cast to half
 * saturates finite numbers at the largest half; infinities stay.
 */
#ifndef BANG_LIBDEVICE_CAST_H_
#define BANG_LIBDEVICE_CAST_H_

#include <cmath>
#include <limits>

#include "bang/element.h"
#include "bang/inline.h"
#include "bang/vector_api.h"

namespace bang_impl {

/* `whole` is x, already rounded to an integer. */
template <class T>
BANG_INLINE T saturated(float x, float whole) {
  const float below = static_cast<float>(std::numeric_limits<T>::min());
  const float above = std::ldexp(1.0f, std::numeric_limits<T>::digits);
  if (std::isnan(x)) {
    return std::signbit(x) ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  }
  return whole >= above  ? std::numeric_limits<T>::max()
         : whole < below ? std::numeric_limits<T>::min()
                         : static_cast<T>(whole);
}

BANG_INLINE half saturated_half(float x) {
  const half largest = std::numeric_limits<half>::max();
  if (std::isnan(x)) {
    return std::numeric_limits<half>::quiet_NaN();
  }
  if (std::isinf(x) || std::fabs(x) <= static_cast<float>(largest)) {
    return static_cast<half>(x);
  }
  return x < 0 ? static_cast<half>(-largest) : largest;
}

BANG_INLINE float toward_zero(int64_t x) {
  float nearest = static_cast<float>(x);
  double exact = static_cast<double>(nearest);
  bool past =
      x >= 0 ? exact >= 0x1p63 || static_cast<int64_t>(exact) > x : static_cast<int64_t>(exact) < x;
  return past ? std::nextafter(nearest, 0.0f) : nearest;
}

}  // namespace bang_impl

#define BANG_CN_CAST(name, to, from, expression)                                   \
  BANG_ON_CALL to __cn_scalar_cast_##name(from x) {                                \
    return expression;                                                             \
  }                                                                                \
  BANG_ON_CALL void __cn_vector_cast_##name(int64_t n, to *dst, const from *src) { \
    for (int64_t i = 0; i < n; i++) {                                              \
      dst[i] = __cn_scalar_cast_##name(src[i]);                                    \
    }                                                                              \
  }
BANG_CN_CAST(f32_to_f16_rn, half, float, bang_impl::saturated_half(x))
BANG_CN_CAST(f16_to_f32, float, half, static_cast<float>(x))
BANG_CN_CAST(f32_to_s32_rn, int, float, bang_impl::saturated<int>(x, nearbyintf(x)))
BANG_CN_CAST(f32_to_s32_dn, int, float, bang_impl::saturated<int>(x, floorf(x)))
BANG_CN_CAST(f32_to_s32_up, int, float, bang_impl::saturated<int>(x, ceilf(x)))
BANG_CN_CAST(f32_to_s32_tz, int, float, bang_impl::saturated<int>(x, truncf(x)))
BANG_CN_CAST(f32_to_u32_rn, unsigned int, float,
             bang_impl::saturated<unsigned int>(x, nearbyintf(x)))
BANG_CN_CAST(f32_to_s64_tz, long, float, bang_impl::saturated<long>(x, truncf(x)))
BANG_CN_CAST(s32_to_f32_rn, float, int, static_cast<float>(x))
BANG_CN_CAST(u32_to_f32_rn, float, unsigned int, static_cast<float>(x))
BANG_CN_CAST(s64_to_f32_tz, float, long, bang_impl::toward_zero(x))
BANG_CN_CAST(s32_to_s64, long, int, x)
BANG_CN_CAST(u32_to_u64, unsigned long, unsigned int, x)
BANG_CN_CAST(u8_to_s64, long, unsigned char, x)
#undef BANG_CN_CAST

/* memory op= value; returns the old value. */
#define BANG_CN_ATOMIC(name, op, tag, type)                                                     \
  BANG_ON_CALL type __cn_scalar_atomic_##name##_##tag(type *memory, type value) {               \
    type old = 0;                                                                               \
    __bang_vec_atomic(op, bang_impl::element<type>::code, &old, memory, &value, nullptr, 1, 1); \
    return old;                                                                                 \
  }
#define BANG_CN_ATOMIC_UNSIGNED(name, op)     \
  BANG_CN_ATOMIC(name, op, u32, unsigned int) \
  BANG_CN_ATOMIC(name, op, u16, unsigned short)
#define BANG_CN_ATOMIC_INTEGER(name, op) \
  BANG_CN_ATOMIC_UNSIGNED(name, op)      \
  BANG_CN_ATOMIC(name, op, s32, int)     \
  BANG_CN_ATOMIC(name, op, s16, short)
#define BANG_CN_ATOMIC_NUMBER(name, op) \
  BANG_CN_ATOMIC_INTEGER(name, op)      \
  BANG_CN_ATOMIC(name, op, f32, float)  \
  BANG_CN_ATOMIC(name, op, f16, half)
BANG_CN_ATOMIC_NUMBER(add, BANG_ATOMIC_ADD)
BANG_CN_ATOMIC_NUMBER(exch, BANG_ATOMIC_EXCH)
BANG_CN_ATOMIC_NUMBER(max, BANG_ATOMIC_MAX)
BANG_CN_ATOMIC_NUMBER(min, BANG_ATOMIC_MIN)
BANG_CN_ATOMIC_UNSIGNED(inc, BANG_ATOMIC_INC)
BANG_CN_ATOMIC_UNSIGNED(dec, BANG_ATOMIC_DEC)
BANG_CN_ATOMIC_INTEGER(and, BANG_ATOMIC_AND)
BANG_CN_ATOMIC_INTEGER(or, BANG_ATOMIC_OR)
BANG_CN_ATOMIC_INTEGER(xor, BANG_ATOMIC_XOR)
#undef BANG_CN_ATOMIC
#undef BANG_CN_ATOMIC_UNSIGNED
#undef BANG_CN_ATOMIC_INTEGER
#undef BANG_CN_ATOMIC_NUMBER

#define BANG_CN_CAS(tag, type)                                                               \
  BANG_ON_CALL type __cn_scalar_atomic_cas_##tag(type *memory, type compare, type value) {   \
    type old = 0;                                                                            \
    __bang_vec_atomic(BANG_ATOMIC_CAS, bang_impl::element<type>::code, &old, memory, &value, \
                      &compare, 1, 1);                                                       \
    return old;                                                                              \
  }
BANG_CN_CAS(s32, int)
BANG_CN_CAS(u32, unsigned int)
BANG_CN_CAS(s16, short)
BANG_CN_CAS(u16, unsigned short)
#undef BANG_CN_CAS

#endif /* BANG_LIBDEVICE_CAST_H_ */
