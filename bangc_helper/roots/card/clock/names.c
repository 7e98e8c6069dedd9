/* SPDX-License-Identifier: MIT
 *
 * Names for reports, and the error classes.
 */
#include "clock/timing.h"

const char *card_bound_name(enum card_bound bound) {
  static const char *const names[CARD_BOUND_COUNT] = {"copy", "vector", "tensor", "scalar",
                                                      "latency"};
  return names[bound];
}

int64_t card_bound_error(const struct card_board *board, enum card_bound bound) {
  const int64_t errors[CARD_BOUND_COUNT] = {
      board->copy_error_percent, board->vector_error_percent, board->tensor_error_percent,
      board->scalar_error_percent, board->latency_error_percent};
  return errors[bound];
}

const char *card_spent_name(enum card_spent spent) {
  static const char *const names[CARD_SPENT_COUNT] = {
      "scalar code",
      "waiting for the vector pipe",
      "waiting for the tensor pipe",
      "waiting for bytes of device memory",
      "waiting for on-chip copies",
      "waiting for the latency of copies",
      "atomic operations",
      "barriers and locks",
      "start of the launch and of tasks",
      "no task left",
  };
  return names[spent];
}

const char *card_pipe_name(enum card_pipe pipe) {
  static const char *const names[CARD_PIPE_COUNT] = {"scalar", "vector", "tensor", "IO", "move"};
  return names[pipe];
}
