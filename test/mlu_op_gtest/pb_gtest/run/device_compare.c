/* SPDX-License-Identifier: MIT */
#include "run/device_compare.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/digest.h"
#include "base/parallel.h"
#include "cnrt.h"

/* BOUNCE_BYTES: a copied piece is still in a core's cache when it is compared. */
enum { PIECE_BYTES = 1 << 20, BOUNCE_BYTES = 128 << 10 };

typedef struct CompareJob {
  const mluopDeviceBuffer *buffer;
  const unsigned char *host;
  atomic_bool unreadable;
  atomic_size_t first; /* smallest byte that differs, SIZE_MAX: none */
  _Atomic uint64_t digest;
} CompareJob;

static void note_first(atomic_size_t *first, size_t at) {
  size_t known = atomic_load(first);
  while (at < known && !atomic_compare_exchange_weak(first, &known, at)) {
  }
}

/* Records that the bytes at `at` differ from those of the host. */
static void note_difference(CompareJob *job, const unsigned char *found, size_t at) {
  size_t differs = at;
  while (found[differs - at] == job->host[differs]) {
    ++differs;
  }
  note_first(&job->first, differs);
}

static void compare_in_place(CompareJob *job, size_t begin, size_t end) {
  const unsigned char *found = (const unsigned char *)job->buffer->data + begin;
  uint64_t digest = 0;
  if (!mluop_digest_part_if_same(found, job->host + begin, begin, end - begin, &digest)) {
    note_difference(job, found, begin);
  }
  atomic_fetch_add(&job->digest, digest);
}

static void compare_copied(CompareJob *job, size_t begin, size_t end) {
  unsigned char found[BOUNCE_BYTES];
  for (size_t at = begin; at < end && at < atomic_load(&job->first); at += sizeof(found)) {
    const size_t size = end - at < sizeof(found) ? end - at : sizeof(found);
    if (cnrtMemcpy(found, (char *)job->buffer->data + at, size, cnrtMemcpyDevToHost) !=
        cnrtSuccess) {
      atomic_store(&job->unreadable, true);
      return;
    }
    if (memcmp(found, job->host + at, size)) {
      note_difference(job, found, at);
    }
  }
}

static void compare_piece(void *arg, size_t piece, size_t begin, size_t end) {
  CompareJob *job = arg;
  (void)piece;
  if (begin < atomic_load(&job->first)) {
    (job->buffer->host_reaches ? compare_in_place : compare_copied)(job, begin, end);
  }
}

mluopDeviceDifference mluop_device_compare(const mluopDeviceBuffer *buffer, const void *host) {
  CompareJob job = {.buffer = buffer, .host = host, .first = SIZE_MAX};
  mluop_parallel_for(buffer->size, PIECE_BYTES, compare_piece, &job);
  const size_t first = atomic_load(&job.first);
  return (mluopDeviceDifference){.readable = !atomic_load(&job.unreadable),
                                 .equal = first == SIZE_MAX,
                                 .first = first == SIZE_MAX ? 0 : first,
                                 .digest = atomic_load(&job.digest)};
}

bool mluop_device_is_still(const mluopDeviceBuffer *buffer, uint64_t digest) {
  return buffer->host_reaches && mluop_digest(buffer->data, buffer->size) == digest;
}
