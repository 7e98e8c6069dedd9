/* SPDX-License-Identifier: MIT
 *
 * Gathers rows from arbitrary places into consecutive ones.
 */
#include <string.h>

#include "vector/lanes.h"
#include "vector/transfer.h"
#include "vector/vector.h"

/* A whole number of cache lines is the common case and needs no call. */
INLINE void move_row(char *dst, const char *src, int64_t bytes) {
  int64_t i = 0;
  for (; i + TRANSFER_LINE <= bytes; i += TRANSFER_LINE) {
    memcpy(dst + i, src + i, TRANSFER_LINE);
  }
  if (i < bytes) {
    memmove(dst + i, src + i, (size_t)(bytes - i));
  }
}

static void gather_rows(const bangTransfer *transfer) {
  const bangTransfer t = *transfer;
  const int64_t ahead = transfer_rows_ahead(&t);
  for (int64_t i = 0; i < t.count; i++) {
    if (ahead > 0) {
      transfer_fetch(&t, i + ahead);
    }
    if (transfer_selects(&t, i)) {
      move_row(t.dst + i * t.stride, t.src + transfer_offset(&t, i), t.bytes);
    }
  }
}

/* Small elements take a single move each. */
#define DEFINE_GATHER_ELEMENTS(size)                                        \
  static void gather_elements_##size(const bangTransfer *transfer) {        \
    const bangTransfer t = *transfer;                                       \
    for (int64_t i = 0; i < t.count; i++) {                                 \
      if (transfer_selects(&t, i)) {                                        \
        memcpy(t.dst + i * t.stride, t.src + transfer_offset(&t, i), size); \
      }                                                                     \
    }                                                                       \
  }
DEFINE_GATHER_ELEMENTS(2)
DEFINE_GATHER_ELEMENTS(4)
DEFINE_GATHER_ELEMENTS(8)

static void gather(const bangTransfer *transfer) {
  switch (transfer->bytes) {
    case 2:
      gather_elements_2(transfer);
      break;
    case 4:
      gather_elements_4(transfer);
      break;
    case 8:
      gather_elements_8(transfer);
      break;
    default:
      gather_rows(transfer);
      break;
  }
}

void PER_ISA(bang_fill_gather)(bangIsaTable *table) {
  table->gather = gather;
}
