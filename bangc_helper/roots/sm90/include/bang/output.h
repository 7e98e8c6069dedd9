/* SPDX-License-Identifier: MIT
 *
 * Printing and assertions in kernels; each task prints once.
 */
#ifndef BANG_OUTPUT_H_
#define BANG_OUTPUT_H_

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "bang/task.h"
#include "bang/types.h"

namespace bang_impl {

/* A 16-bit number passes through "..." as a float does, so that %f prints it. */
template <class T>
BANG_INLINE T printable(T argument) {
  return argument;
}
BANG_INLINE double printable(half argument) {
  return (float)argument;
}
BANG_INLINE double printable(bfloat16_t argument) {
  return (float)argument;
}

}  // namespace bang_impl

template <class... T>
BANG_INLINE int __bang_printf(const char *format, T... arguments) {
  int printed = 0;
  if (bang_impl::lane_id() == 0) printed = ::printf(format, bang_impl::printable(arguments)...);
  __syncwarp();
  return __shfl_sync(0xffffffffu, printed, 0);
}
template <class... T>
BANG_BOTH int __bang_printf_here(const char *format, T... arguments) {
#ifdef __CUDA_ARCH__
  return __bang_printf(format, arguments...);
#else
  return ::printf(format, arguments...);
#endif
}
#ifndef __CUDACC__ /* for the text of kernels */
#define printf(...) __bang_printf_here(__VA_ARGS__)
#endif

/* assert() in a kernel ends the launch. */
#ifdef NDEBUG /* otherwise <assert.h> declares it */
extern "C" void __assert_fail(const char *, const char *, unsigned, const char *) noexcept
    __attribute__((noreturn));
#endif
BANG_BOTH void __bang_assert_fail(const char *expression, const char *file, unsigned line,
                                  const char *function) {
#ifdef __CUDA_ARCH__
  if (bang_impl::lane_id() == 0) {
    ::printf("%s:%u: %s: assertion `%s' failed\n", file, line, function, expression);
  }
  bang_impl::fault(bang_impl::fault_assert, "an assertion failed");
#else
  __assert_fail(expression, file, line, function);
#endif
}
#ifndef __CUDACC__
#define __assert_fail(...) __bang_assert_fail(__VA_ARGS__)
#endif

/* cncc turns exit() and abort() in device code into these, which end the launch. */
BANG_BOTH void __bang_exit(int status) {
#ifdef __CUDA_ARCH__
  if (bang_impl::lane_id() == 0) ::printf("exit(%d) in a kernel\n", status);
  bang_impl::fault(bang_impl::fault_assert, "the kernel called exit");
#else
  ::exit(status);
#endif
}
BANG_BOTH void __bang_abort() {
#ifdef __CUDA_ARCH__
  bang_impl::fault(bang_impl::fault_assert, "the kernel called abort");
#else
  ::abort();
#endif
}
#define __abort() __bang_abort()
namespace std {
using ::__bang_abort;
using ::__bang_exit;
}  // namespace std

#endif /* BANG_OUTPUT_H_ */
