/* SPDX-License-Identifier: MIT
 *
 * What an acceptance prints while it runs, and at its end. */
#ifndef MLUOP_TEST_PERF_CONSOLE_H_
#define MLUOP_TEST_PERF_CONSOLE_H_

#include "perf/model.h"

/* Prints a case and its verdict, as number `n_done` of `n_known`. Failed and undecided cases are
 * followed by their reason, others only if `with_reason`. */
void mluop_perf_print_case(const mluopPerfCase *item, size_t n_done, size_t n_known,
                           bool with_reason);

/* Prints the machine, the number of cases per verdict, the cases below the standard and where
 * the report is. */
void mluop_perf_print_summary(const mluopPerfReport *report, size_t n_done, size_t n_known,
                              size_t n_refused, const char *folder);

#endif /* MLUOP_TEST_PERF_CONSOLE_H_ */
