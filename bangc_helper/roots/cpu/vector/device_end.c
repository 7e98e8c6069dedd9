/* SPDX-License-Identifier: MIT
 *
 * assert(), exit() and abort(): called by a kernel they end the launch, otherwise they go to the C
 * library.
 */
#undef NDEBUG /* for the declaration of __assert_fail */
#include <assert.h>
#include <stdlib.h>

#include "bang_runtime.h"
#include "vector/vector.h"

BANG_API void __bang_assert_fail(const char *expression, const char *file, unsigned line,
                                 const char *function) {
  if (__bang_in_task()) {
    __bang_fault(CN_INVOKE_ERROR_ASSERT, "%s:%u: %s: assertion `%s' failed", file, line, function,
                 expression);
  }
  __assert_fail(expression, file, line, function);
}

BANG_API void __bang_exit(int status) {
  if (__bang_in_task()) {
    __bang_fault(CN_INVOKE_ERROR_ASSERT, "the kernel called exit(%d)", status);
  }
  exit(status);
}

BANG_API void __bang_abort(void) {
  if (__bang_in_task()) {
    __bang_fault(CN_INVOKE_ERROR_ASSERT, "the kernel called abort()");
  }
  abort();
}
