/* SPDX-License-Identifier: MIT
 *
 * The files of a report: report.json, report.csv, report.html, performance.md. */
#ifndef MLUOP_TEST_PERF_PAGES_H_
#define MLUOP_TEST_PERF_PAGES_H_

#include "base/text.h"
#include "perf/model.h"

/* Whether a folder exists and takes files; the reason goes to `errors`. */
int mluop_perf_pages_check(const char *folder, mluopTestText *errors);

/* Every file is replaced at once, so that a reader, or an interruption, never sees half of one. */
int mluop_perf_pages_write(mluopPerfReport *report, const char *folder, mluopTestText *errors);

#endif /* MLUOP_TEST_PERF_PAGES_H_ */
