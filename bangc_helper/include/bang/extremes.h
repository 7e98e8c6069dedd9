/* SPDX-License-Identifier: MIT
 *
 * min and max of two numbers, as kernels call them without std::.
 *
 * A program's own functions of these names, or those of std::, always win overload resolution: this
 * template also takes a pack and is therefore less specialized than any with two parameters. Its
 * first template parameter keeps it out of calls such as min<int>(a, b).
 */
#ifndef BANG_EXTREMES_H_
#define BANG_EXTREMES_H_

#include <type_traits>

#include "bang/inline.h"
#include "bang/types.h"

namespace bang_impl {

enum { NO_NUMBER, SMALL_FLOAT, SINGLE_FLOAT, DOUBLE_FLOAT, SIGNED_INTEGER, UNSIGNED_INTEGER };

template <class T>
constexpr int number_kind() {
  return std::is_same<T, half>::value || std::is_same<T, bfloat16_t>::value ? SMALL_FLOAT
         : std::is_same<T, float>::value                                    ? SINGLE_FLOAT
         : std::is_same<T, double>::value                                   ? DOUBLE_FLOAT
         : !std::is_integral<T>::value                                      ? NO_NUMBER
         : std::is_signed<T>::value                                         ? SIGNED_INTEGER
                                                                            : UNSIGNED_INTEGER;
}

/* Result type of min and max. If the kinds differ, it is the narrower float, since the device has
 * no double. A signed and an unsigned integer have no result type: no type holds both, so such a
 * call must mean a function of the program. */
template <class A, class B, int a_kind, int b_kind>
struct extreme_of_kinds : std::conditional<(a_kind < b_kind), A, B> {};
template <class A, class B, int kind>
struct extreme_of_kinds<A, B, kind, kind> : std::common_type<A, B> {};
template <class A, int kind>
struct extreme_of_kinds<A, A, kind, kind> {
  typedef A type;
};
template <class A, class B>
struct extreme_of_kinds<A, B, SIGNED_INTEGER, UNSIGNED_INTEGER> {};
template <class A, class B>
struct extreme_of_kinds<A, B, UNSIGNED_INTEGER, SIGNED_INTEGER> {};

template <bool are_numbers, class... Numbers>
struct extreme_of_numbers {};
template <class A, class B>
struct extreme_of_numbers<true, A, B> : extreme_of_kinds<A, B, number_kind<A>(), number_kind<B>()> {
};

template <class... Numbers>
struct extreme {};
template <class A, class B>
struct extreme<A, B>
    : extreme_of_numbers<number_kind<A>() != NO_NUMBER && number_kind<B>() != NO_NUMBER, A, B> {};

/* A namespace of its own, so that std:: imports just these functions and not CUDA's functions of
 * the same names. */
namespace extremes {

template <int = 0, class A, class B, class... None>
BANG_BOTH typename extreme<A, B, None...>::type min(A a, B b, None...) {
  typedef typename extreme<A, B>::type Result;
  const Result x = static_cast<Result>(a), y = static_cast<Result>(b);
  return y < x ? y : x;
}
template <int = 0, class A, class B, class... None>
BANG_BOTH typename extreme<A, B, None...>::type max(A a, B b, None...) {
  typedef typename extreme<A, B>::type Result;
  const Result x = static_cast<Result>(a), y = static_cast<Result>(b);
  return x < y ? y : x;
}

}  // namespace extremes
}  // namespace bang_impl

using bang_impl::extremes::max;
using bang_impl::extremes::min;

#endif /* BANG_EXTREMES_H_ */
