/* SPDX-License-Identifier: MIT
 *
 * Findings in a file that MLUOP_CHECK_JSON names.
 */
#ifndef TEST_CHECKER_FINDINGS_H_
#define TEST_CHECKER_FINDINGS_H_

#include <stddef.h>

enum { MAX_FINDINGS = 64 };

struct finding {
  char check[16], what[256], kernel[128], file[512], function[256], object[128];
  unsigned line, other_line; /* 0: none */
  unsigned long task, count;
};

/* How many there are, at most MAX_FINDINGS of them in the list; no file: none. -1: not what such a
 * file holds. */
int findings_read(struct finding *list, const char *path);

#endif /* TEST_CHECKER_FINDINGS_H_ */
