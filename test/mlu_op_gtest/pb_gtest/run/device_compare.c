/* SPDX-License-Identifier: MIT */
#include "run/device_compare.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/parallel.h"
#include "cnrt.h"

/* What is read back stays in a core's cache until it is compared. */
enum { PIECE_BYTES = 1 << 20, BOUNCE_BYTES = 128 << 10 };

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
  unsigned char found[BOUNCE_BYTES];
  for (size_t at = begin; at < end; at += sizeof(found)) {
    if (atomic_load(&job->unreadable) || at > atomic_load(&job->first)) {
      return;
    }
    const size_t size = end - at < sizeof(found) ? end - at : sizeof(found);
    const unsigned char *wanted = (const unsigned char *)job->host + at;
    if (cnrtMemcpy(found, (void *)(uintptr_t)(job->device + at), size, cnrtMemcpyDevToHost) !=
        cnrtSuccess) {
      atomic_store(&job->unreadable, true);
    } else if (memcmp(found, wanted, size)) {
      size_t differs = 0;
      while (found[differs] == wanted[differs]) {
        ++differs;
      }
      note_first(&job->first, at + differs);
    }
  }
}

mluopDeviceDifference mluop_device_compare(const void *device, const void *host, size_t size) {
  CompareJob job = {.device = device, .host = host, .first = SIZE_MAX};
  mluop_parallel_for(size, PIECE_BYTES, compare_piece, &job);
  const size_t first = atomic_load(&job.first);
  return (mluopDeviceDifference){.readable = !atomic_load(&job.unreadable),
                                 .equal = first == SIZE_MAX,
                                 .first = first == SIZE_MAX ? 0 : first};
}
