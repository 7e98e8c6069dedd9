/* SPDX-License-Identifier: MIT
 *
 * Sanitizers use memory and time of their own, so limits of either apply only without one.
 */
#ifndef TEST_COMMON_SANITIZED_H_
#define TEST_COMMON_SANITIZED_H_

#include <stdbool.h>
#include <stddef.h>

/* Defined in a process with a sanitizer, whichever compiler built it. */
extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

static inline bool is_sanitized(void) {
  return __asan_init != NULL || __tsan_init != NULL;
}

#endif /* TEST_COMMON_SANITIZED_H_ */
