/* SPDX-License-Identifier: MIT
 *
 * report.html: one file without scripts and without anything to load. */
#ifndef MLUOP_TEST_PERF_HTML_H_
#define MLUOP_TEST_PERF_HTML_H_

#include "base/text.h"
#include "perf/model.h"

void mluop_perf_html(const mluopPerfReport *report, mluopTestText *page);

/* The style sheet. */
extern const char mluop_perf_style[];

/* The table of all cases, and that of the machine. */
void mluop_perf_html_cases(const mluopPerfReport *report, mluopTestText *page);
void mluop_perf_html_environment(const mluopPerfReport *report, mluopTestText *page);

#endif /* MLUOP_TEST_PERF_HTML_H_ */
