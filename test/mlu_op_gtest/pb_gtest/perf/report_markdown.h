/* SPDX-License-Identifier: MIT
 *
 * performance.md: the report for people who read the repository. */
#ifndef MLUOP_TEST_PERF_REPORT_MARKDOWN_H_
#define MLUOP_TEST_PERF_REPORT_MARKDOWN_H_

#include "base/text.h"
#include "perf/model.h"

void mluop_perf_markdown(const mluopPerfReport *report, mluopTestText *page);

#endif /* MLUOP_TEST_PERF_REPORT_MARKDOWN_H_ */
