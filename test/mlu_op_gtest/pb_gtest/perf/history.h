/* SPDX-License-Identifier: MIT
 *
 * history.jsonl beside a report: one line per run with the efficiencies it found. */
#ifndef MLUOP_TEST_PERF_HISTORY_H_
#define MLUOP_TEST_PERF_HISTORY_H_

#include "base/text.h"
#include "perf/model.h"

#define MLUOP_PERF_HISTORY_FILE "history.jsonl"

/* Takes the runs of this machine (CPU, number of CPUs, settings) from the folder's history into
 * report->past. No file is no history; a line that cannot be read is left out and told of in
 * `warnings`. Returns 0, or -1 with the reason when the file is there but cannot be read. */
int mluop_perf_history_read(mluopPerfReport *report, const char *folder, mluopTestText *warnings);

/* Adds this run to the folder's history. */
int mluop_perf_history_append(const mluopPerfReport *report, const char *folder, double band,
                              mluopTestText *errors);

/* What earlier runs found for a case, disturbed measurements left out. */
typedef struct mluopPerfPast {
  size_t n;
  double median, low, high; /* low and high: extremes */
} mluopPerfPast;
mluopPerfPast mluop_perf_past_of(const mluopPerfReport *report, const mluopPerfCase *item);

/* The case in an earlier run, or NULL. */
const Mluoptest__PerfRunCase *mluop_perf_past_case(const Mluoptest__PerfRun *run,
                                                   const mluopPerfCase *item);

/* -1 or 1: all of this run's range is clearly below or above everything that enough earlier runs
 * found; else 0. */
int mluop_perf_drift(const mluopPerfReport *report, const mluopPerfCase *item);

#endif /* MLUOP_TEST_PERF_HISTORY_H_ */
