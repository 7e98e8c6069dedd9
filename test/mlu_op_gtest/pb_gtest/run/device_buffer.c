/* SPDX-License-Identifier: MIT */
#include "run/device_buffer.h"

#include <string.h>

#include "base/parallel.h"
#include "cnrt.h"

typedef struct FillJob {
  unsigned char *bytes;
  uint32_t pattern;
} FillJob;

/* Pieces begin at whole words. */
static void fill_piece(void *arg, size_t piece, size_t begin, size_t end) {
  const FillJob *job = arg;
  (void)piece;
  for (; begin + sizeof(job->pattern) <= end; begin += sizeof(job->pattern)) {
    memcpy(job->bytes + begin, &job->pattern, sizeof(job->pattern));
  }
  memcpy(job->bytes + begin, &job->pattern, end - begin);
}

void mluop_fill_pattern(void *host, size_t size, uint32_t pattern) {
  enum { GRAIN = 4 << 20 };
  FillJob job = {host, pattern};
  mluop_parallel_for(size, GRAIN, fill_piece, &job);
}

static int copy_pattern(void *device, size_t size, uint32_t pattern) {
  unsigned char words[MLUOP_GUARD_SIZE];
  for (size_t done = 0; done < size; done += sizeof(words)) {
    const size_t n = size - done < sizeof(words) ? size - done : sizeof(words);
    mluop_fill_pattern(words, n, pattern);
    if (cnrtMemcpy((char *)device + done, words, n, cnrtMemcpyHostToDev) != cnrtSuccess) {
      return -1;
    }
  }
  return 0;
}

int mluop_device_fill(void *device, size_t size, uint32_t pattern) {
  const bool whole_words = (uintptr_t)device % sizeof(pattern) == 0;
  const size_t words = whole_words ? size / sizeof(pattern) : 0;
  if (words && cnrtMemsetD32(device, pattern, words) != cnrtSuccess) {
    return -1;
  }
  const size_t done = words * sizeof(pattern);
  return copy_pattern((char *)device + done, size - done, pattern);
}

int mluop_device_buffer_create(mluopDeviceBuffer *buffer, size_t size,
                               const mluopBufferOptions *options, mluopTestText *errors) {
  *buffer = (mluopDeviceBuffer){.size = size, .pattern = options->pattern};
  if (!size) {
    return 0;
  }
  const size_t guard = options->guarded ? MLUOP_GUARD_SIZE : 0;
  buffer->guarded = options->guarded;
  buffer->block_size = guard + options->offset + size + guard;
  const cnrtRet_t ret = options->constant ? cnrtMallocConstant(&buffer->block, buffer->block_size)
                                          : cnrtMalloc(&buffer->block, buffer->block_size);
  if (ret != cnrtSuccess) {
    mluop_text_add(errors, "no device memory for %zu bytes: %s", buffer->block_size,
                   cnrtGetErrorStr(ret));
    buffer->block = NULL;
    return -1;
  }
  buffer->data = (char *)buffer->block + guard + options->offset;
  char *tail = (char *)buffer->data + size;
  if (guard && (mluop_device_fill(buffer->block, guard + options->offset, options->pattern) ||
                mluop_device_fill(tail, guard, options->pattern))) {
    mluop_text_add(errors, "guards cannot be written to device memory");
    mluop_device_buffer_destroy(buffer);
    return -1;
  }
  return 0;
}

void mluop_device_buffer_destroy(mluopDeviceBuffer *buffer) {
  if (buffer->block) {
    cnrtFree(buffer->block);
  }
  *buffer = (mluopDeviceBuffer){0};
}

int mluop_device_buffer_read(const mluopDeviceBuffer *buffer, void *host) {
  return cnrtMemcpy(host, buffer->data, buffer->size, cnrtMemcpyDevToHost) == cnrtSuccess ? 0 : -1;
}

/* Counts the bytes of one guard that do not hold the pattern any more. */
static int check_guard(const mluopDeviceBuffer *buffer, char *device, size_t size,
                       ptrdiff_t *first) {
  unsigned char found[MLUOP_GUARD_SIZE], wanted[MLUOP_GUARD_SIZE];
  int changed = 0;
  for (size_t done = 0; done < size;) {
    const size_t n = size - done < sizeof(found) ? size - done : sizeof(found);
    if (cnrtMemcpy(found, device + done, n, cnrtMemcpyDevToHost) != cnrtSuccess) {
      return -1;
    }
    mluop_fill_pattern(wanted, n, buffer->pattern);
    for (size_t i = 0; i < n; ++i) {
      if (found[i] != wanted[i]) {
        if (!changed++) {
          *first = device + done + i - (char *)buffer->data;
        }
      }
    }
    done += n;
  }
  return changed;
}

mluopGuardState mluop_device_buffer_check(const mluopDeviceBuffer *buffer) {
  mluopGuardState state = {0};
  if (!buffer->block || !buffer->guarded) {
    return state;
  }
  ptrdiff_t first = 0;
  const size_t head = (size_t)((char *)buffer->data - (char *)buffer->block);
  state.before = check_guard(buffer, buffer->block, head, &first);
  state.first = first;
  state.after = check_guard(buffer, (char *)buffer->data + buffer->size, MLUOP_GUARD_SIZE, &first);
  if (!state.before) {
    state.first = first;
  }
  return state;
}
