/* SPDX-License-Identifier: MIT */
#include "run/device_buffer.h"

#include <string.h>

#include "cnrt.h"

void mluop_fill_pattern(void *host, size_t size, uint32_t pattern) {
  unsigned char *bytes = host;
  size_t i = 0;
  for (; i + sizeof(pattern) <= size; i += sizeof(pattern)) {
    memcpy(bytes + i, &pattern, sizeof(pattern));
  }
  memcpy(bytes + i, &pattern, size - i);
}

int mluop_device_fill(void *device, size_t size, uint32_t pattern) {
  enum { CHUNK = 1 << 20 };
  unsigned char small[MLUOP_GUARD_SIZE];
  if (size <= sizeof(small)) {
    mluop_fill_pattern(small, size, pattern);
    return cnrtMemcpy(device, small, size, cnrtMemcpyHostToDev) == cnrtSuccess ? 0 : -1;
  }
  /* Fill a little from the host, then let the device double it. */
  mluop_fill_pattern(small, sizeof(small), pattern);
  if (cnrtMemcpy(device, small, sizeof(small), cnrtMemcpyHostToDev) != cnrtSuccess) {
    return -1;
  }
  for (size_t done = sizeof(small); done < size;) {
    size_t n = done < CHUNK ? done : CHUNK;
    n = n < size - done ? n : size - done;
    if (cnrtMemcpy((char *)device + done, device, n, cnrtMemcpyDevToDev) != cnrtSuccess) {
      return -1;
    }
    done += n;
  }
  return 0;
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
