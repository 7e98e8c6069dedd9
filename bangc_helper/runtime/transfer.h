/* SPDX-License-Identifier: MIT
 *
 * Copies and fills: the checks are shared, each root moves the bytes.
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

/* A box inside a pitched array. */
struct rt_box {
  char *start;
  size_t pitch; /* bytes from row to row */
  size_t plane; /* bytes from plane to plane */
};

/* Fills `count` elements of `width` bytes of memory the runtime owns. */
cnrtRet_t rt_fill(void *address, uint32_t pattern, unsigned width, size_t count);
cnrtRet_t rt_fill_async(void *address, uint32_t pattern, unsigned width, size_t count,
                        cnrtQueue_t queue);

/* The transfer is done when the call returns, unless a capture forbids such calls. */
cnrtRet_t rt_transfer_wait(const struct rt_transfer *transfer);

/* Whether a range can be the device's or the host's side of a copy. */
bool rt_copy_side_is_valid(const void *address, size_t bytes, bool device);

/* Whether the copy's ranges overlap, so that it must behave as memmove. */
static inline bool rt_transfer_overlaps(const struct rt_transfer *transfer) {
  return transfer->source != NULL && transfer->source < transfer->target + transfer->bytes &&
         transfer->target < transfer->source + transfer->bytes;
}

/* ---- What a root does for it ---- */

/* Done when the call returns, after what the current device's default queue has to do. */
cnrtRet_t rt_transfer_now(const struct rt_transfer *transfer);
cnrtRet_t rt_box_copy_now(const struct rt_box *dst, const struct rt_box *src, cnrtExtent_t extent);
/* Done in the order of a queue. */
cnrtRet_t rt_transfer_enqueue(const struct rt_transfer *transfer, cnrtQueue_t queue);
cnrtRet_t rt_box_copy_enqueue(const struct rt_box *dst, const struct rt_box *src,
                              cnrtExtent_t extent, cnrtQueue_t queue);

#endif /* RUNTIME_TRANSFER_H_ */
