/* SPDX-License-Identifier: MIT
 *
 * Temporary files of tests, in the folder TMPDIR like those of other programs. */
#ifndef TEST_COMMON_SCRATCH_H_
#define TEST_COMMON_SCRATCH_H_

#include <stdio.h>
#include <stdlib.h>

enum { SCRATCH_PATH = 512 };

/* A template for mkdtemp and mkstemp, which refuse one that was truncated. */
static inline char *scratch_path(char path[SCRATCH_PATH], const char *name) {
  const char *folder = getenv("TMPDIR");
  snprintf(path, SCRATCH_PATH, "%s/%s_XXXXXX", folder && folder[0] ? folder : "/tmp", name);
  return path;
}

#endif /* TEST_COMMON_SCRATCH_H_ */
