/* SPDX-License-Identifier: MIT
 *
 * Logs of launches as text, to play them again on any board. MLUOP_CARD_LOG names the file to which
 * a process writes its launches. Source places are not written.
 */
#ifndef CARD_CLOCK_RECORDING_H_
#define CARD_CLOCK_RECORDING_H_

#include <stdio.h>

#include "clock/timing.h"

/* Writes the launch if MLUOP_CARD_LOG names a file. */
void card_log_note(const struct card_launch *launch);

void card_log_write(FILE *file, const struct card_launch *launch);

/* A launch that was read; it owns everything it points to. */
struct card_logged_launch {
  struct card_launch launch;
  char *name;
  struct card_task *tasks;
  struct card_log *logs;
  size_t log_count;
};

enum card_log_result { CARD_LOG_READ, CARD_LOG_END, CARD_LOG_BROKEN };
/* Reads the next launch of a file. */
enum card_log_result card_log_read(FILE *file, struct card_logged_launch *launch);
void card_log_free(struct card_logged_launch *launch);

#endif /* CARD_CLOCK_RECORDING_H_ */
