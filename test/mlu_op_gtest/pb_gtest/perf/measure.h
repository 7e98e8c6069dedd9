/* SPDX-License-Identifier: MIT
 *
 * Times one case: our operator, the plain reference and the machine's limits, in turn, round after
 * round. Times on a shared machine only mean something beside other times of the same moment, so
 * an efficiency is the median of the rounds' ratios. */
#ifndef MLUOP_TEST_PERF_MEASURE_H_
#define MLUOP_TEST_PERF_MEASURE_H_

#include "perf/bench.h"
#include "perf/model.h"
#include "run/case_list.h"

int mluop_perf_bench_open(mluopPerfBench *bench, const mluopTestOptions *options,
                          const volatile sig_atomic_t *interrupted, mluopTestText *errors);
void mluop_perf_bench_close(mluopPerfBench *bench);

/* Lines an efficiency is compared with: near one of them more rounds are taken. */
typedef struct mluopPerfLines {
  double at[3];
  int n;
} mluopPerfLines;

/* Decides where the lines of a case are, once its limits are known. */
typedef mluopPerfLines (*mluopPerfLinesOf)(const mluopPerfCase *item, void *arg);

/* Fills the case's times and efficiencies in about `seconds`. Returns 0, or -1 with the reason of a
 * failure (a wrong result is one); an interrupted measurement without samples is a failure with an
 * empty reason. */
int mluop_perf_measure(mluopPerfBench *bench, const mluopCaseEntry *entry, double seconds,
                       mluopPerfLinesOf lines_of, void *lines_arg, mluopPerfCase *item,
                       mluopTestText *failure);

#endif /* MLUOP_TEST_PERF_MEASURE_H_ */
