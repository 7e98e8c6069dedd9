/* SPDX-License-Identifier: MIT
 *
 * The clock as the runtime sees it: operations of queues on the chosen board.
 */
#include "clock/estimate.h"
#include "clock/recording.h"
#include "clock/timing.h"
#include "report/report.h"

static int64_t time_of(const struct card_board *board, const struct card_operation *operation,
                       struct card_timing *timing) {
  switch (operation->kind) {
    case CARD_OP_LAUNCH:
      card_log_note(operation->launch);
      /* If the simulation is out of memory, a launch takes as long as an empty one. */
      return card_play_launch(board, operation->launch, 0, NULL, timing) ? timing->duration
                                                                         : 1000 * board->launch_ns;
    case CARD_OP_COPY:
      return card_host_copy_time(board, operation->copy.kind, operation->copy.bytes);
    case CARD_OP_MEMSET:
      return card_memset_time(board, operation->memset_bytes);
    case CARD_OP_HOST:
      return 0;
  }
  return 0;
}

uint64_t card_clock_play(const struct card_operation *operation) {
  const struct card_board *board = card_board_chosen();
  if (board == NULL) return 0;
  struct card_timing timing = {0};
  const int64_t duration = time_of(board, operation, &timing);
  if (operation->kind == CARD_OP_LAUNCH) card_estimate_note(&timing);
  if (card_report_is_wanted() && operation->kind != CARD_OP_HOST) {
    card_report_note(board, operation, duration,
                     operation->kind == CARD_OP_LAUNCH && timing.duration > 0 ? &timing : NULL);
  }
  return (uint64_t)duration;
}
