/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_PERF_HTML_TABLES_H_
#define MLUOP_TEST_PERF_HTML_TABLES_H_

#include "base/text.h"
#include "perf/model.h"

/* The table of all cases, and that of the machine. */
void mluop_perf_html_cases(const mluopPerfReport *report, mluopTestText *page);
void mluop_perf_html_environment(const mluopPerfReport *report, mluopTestText *page);

#endif /* MLUOP_TEST_PERF_HTML_TABLES_H_ */
