/* SPDX-License-Identifier: MIT
 *
 * Times of copies and memsets by the host.
 */
#include "clock/timing.h"

/* 1 MB/s is a byte per us. */
static int64_t transfer_time(uint64_t bytes, int64_t mb_per_s) {
  const uint64_t whole = bytes / (uint64_t)mb_per_s;
  const uint64_t rest = bytes % (uint64_t)mb_per_s;
  return (int64_t)(whole * 1000000 + rest * 1000000 / (uint64_t)mb_per_s);
}

int64_t card_host_copy_time(const struct card_board *board, enum card_host_copy kind,
                            uint64_t bytes) {
  const int64_t start = 1000 * board->host_copy_ns;
  switch (kind) {
    case CARD_HOST_TO_DEVICE:
      return start + transfer_time(bytes, board->host_to_device_mb_per_s);
    case CARD_DEVICE_TO_HOST:
    case CARD_PEER:
      return start + transfer_time(bytes, board->device_to_host_mb_per_s);
    case CARD_DEVICE_TO_DEVICE:
      return 1000 * board->launch_ns + transfer_time(2 * bytes, board->device_copy_mb_per_s);
  }
  return start;
}

int64_t card_memset_time(const struct card_board *board, uint64_t bytes) {
  return 1000 * board->launch_ns + transfer_time(bytes, board->memset_mb_per_s);
}
