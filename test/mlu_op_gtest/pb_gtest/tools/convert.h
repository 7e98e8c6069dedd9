/* SPDX-License-Identifier: MIT
 *
 * The common part of pb2prototxt and prototxt2pb. */
#ifndef MLUOP_TEST_TOOLS_CONVERT_H_
#define MLUOP_TEST_TOOLS_CONVERT_H_

#include "base/text.h"

typedef struct mluopConverter {
  const char *name;
  const char *from; /* ".pb" */
  const char *to;   /* ".prototxt" */
  int (*convert)(const char *source, const char *target, mluopTestText *errors);
} mluopConverter;

/* `source` and `target` are two files, a file and a folder, or two folders. Returns the program's
 * exit code: 0, 1 if a file failed, 2 for wrong usage. */
int mluop_convert_main(const mluopConverter *converter, int argc, char **argv);

#endif /* MLUOP_TEST_TOOLS_CONVERT_H_ */
