/* SPDX-License-Identifier: MIT
 *
 * Device memory with guards: 512 bytes of a known pattern before and after the data. */
#ifndef MLUOP_TEST_RUN_DEVICE_BUFFER_H_
#define MLUOP_TEST_RUN_DEVICE_BUFFER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "run/block_pool.h"

enum { MLUOP_GUARD_SIZE = 512 };

typedef struct mluopDeviceBuffer {
  void *block; /* NULL: an empty buffer */
  size_t block_size;
  void *data;
  size_t size;
  uint32_t pattern;
  bool guarded;
  mluopBlockPool *pool;
  bool host_reaches; /* the host may read and write it as its own memory */
  bool used;         /* its pages exist already; new pages are best written through the caches */
} mluopDeviceBuffer;

typedef struct mluopBufferOptions {
  bool guarded;
  bool constant;    /* memory kernels only read */
  size_t offset;    /* offset of the data from the natural alignment, in bytes */
  uint32_t pattern; /* for the guards and for mluop_device_buffer_fill */
} mluopBufferOptions;

/* size 0 gives a buffer whose data is NULL, as operators allow for empty tensors. Returns 0, or -1
 * with a reason. */
int mluop_device_buffer_create(mluopDeviceBuffer *buffer, mluopBlockPool *pool, size_t size,
                               const mluopBufferOptions *options, mluopTestText *errors);
void mluop_device_buffer_destroy(mluopDeviceBuffer *buffer);

/* Copies the data from and to the host. */
int mluop_device_buffer_read(const mluopDeviceBuffer *buffer, void *host);
int mluop_device_buffer_write(mluopDeviceBuffer *buffer, const void *host);

/* Fills the data with the pattern. */
int mluop_device_buffer_fill(mluopDeviceBuffer *buffer);

/* Number of guard bytes that changed before and after the data; -1 when the device cannot be read.
 */
typedef struct mluopGuardState {
  int before;
  int after;
  ptrdiff_t first; /* offset from the data's start of the first changed byte */
} mluopGuardState;
mluopGuardState mluop_device_buffer_check(const mluopDeviceBuffer *buffer);

#endif /* MLUOP_TEST_RUN_DEVICE_BUFFER_H_ */
