/* SPDX-License-Identifier: MIT
 *
 * __half: a 16-bit float that both host compilers and cncc know, so that an interface between the
 * two can use it. It has the bits of half, and kernels treat its arrays as arrays of half.
 */
#ifndef BANG_FP16_H_
#define BANG_FP16_H_

#include "bang/small_float.h"

BANG_SMALL_FLOAT(__half, half_bits_of, float_of_half)

namespace std {
BANG_SMALL_LIMITS(__half, 11, 3, -13, 16, -4, 4, 0x0400, 0x7bff, 0xfbff, 0x1400, 0x7c00, 0x7e00,
                  0x3800)
}  // namespace std

#ifdef BANG_H_
#include "bang/element.h"

namespace bang_impl {
template <>
struct element<__half> {
  static constexpr int code = BANG_F16;
};
}  // namespace bang_impl
#else
/* The same functions that bang.h gives to kernels. */
inline __half __float2half(float number) {
  return __half(number);
}
inline __half __float2half_rn(float number) {
  return __half(number);
}
inline float __half2float(__half number) {
  return number;
}
#endif

#endif /* BANG_FP16_H_ */
