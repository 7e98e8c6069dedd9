/* SPDX-License-Identifier: MIT
 *
 * Reads the comments of a kernel file that say what the checks must find.
 */
#ifndef TEST_CHECKER_MARKS_H_
#define TEST_CHECKER_MARKS_H_

#include <stdbool.h>
#include <stddef.h>

enum { MARK_NAME_BYTES = 96, MAX_MARKS = 256 };

struct mark {
  char kernel[MARK_NAME_BYTES];
  char check[16]; /* "": the line may be the second place of a report */
  unsigned line;
};

struct marks {
  struct mark items[MAX_MARKS];
  size_t count;
  char kernels[MAX_MARKS][MARK_NAME_BYTES]; /* in the order of the file */
  size_t kernel_count;
};

/* False if the file cannot be read or a kernel has no mark. */
bool marks_read(struct marks *marks, const char *path);

/* The check that must find the kernel's defect. */
const char *marks_check(const struct marks *marks, const char *kernel);
/* True if a report of this kernel may name the line; `beside`: as its second place. */
bool marks_allow(const struct marks *marks, const char *kernel, unsigned line, bool beside);

#endif /* TEST_CHECKER_MARKS_H_ */
