/* SPDX-License-Identifier: MIT
 *
 * Named numbers per case, kept in XML. Reads the reports Google Test writes (properties as
 * attributes or as child elements); writing changes numbers in such a file and nothing else. */
#ifndef MLUOP_TEST_RUN_BASELINE_FILE_H_
#define MLUOP_TEST_RUN_BASELINE_FILE_H_

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

typedef struct mluopBaselineNumber {
  char *name;
  double value;
  bool changed; /* differs from the file */
} mluopBaselineNumber;

typedef struct mluopBaselineCase {
  char *key; /* operator and file name without the folder, which differs between machines */
  mluopBaselineNumber *numbers;
  size_t n;
  bool in_file; /* seen in the file while writing */
} mluopBaselineCase;

typedef struct mluopBaselineFile {
  mluopBaselineCase *cases;
  size_t n;
} mluopBaselineFile;

/* A missing file is an empty one. */
int mluop_baseline_file_read(mluopBaselineFile *file, const char *path, mluopTestText *errors);
/* Puts the changed numbers into the file; cases it does not have are added after the others. */
int mluop_baseline_file_write(mluopBaselineFile *file, const char *path, mluopTestText *errors);
void mluop_baseline_file_free(mluopBaselineFile *file);

/* NULL when unknown. */
const double *mluop_baseline_file_get(const mluopBaselineFile *file, const char *key,
                                      const char *name);
void mluop_baseline_file_set(mluopBaselineFile *file, const char *key, const char *name,
                             double value);

#endif /* MLUOP_TEST_RUN_BASELINE_FILE_H_ */
