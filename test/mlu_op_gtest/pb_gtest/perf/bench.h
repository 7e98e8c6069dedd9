/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_PERF_BENCH_H_
#define MLUOP_TEST_PERF_BENCH_H_

#include <signal.h>
#include <stdbool.h>

#include "perf/sample.h"
#include "run/device_copy.h"
#include "run/options.h"
#include "run/session.h"
#include "test/benchmark/machine_limits.h"

enum { MLUOP_PERF_COPY_METHODS_MAX = 4 };

/* What all cases of a run share. */
typedef struct mluopPerfBench {
  mluopTestOptions options;
  mluopTestSession session;
  bool on_host;      /* kernels run on the host's CPUs; otherwise the limits are the device's */
  double board_gbps; /* bandwidth of a simulated board, whose times never vary; otherwise 0 */
  BenchCopy copy;    /* on the host, large enough for every case */
  mluopDeviceCopy device_copy;
  bool evicts; /* the CPU can evict cache lines */
  const volatile sig_atomic_t *interrupted;
  /* Over the whole run. */
  mluopPerfSamples copy_gbps, read_gbps, gflops, gflops_waited;
  const char *copy_method;
} mluopPerfBench;

#endif /* MLUOP_TEST_PERF_BENCH_H_ */
