/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* madvise */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/parallel.h"
#include "base/stream.h"

static const size_t huge_page = (size_t)2 << 20;
enum { GRAIN = 4 << 20 };

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
  bool streamed;
} CopyJob;

static void copy_piece(void *arg, size_t piece, size_t begin, size_t end) {
  const CopyJob *job = arg;
  (void)piece;
  if (job->streamed) {
    mluop_stream_copy(job->to + begin, job->from + begin, end - begin);
  } else {
    memcpy(job->to + begin, job->from + begin, end - begin);
  }
}

void mluop_memory_copy(void *to, const void *from, size_t size, bool streamed) {
  CopyJob job = {to, from, streamed};
  mluop_parallel_for(size, GRAIN, copy_piece, &job);
}

typedef struct FillJob {
  unsigned char *bytes;
  uint32_t pattern;
  bool streamed;
} FillJob;

/* Pieces begin at whole words. */
static void fill_piece(void *arg, size_t piece, size_t begin, size_t end) {
  const FillJob *job = arg;
  (void)piece;
  if (job->streamed) {
    mluop_stream_fill(job->bytes + begin, end - begin, job->pattern);
    return;
  }
  for (; begin + sizeof(job->pattern) <= end; begin += sizeof(job->pattern)) {
    memcpy(job->bytes + begin, &job->pattern, sizeof(job->pattern));
  }
  memcpy(job->bytes + begin, &job->pattern, end - begin);
}

void mluop_memory_fill(void *to, size_t size, uint32_t pattern, bool streamed) {
  FillJob job = {to, pattern, streamed};
  mluop_parallel_for(size, GRAIN, fill_piece, &job);
}
