/* SPDX-License-Identifier: MIT
 *
 * report.json: the layout of Google Benchmark, one entry per case and contender. It holds
 * everything the other pages need, so they can be made again from it. */
#ifndef MLUOP_TEST_PERF_REPORT_JSON_H_
#define MLUOP_TEST_PERF_REPORT_JSON_H_

#include "base/text.h"
#include "perf/model.h"

int mluop_perf_json_write(const mluopPerfReport *report, const char *path, mluopTestText *errors);
int mluop_perf_json_read(mluopPerfReport *report, const char *path, mluopTestText *errors);

/* Adds the times of other implementations to the cases they belong to; how many goes to `added`. */
int mluop_perf_json_merge_rivals(mluopPerfReport *report, const char *path, size_t *added,
                                 mluopTestText *errors);

#endif /* MLUOP_TEST_PERF_REPORT_JSON_H_ */
