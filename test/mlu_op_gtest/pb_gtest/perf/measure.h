/* SPDX-License-Identifier: MIT
 *
 * Times one case: our operator, the plain reference and the machine's limits, in turn, round after
 * round. Times on a shared machine only mean something beside other times of the same moment, so
 * an efficiency is the median of the rounds' ratios. */
#ifndef MLUOP_TEST_PERF_MEASURE_H_
#define MLUOP_TEST_PERF_MEASURE_H_

#include <signal.h>

#include "perf/model.h"
#include "perf/sample.h"
#include "run/case_list.h"
#include "run/device_copy.h"
#include "run/session.h"
#include "test/benchmark/machine_limits.h"

enum { MLUOP_PERF_COPY_METHODS_MAX = 4 };

/* What all cases of a run share. */
typedef struct mluopPerfBench {
  mluopTestOptions options;
  mluopTestSession session;
  bool on_host; /* kernels run on the host's processor; else the device answers for its limits */
  double board_gbps; /* bandwidth of a played board, whose times are always the same; else 0 */
  BenchCopy copy;    /* of the host, as large as any case needs */
  mluopDeviceCopy device_copy;
  bool evicts; /* caches can be emptied line by line */
  const volatile sig_atomic_t *interrupted;
  /* Over the whole run. */
  mluopPerfSamples copy_gbps, read_gbps, gflops, gflops_waited;
  const char *copy_method;
} mluopPerfBench;

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
