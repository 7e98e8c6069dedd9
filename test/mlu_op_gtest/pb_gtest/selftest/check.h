/* SPDX-License-Identifier: MIT
 *
 * A minimal test harness: checks count failures and continue. */
#ifndef MLUOP_TEST_SELFTEST_CHECK_H_
#define MLUOP_TEST_SELFTEST_CHECK_H_

#include <stdio.h>
#include <string.h>

static int check_failures;

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      ++check_failures;                                                         \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                           \
  } while (0)

/* `text` contains `part`. */
#define CHECK_CONTAINS(text, part)                                                         \
  do {                                                                                     \
    const char *text_ = (text), *part_ = (part);                                           \
    if (!strstr(text_, part_)) {                                                           \
      ++check_failures;                                                                    \
      fprintf(stderr, "%s:%d: \"%s\" is not in:\n%s\n", __FILE__, __LINE__, part_, text_); \
    }                                                                                      \
  } while (0)

/* Exit code of a test program. */
static inline int check_result(const char *name) {
  printf("%s: %s\n", name, check_failures ? "FAILED" : "passed");
  return check_failures ? 1 : 0;
}

#endif /* MLUOP_TEST_SELFTEST_CHECK_H_ */
