/* SPDX-License-Identifier: MIT
 *
 * Printing and assertions in kernels.
 */
#ifndef BANG_OUTPUT_H_
#define BANG_OUTPUT_H_

#include "bang/inline.h"

#include <assert.h>
#include <stdio.h>

#include "bang/builtin.h"
#include "bang/types.h"

namespace bang_impl {

/* A 16-bit number passes through "..." as a float does, so that %f prints it. */
template <class T>
BANG_INLINE T printable(T argument) {
  return argument;
}
BANG_INLINE double printable(half argument) {
  return static_cast<double>(argument);
}
BANG_INLINE double printable(bfloat16_t argument) {
  return static_cast<float>(argument);
}

template <class... T>
struct any_half : std::false_type {};
template <class T, class... Rest>
struct any_half<T, Rest...> : std::integral_constant<bool, std::is_same<T, half>::value ||
                                                               std::is_same<T, bfloat16_t>::value ||
                                                               any_half<Rest...>::value> {};

}  // namespace bang_impl

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
template <class... T>
BANG_INLINE int __bang_printf(const char *format, T... arguments) {
  return ::printf(format, bang_impl::printable(arguments)...);
}
#pragma GCC diagnostic pop

/* Taken only by calls with a 16-bit argument; all others keep the compiler's format check.
 */
template <class... T>
BANG_INLINE typename std::enable_if<bang_impl::any_half<T...>::value, int>::type printf(
    const char *format, T... arguments) {
  return __bang_printf(format, arguments...);
}

/* assert() in a kernel ends the task, not the process. Including <assert.h> after this header is
 * harmless, because its handler's name is redirected, too. */
extern "C" void __bang_assert_fail(const char *expression, const char *file, unsigned line,
                                   const char *function) __THROW __attribute__((__noreturn__));
#define __assert_fail(...) __bang_assert_fail(__VA_ARGS__)

/* cncc turns exit() and abort() in device code into these, for the same reason. */
extern "C" void __bang_exit(int status) __THROW __attribute__((__noreturn__));
extern "C" void __bang_abort(void) __THROW __attribute__((__noreturn__));
#define __abort() __bang_abort()
namespace std {
using ::__bang_abort;
using ::__bang_exit;
}  // namespace std

#endif /* BANG_OUTPUT_H_ */
