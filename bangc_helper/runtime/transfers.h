/* SPDX-License-Identifier: MIT
 *
 * Copies and fills: what is checked before a root moves the bytes.
 */
#ifndef RUNTIME_TRANSFERS_H_
#define RUNTIME_TRANSFERS_H_

#include "root.h"

/* Fills `count` elements of `width` bytes in memory of the runtime. */
cnrtRet_t rt_fill(void *address, uint32_t pattern, unsigned width, size_t count);
cnrtRet_t rt_fill_async(void *address, uint32_t pattern, unsigned width, size_t count,
                        cnrtQueue_t queue);

/* The transfer is done when the call returns, unless a capture forbids it. */
cnrtRet_t rt_transfer_wait(const struct rt_transfer *transfer);

/* True if a range can be the device's or the host's side of a copy. */
bool rt_copy_side_is_valid(const void *address, size_t bytes, bool device);

/* True if the ranges of a copy overlap, so that it must behave like memmove. */
static inline bool rt_transfer_overlaps(const struct rt_transfer *transfer) {
  return transfer->source != NULL && transfer->source < transfer->target + transfer->bytes &&
         transfer->target < transfer->source + transfer->bytes;
}

#endif /* RUNTIME_TRANSFERS_H_ */
