/* SPDX-License-Identifier: MIT */
#include "run/device_compare.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "cnrt.h"

enum { PIECE_BYTES = 1 << 20 };

typedef struct CompareJob {
  const char *device, *host;
  atomic_bool unreadable;
  atomic_size_t first; /* smallest byte that differs, SIZE_MAX: none */
} CompareJob;

static void note_first(atomic_size_t *first, size_t at) {
  size_t known = atomic_load(first);
  while (at < known && !atomic_compare_exchange_weak(first, &known, at)) {
  }
}

static void compare_piece(void *arg, size_t piece, size_t begin, size_t end) {
  CompareJob *job = arg;
  (void)piece;
  if (atomic_load(&job->unreadable) || begin > atomic_load(&job->first)) {
    return;
  }
  const size_t size = end - begin;
  unsigned char *found = malloc(size);
  const unsigned char *wanted = (const unsigned char *)job->host + begin;
  if (!found || cnrtMemcpy(found, (void *)(uintptr_t)(job->device + begin), size,
                           cnrtMemcpyDevToHost) != cnrtSuccess) {
    atomic_store(&job->unreadable, true);
  } else if (memcmp(found, wanted, size)) {
    size_t at = 0;
    while (found[at] == wanted[at]) {
      ++at;
    }
    note_first(&job->first, begin + at);
  }
  free(found);
}

mluopDeviceDifference mluop_device_compare(const void *device, const void *host, size_t size) {
  CompareJob job = {.device = device, .host = host, .first = SIZE_MAX};
  mluop_parallel_for(size, PIECE_BYTES, compare_piece, &job);
  const size_t first = atomic_load(&job.first);
  return (mluopDeviceDifference){.readable = !atomic_load(&job.unreadable),
                                 .equal = first == SIZE_MAX,
                                 .first = first == SIZE_MAX ? 0 : first};
}
