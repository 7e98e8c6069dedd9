/* SPDX-License-Identifier: MIT
 *
 * Reads the findings of a file that MLUOP_CHECK_JSON named.
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

/* Returns the number of findings and stores up to MAX_FINDINGS of them; 0 if there is no file, -1
 * if it cannot be parsed. */
int findings_read(struct finding *list, const char *path);

#endif /* TEST_CHECKER_FINDINGS_H_ */
