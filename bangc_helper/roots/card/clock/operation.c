/* SPDX-License-Identifier: MIT
 *
 * The clock as the runtime sees it: operations of queues on the chosen board.
 */
#include "clock/timing.h"

static int64_t play_launch(const struct card_board *board, const struct card_launch *launch) {
  struct card_timing timing;
  /* Without memory for the simulation the launch takes what an empty one takes. */
  return card_play_launch(board, launch, 0, NULL, &timing) ? timing.duration
                                                           : 1000 * board->launch_ns;
}

uint64_t card_clock_play(const struct card_operation *operation) {
  const struct card_board *board = card_board_chosen();
  if (board == NULL) return 0;
  switch (operation->kind) {
    case CARD_OP_LAUNCH:
      return (uint64_t)play_launch(board, operation->launch);
    case CARD_OP_COPY:
      return (uint64_t)card_host_copy_time(board, operation->copy.kind, operation->copy.bytes);
    case CARD_OP_MEMSET:
      return (uint64_t)card_memset_time(board, operation->memset_bytes);
    case CARD_OP_HOST:
      return 0;
  }
  return 0;
}
