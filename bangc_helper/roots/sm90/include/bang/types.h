/* SPDX-License-Identifier: MIT
 *
 * Types and enumerations of BANG C on the GPU. half and bfloat16_t are classes, because the host
 * and the device compiler must agree on them.
 */
#ifndef BANG_TYPES_H_
#define BANG_TYPES_H_

#include <stdint.h>
#include <string.h>

#include <limits>
#include <type_traits>

#include "bang/inline.h"
#include "bang/bfloat16.h"
#include "bang/enums.h"
#include "bang/qualifiers.h"
#include "bang/small_float.h"

typedef int8_t int8;
typedef int8_t fix8;
typedef int16_t int16;
/* Two 4-bit integers. */
struct int4x2_t {
  unsigned char value;
};

BANG_SMALL_FLOAT(half, half_bits_of, float_of_half)

namespace bang_impl {

template <class T>
struct is_small_float : std::false_type {};
template <>
struct is_small_float<half> : std::true_type {};
template <>
struct is_small_float<bfloat16_t> : std::true_type {};

template <class A, class B>
struct small_result {};
template <>
struct small_result<half, half> {
  typedef half type;
};
template <>
struct small_result<bfloat16_t, bfloat16_t> {
  typedef bfloat16_t type;
};

typedef half half_operand;
BANG_BOTH float float_of_number(half x) {
  return static_cast<float>(x);
}
BANG_BOTH half half_of_number(float x) {
  return static_cast<half>(x);
}

}  // namespace bang_impl

#define BANG_SMALL_OPERATOR(op)                                                        \
  template <class A, class B>                                                          \
  BANG_BOTH typename bang_impl::small_result<A, B>::type operator op(A a, B b) {       \
    return typename bang_impl::small_result<A, B>::type(static_cast<float>(a)          \
                                                            op static_cast<float>(b)); \
  }
BANG_SMALL_OPERATOR(+)
BANG_SMALL_OPERATOR(-)
BANG_SMALL_OPERATOR(*)
BANG_SMALL_OPERATOR(/)
#undef BANG_SMALL_OPERATOR

namespace std {

BANG_SMALL_LIMITS(half, 11, 3, -13, 16, -4, 4, 0x0400, 0x7bff, 0xfbff, 0x1400, 0x7c00, 0x7e00,
                  0x3800)

}  // namespace std

#endif /* BANG_TYPES_H_ */
