/* SPDX-License-Identifier: MIT
 *
 * Checks of the card root's unit tests.
 */
#ifndef TEST_CARD_CHECK_H_
#define TEST_CARD_CHECK_H_

#include <stdbool.h>
#include <stdio.h>

static int check_failures;

static inline bool check(bool holds, const char *file, int line, const char *what) {
  if (!holds) {
    ++check_failures;
    fprintf(stderr, "%s:%d: FAIL: %s\n", file, line, what);
  }
  return holds;
}

#define CHECK(condition) check((condition), __FILE__, __LINE__, #condition)

static inline int check_result(void) {
  if (check_failures == 0) {
    printf("passed\n");
  }
  return check_failures != 0;
}

#endif /* TEST_CARD_CHECK_H_ */
