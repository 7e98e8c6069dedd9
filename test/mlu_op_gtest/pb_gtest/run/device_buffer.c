/* SPDX-License-Identifier: MIT */
#include "run/device_buffer.h"

#include <string.h>

#include "base/memory.h"
#include "run/host_access.h"

static int copy_pattern(void *device, size_t size, uint32_t pattern) {
  unsigned char words[MLUOP_GUARD_SIZE];
  for (size_t done = 0; done < size; done += sizeof(words)) {
    const size_t n = size - done < sizeof(words) ? size - done : sizeof(words);
    mluop_memory_fill(words, n, pattern, false);
    if (cnrtMemcpy((char *)device + done, words, n, cnrtMemcpyHostToDev) != cnrtSuccess) {
      return -1;
    }
  }
  return 0;
}

static int device_fill(void *device, size_t size, uint32_t pattern) {
  if (size == 0) return 0; /* an empty buffer has no memory */
  const bool whole_words = (uintptr_t)device % sizeof(pattern) == 0;
  const size_t words = whole_words ? size / sizeof(pattern) : 0;
  if (words && cnrtMemsetD32(device, pattern, words) != cnrtSuccess) {
    return -1;
  }
  const size_t done = words * sizeof(pattern);
  return copy_pattern((char *)device + done, size - done, pattern);
}

int mluop_device_buffer_create(mluopDeviceBuffer *buffer, mluopBlockPool *pool, size_t size,
                               const mluopBufferOptions *options, mluopTestText *errors) {
  *buffer = (mluopDeviceBuffer){.size = size, .pattern = options->pattern, .pool = pool};
  if (!size) {
    return 0;
  }
  const size_t guard = options->guarded ? MLUOP_GUARD_SIZE : 0;
  buffer->guarded = options->guarded;
  buffer->block_size = guard + options->offset + size + guard;
  buffer->block =
      mluop_block_take(pool, options->constant ? MLUOP_BLOCK_CONSTANT : MLUOP_BLOCK_DEVICE,
                       buffer->block_size, &buffer->used);
  if (!buffer->block) {
    mluop_text_add(errors, "no device memory for %zu bytes: %s", buffer->block_size,
                   cnrtGetErrorStr(pool->error));
    return -1;
  }
  buffer->host_reaches = mluop_host_reaches(buffer->block);
  buffer->data = (char *)buffer->block + guard + options->offset;
  char *tail = (char *)buffer->data + size;
  if (guard && (device_fill(buffer->block, guard + options->offset, options->pattern) ||
                device_fill(tail, guard, options->pattern))) {
    mluop_text_add(errors, "guards cannot be written to device memory");
    mluop_device_buffer_destroy(buffer);
    return -1;
  }
  return 0;
}

void mluop_device_buffer_destroy(mluopDeviceBuffer *buffer) {
  if (buffer->block) {
    mluop_block_give(buffer->pool, buffer->block);
  }
  *buffer = (mluopDeviceBuffer){0};
}

int mluop_device_buffer_write(mluopDeviceBuffer *buffer, const void *host) {
  if (!buffer->host_reaches) {
    return cnrtMemcpy(buffer->data, (void *)(uintptr_t)host, buffer->size, cnrtMemcpyHostToDev) ==
                   cnrtSuccess
               ? 0
               : -1;
  }
  mluop_memory_copy(buffer->data, host, buffer->size, buffer->used);
  buffer->used = true;
  return 0;
}

int mluop_device_buffer_fill(mluopDeviceBuffer *buffer) {
  if (!buffer->host_reaches) {
    return device_fill(buffer->data, buffer->size, buffer->pattern);
  }
  mluop_memory_fill(buffer->data, buffer->size, buffer->pattern, buffer->used);
  buffer->used = true;
  return 0;
}

int mluop_device_buffer_read(const mluopDeviceBuffer *buffer, void *host) {
  if (buffer->host_reaches) {
    mluop_memory_copy(host, buffer->data, buffer->size, false);
    return 0;
  }
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
    mluop_memory_fill(wanted, n, buffer->pattern, false);
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
