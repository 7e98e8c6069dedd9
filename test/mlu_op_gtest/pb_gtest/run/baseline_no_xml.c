/* SPDX-License-Identifier: MIT
 *
 * Programs for machines without libxml2: a baseline file is refused. */
#include "base/file.h"
#include "run/baseline_file.h"

static int refuse(const char *path, mluopTestText *errors) {
  mluop_text_add(errors, "%s: this build cannot read or write baseline files: it has no libxml2\n",
                 path);
  return -1;
}

int mluop_baseline_file_read(mluopBaselineFile *file, const char *path, mluopTestText *errors) {
  *file = (mluopBaselineFile){0};
  return mluop_path_exists(path) ? refuse(path, errors) : 0;
}

int mluop_baseline_file_write(mluopBaselineFile *file, const char *path, mluopTestText *errors) {
  (void)file;
  return refuse(path, errors);
}
