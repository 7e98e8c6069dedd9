/* SPDX-License-Identifier: MIT */
#include "run/output_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

static _Atomic bool failed;

static void report_failure(const char *name, int error) {
  atomic_store(&failed, true);
  fprintf(stderr, "[ERROR] %s cannot be written%s%s\n", name, error ? ": " : "",
          error ? strerror(error) : "");
}

FILE *mluop_output_open(const char *name, const char *mode) {
  FILE *file = fopen(name, mode);
  if (!file) {
    report_failure(name, errno);
  }
  return file;
}

void mluop_output_close(FILE *file, const char *name) {
  if (!file) {
    return;
  }
  const bool lost = ferror(file) != 0;
  errno = 0;
  if (fclose(file) || lost) {
    report_failure(name, errno);
  }
}

bool mluop_output_is_writable(const char *name) {
  FILE *file = fopen(name, "ae");
  if (!file) {
    report_failure(name, errno);
    return false;
  }
  fclose(file);
  return true;
}

void mluop_output_expect_end(const char *name, const char *end) {
  char tail[64] = "";
  const long room = (long)sizeof(tail) - 1;
  FILE *file = fopen(name, "re");
  if (file && !fseek(file, 0, SEEK_END)) {
    const long size = ftell(file);
    if (!fseek(file, size > room ? size - room : 0, SEEK_SET)) {
      tail[fread(tail, 1, (size_t)(size > room ? room : size), file)] = '\0';
    }
  }
  if (file) {
    fclose(file);
  }
  size_t length = strlen(tail);
  while (length > 0 && isspace((unsigned char)tail[length - 1])) {
    --length;
  }
  const size_t wanted = strlen(end);
  if (length < wanted || memcmp(tail + length - wanted, end, wanted) != 0) {
    report_failure(name, 0);
  }
}

void mluop_output_check_stdout(void) {
  errno = 0;
  if (fflush(stdout) || ferror(stdout)) {
    report_failure("the standard output", errno);
  }
}

bool mluop_output_failed(void) {
  return atomic_load(&failed);
}
