/* SPDX-License-Identifier: MIT
 *
 * report.csv: one line per case, for spreadsheets. */
#ifndef MLUOP_TEST_PERF_REPORT_CSV_H_
#define MLUOP_TEST_PERF_REPORT_CSV_H_

#include "base/text.h"
#include "perf/model.h"

void mluop_perf_csv(const mluopPerfReport *report, mluopTestText *csv);

#endif /* MLUOP_TEST_PERF_REPORT_CSV_H_ */
