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

#endif /* MLUOP_TEST_PERF_HTML_H_ */
