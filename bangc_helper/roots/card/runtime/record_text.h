/* SPDX-License-Identifier: MIT
 *
 * MLUOP_CARD_RECORDS: the records of every launch as text, for tools and for tests that compare
 * runs.
 */
#ifndef CARD_RUNTIME_RECORD_TEXT_H_
#define CARD_RUNTIME_RECORD_TEXT_H_

#include "events.h"

/* Appends a launch to the file that MLUOP_CARD_RECORDS names, if it is set. `duration` is in ps. */
void card_write_records(const struct card_launch *launch, uint64_t duration);

#endif /* CARD_RUNTIME_RECORD_TEXT_H_ */
