/* SPDX-License-Identifier: MIT
 *
 * Where tests put files of their own: in the folder that TMPDIR names, as everything else does. */
#ifndef TEST_COMMON_SCRATCH_H_
#define TEST_COMMON_SCRATCH_H_

#include <stdio.h>
#include <stdlib.h>

enum { SCRATCH_PATH = 512 };

/* What mkdtemp and mkstemp make a name of. One that does not fit is refused by them. */
static inline char *scratch_path(char path[SCRATCH_PATH], const char *name) {
  const char *folder = getenv("TMPDIR");
  snprintf(path, SCRATCH_PATH, "%s/%s_XXXXXX", folder && folder[0] ? folder : "/tmp", name);
  return path;
}

#endif /* TEST_COMMON_SCRATCH_H_ */
