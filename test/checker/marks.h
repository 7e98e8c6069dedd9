/* SPDX-License-Identifier: MIT
 *
 * What the comments of a kernel file say that checks must find.
 */
#ifndef TEST_CHECKER_MARKS_H_
#define TEST_CHECKER_MARKS_H_

#include <stdbool.h>
#include <stddef.h>

enum { MARK_NAME_BYTES = 96, MAX_MARKS = 256 };

struct mark {
  char kernel[MARK_NAME_BYTES];
  char check[16]; /* "": a line that a report names beside its own */
  unsigned line;
};

struct marks {
  struct mark items[MAX_MARKS];
  size_t count;
  char kernels[MAX_MARKS][MARK_NAME_BYTES]; /* in the order of the file */
  size_t kernel_count;
};

/* False when the file cannot be read, or a kernel has no mark. */
bool marks_read(struct marks *marks, const char *path);

/* The check that the kernel's defect belongs to. */
const char *marks_check(const struct marks *marks, const char *kernel);
/* Is the line one that a report of this kernel may name? `beside`: beside its own. */
bool marks_allow(const struct marks *marks, const char *kernel, unsigned line, bool beside);

#endif /* TEST_CHECKER_MARKS_H_ */
