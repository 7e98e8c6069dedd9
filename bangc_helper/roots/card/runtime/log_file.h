/* SPDX-License-Identifier: MIT
 *
 * MLUOP_CARD_LOG: the records of every launch as text, for tools and for tests that compare runs.
 */
#ifndef CARD_RUNTIME_LOG_FILE_H_
#define CARD_RUNTIME_LOG_FILE_H_

#include "events.h"

/* Appends a launch to the file that the environment names, if it names one. `duration` in ps. */
void card_log_launch(const struct card_launch *launch, uint64_t duration);

#endif /* CARD_RUNTIME_LOG_FILE_H_ */
