/* SPDX-License-Identifier: MIT */
#include "judge/bits.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/parallel.h"

enum { BITS_GRAIN = 1 << 18 };

typedef struct BitsJob {
  const mluopDtypeInfo *info;
  const char *a, *b;
  bool any_nan;
  atomic_size_t n_different;
  atomic_size_t first;
} BitsJob;

static void note_first(atomic_size_t *first, size_t index) {
  size_t seen = atomic_load(first);
  while (index < seen && !atomic_compare_exchange_weak(first, &seen, index)) {
  }
}

static void bits_piece(void *arg, size_t piece, size_t begin, size_t end) {
  BitsJob *job = arg;
  (void)piece;
  const size_t size = job->info->part_size;
  if (!memcmp(job->a + begin * size, job->b + begin * size, (end - begin) * size)) {
    return;
  }
  size_t n = 0, first = SIZE_MAX;
  for (size_t i = begin; i < end; ++i) {
    if (!memcmp(job->a + i * size, job->b + i * size, size)) {
      continue;
    }
    if (job->any_nan && mluop_part_is_nan(job->info, job->a, i) &&
        mluop_part_is_nan(job->info, job->b, i)) {
      continue;
    }
    if (!n++) {
      first = i;
    }
  }
  if (n) {
    atomic_fetch_add(&job->n_different, n);
    note_first(&job->first, first);
  }
}

mluopBitsResult mluop_bits_compare(const mluopDtypeInfo *info, const void *a, const void *b,
                                   size_t n_parts, bool any_nan) {
  BitsJob job = {.info = info, .a = a, .b = b, .any_nan = any_nan, .first = SIZE_MAX};
  mluop_parallel_for(n_parts, BITS_GRAIN, bits_piece, &job);
  const size_t n = atomic_load(&job.n_different);
  return (mluopBitsResult){.n_different = n, .first = n ? atomic_load(&job.first) : 0};
}

typedef struct BytesJob {
  const char *a, *b;
  atomic_bool different;
} BytesJob;

static void bytes_piece(void *arg, size_t piece, size_t begin, size_t end) {
  BytesJob *job = arg;
  (void)piece;
  if (memcmp(job->a + begin, job->b + begin, end - begin)) {
    atomic_store(&job->different, true);
  }
}

bool mluop_bytes_equal(const void *a, const void *b, size_t size) {
  if (a == b) {
    return true;
  }
  BytesJob job = {.a = a, .b = b};
  mluop_parallel_for(size, 4 * BITS_GRAIN, bytes_piece, &job);
  return !atomic_load(&job.different);
}
