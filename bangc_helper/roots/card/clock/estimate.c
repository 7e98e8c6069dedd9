/* SPDX-License-Identifier: MIT */
#include "clock/estimate.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t times[CARD_BOUND_COUNT]; /* ps of launches since the last call of cnrtxEstimate */

void card_estimate_note(const struct card_timing *timing) {
  pthread_mutex_lock(&lock);
  times[timing->bound] += timing->duration;
  pthread_mutex_unlock(&lock);
}

void card_estimate_class(char *text, size_t size, const struct card_board *board,
                         enum card_bound bound) {
  snprintf(text, size, "%s, %s, %s-bound +-%" PRId64 " %%",
           board->extrapolated ? "extrapolated" : "estimated", board->name, card_bound_name(bound),
           card_bound_error(board, bound));
}

bool cnrtxEstimate(double *gb_per_s, char *text, size_t size) {
  const struct card_board *board = card_board_chosen();
  if (board == NULL) return false;
  int most = CARD_BOUND_LATENCY;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < CARD_BOUND_COUNT; ++i) {
    if (times[i] > times[most]) most = i;
  }
  for (int i = 0; i < CARD_BOUND_COUNT; ++i) times[i] = 0;
  pthread_mutex_unlock(&lock);
  *gb_per_s = (double)board->peak_dram_mb_per_s / 1000;
  card_estimate_class(text, size, board, (enum card_bound)most);
  return true;
}
