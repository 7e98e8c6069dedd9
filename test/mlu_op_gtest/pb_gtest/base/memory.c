/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* madvise */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/parallel.h"

static const size_t huge_page = (size_t)2 << 20;
enum { COPY_GRAIN = 4 << 20 };

void *mluop_memory_alloc(size_t size) {
  if (size < 2 * huge_page) {
    return malloc(size ? size : 1);
  }
  void *block = NULL;
  if (posix_memalign(&block, huge_page, size)) {
    return NULL;
  }
  madvise(block, size, MADV_HUGEPAGE); /* only a wish */
  return block;
}

typedef struct CopyJob {
  char *to;
  const char *from;
} CopyJob;

static void copy_piece(void *arg, size_t piece, size_t begin, size_t end) {
  const CopyJob *job = arg;
  (void)piece;
  memcpy(job->to + begin, job->from + begin, end - begin);
}

void mluop_memory_copy(void *to, const void *from, size_t size) {
  CopyJob job = {to, from};
  mluop_parallel_for(size, COPY_GRAIN, copy_piece, &job);
}
