/* SPDX-License-Identifier: MIT
 *
 * Reports on launches: MLUOP_CARD_REPORT names the folder to which report.html, report.json and
 * trace.json are written when the process ends.
 */
#ifndef CARD_REPORT_REPORT_H_
#define CARD_REPORT_REPORT_H_

#include "clock/timing.h"

/* True if a report is wanted. The setting is read once. */
bool card_report_is_wanted(void);
/* Call it after an operation was played; `timing` is NULL unless it is a launch. May play the
 * launch again. */
void card_report_note(const struct card_board *board, const struct card_operation *operation,
                      int64_t duration, const struct card_timing *timing);

#endif /* CARD_REPORT_REPORT_H_ */
