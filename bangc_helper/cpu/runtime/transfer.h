/* SPDX-License-Identifier: MIT
 *
 * Copies and fills of contiguous memory, at once or in a queue.
 */
#ifndef RUNTIME_TRANSFER_H_
#define RUNTIME_TRANSFER_H_

#include "common.h"

/* A copy, or with source NULL a fill with the low `width` bytes of pattern. */
struct rt_transfer {
  char *target;
  const char *source;
  size_t bytes;
  uint32_t pattern;
  unsigned width;
};

/* Does it; large ones with the help of idle workers. */
void rt_transfer_now(const struct rt_transfer *transfer);
/* Does it in the order of a queue. */
cnrtRet_t rt_transfer_enqueue(const struct rt_transfer *transfer, cnrtQueue_t queue);

/* Whether the ranges of a copy fit its direction: the device's side inside one allocation, the
 * host's side outside of any. */
cnrtRet_t rt_transfer_check(const void *dst, size_t dst_bytes, const void *src, size_t src_bytes,
                            cnrtMemTransDir_t dir);

/* Fills `count` elements of `width` bytes of memory the runtime owns. */
cnrtRet_t rt_fill(void *address, uint32_t pattern, unsigned width, size_t count);
cnrtRet_t rt_fill_async(void *address, uint32_t pattern, unsigned width, size_t count,
                        cnrtQueue_t queue);

#endif /* RUNTIME_TRANSFER_H_ */
