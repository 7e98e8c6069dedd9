/* SPDX-License-Identifier: MIT
 *
 * Per-row helpers of gather and scatter.
 */
#ifndef BANG_CPU_VECTOR_TRANSFER_H_
#define BANG_CPU_VECTOR_TRANSFER_H_

#include <string.h>

#include "bang/vector_api.h"

/* Always inlined: gcc otherwise drops a function that only prefetches, as if it had no effect. */
#define TRANSFER_INLINE static inline __attribute__((always_inline))

TRANSFER_INLINE int transfer_selects(const bangTransfer *transfer, int64_t i) {
  return transfer->mask == NULL || (transfer->mask[i / 8] >> (i % 8) & 1);
}

/* Offsets may be unaligned. */
TRANSFER_INLINE uint32_t transfer_offset(const bangTransfer *transfer, int64_t i) {
  uint32_t offset;
  memcpy(&offset, (const char *)transfer->offset + i * (int64_t)sizeof offset, sizeof offset);
  return offset;
}

/* How many bytes of a gather's source are prefetched: about what a core can have in flight. */
#define TRANSFER_BYTES_AHEAD 4096
#define TRANSFER_LINE 64

/* Returns 0 for small elements: the CPU's out-of-order execution covers those. */
TRANSFER_INLINE int64_t transfer_rows_ahead(const bangTransfer *transfer) {
  int64_t bytes = transfer->bytes;
  return bytes < TRANSFER_LINE / 2      ? 0
         : bytes < TRANSFER_LINE        ? TRANSFER_BYTES_AHEAD / TRANSFER_LINE
         : bytes < TRANSFER_BYTES_AHEAD ? TRANSFER_BYTES_AHEAD / bytes
                                        : 1;
}

/* Prefetches row i of a gather, if it exists. */
TRANSFER_INLINE void transfer_fetch(const bangTransfer *transfer, int64_t i) {
  if (i >= transfer->count || !transfer_selects(transfer, i)) {
    return;
  }
  const char *src = transfer->src + transfer_offset(transfer, i);
  int64_t bytes = transfer->bytes < TRANSFER_BYTES_AHEAD ? transfer->bytes : TRANSFER_BYTES_AHEAD;
  for (int64_t j = 0; j < bytes; j += TRANSFER_LINE) {
    __builtin_prefetch(src + j, 0, 2);
  }
}

#endif /* BANG_CPU_VECTOR_TRANSFER_H_ */
