/* SPDX-License-Identifier: MIT
 *
 * What a gather or a scatter looks at per row.
 */
#ifndef BANG_CPU_VECTOR_TRANSFER_H_
#define BANG_CPU_VECTOR_TRANSFER_H_

#include <string.h>

#include "bang/vector_api.h"

/* Inlined in any case: gcc takes a function that only fetches ahead for one that does nothing. */
#define TRANSFER_INLINE static inline __attribute__((always_inline))

TRANSFER_INLINE int transfer_selects(const bangTransfer *transfer, int64_t i) {
  return transfer->mask == NULL || (transfer->mask[i / 8] >> (i % 8) & 1);
}

/* Offsets may lie at any address. */
TRANSFER_INLINE uint32_t transfer_offset(const bangTransfer *transfer, int64_t i) {
  uint32_t offset;
  memcpy(&offset, (const char *)transfer->offset + i * (int64_t)sizeof offset, sizeof offset);
  return offset;
}

/* About this much of a gather's source is fetched ahead: what a core can have on its way. */
#define TRANSFER_BYTES_AHEAD 4096
#define TRANSFER_LINE 64

/* Elements of a few bytes are left to the CPU. */
TRANSFER_INLINE int64_t transfer_rows_ahead(const bangTransfer *transfer) {
  int64_t bytes = transfer->bytes;
  return bytes < TRANSFER_LINE / 2      ? 0
         : bytes < TRANSFER_LINE        ? TRANSFER_BYTES_AHEAD / TRANSFER_LINE
         : bytes < TRANSFER_BYTES_AHEAD ? TRANSFER_BYTES_AHEAD / bytes
                                        : 1;
}

/* Starts fetching row i of a gather, if there is one. */
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
