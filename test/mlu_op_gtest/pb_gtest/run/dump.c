/* SPDX-License-Identifier: MIT */
#include "run/dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* An id may hold characters a file name must not. */
static FILE *dump_open(const char *kind, const char *id, const char *suffix) {
  char *name = mluop_text_format("%s_%s%s", kind, id, suffix);
  if (!name) {
    return NULL;
  }
  for (char *c = name; *c; ++c) {
    if (*c == '/') {
      *c = '_';
    }
  }
  FILE *file = fopen(name, "we");
  if (!file) {
    fprintf(stderr, "[WARNING] %s cannot be written\n", name);
  }
  free(name);
  return file;
}

static void dump_values(const char *kind, const mluopTestTensor *tensor, const void *data) {
  char thread[32];
  snprintf(thread, sizeof(thread), "_%ld", (long)syscall(SYS_gettid));
  FILE *file = dump_open(kind, tensor->id, thread);
  if (!file) {
    return;
  }
  for (size_t i = 0; i < tensor->count * tensor->info->parts; ++i) {
    fprintf(file, "%.17g\n", mluop_part_load(tensor->info, data, i));
  }
  fclose(file);
}

void mluop_dump_output(const mluopTestTensor *tensor, const void *baseline, const void *measured) {
  dump_values("baseline", tensor, baseline);
  dump_values("mlu", tensor, measured);
  FILE *file = dump_open("hex", tensor->id, "");
  if (!file) {
    return;
  }
  const int digits = 2 * tensor->info->part_size;
  fprintf(file, "# index: baseline hex, mlu hex, baseline, mlu\n");
  for (size_t i = 0; i < tensor->count * tensor->info->parts; ++i) {
    fprintf(file, "%zu: %0*" PRIx64 " %0*" PRIx64 " %.9g %.9g\n", i, digits,
            mluop_part_bits(tensor->info, baseline, i), digits,
            mluop_part_bits(tensor->info, measured, i), mluop_part_load(tensor->info, baseline, i),
            mluop_part_load(tensor->info, measured, i));
  }
  fclose(file);
}
