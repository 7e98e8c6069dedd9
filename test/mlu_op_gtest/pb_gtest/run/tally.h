/* SPDX-License-Identifier: MIT
 *
 * Counts cases as they end: the progress line on a terminal, and the summary. */
#ifndef MLUOP_TEST_RUN_TALLY_H_
#define MLUOP_TEST_RUN_TALLY_H_

#include "run/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `expected` cases will be run per iteration. */
void mluop_tally_expect(size_t expected);

/* Thread-safe. */
void mluop_tally_add(const mluopCaseResult *result);

/* One rewriting line with count, failures and the time left; nothing when standard output is not a
 * terminal. Hide it before printing anything else. */
void mluop_tally_show_progress(void);
void mluop_tally_hide_progress(void);

/* The ten slowest cases, the totals, the failed cases. */
void mluop_tally_print_summary(void);
void mluop_tally_clear(void);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_TALLY_H_ */
