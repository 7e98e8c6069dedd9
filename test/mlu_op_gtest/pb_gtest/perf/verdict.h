/* SPDX-License-Identifier: MIT
 *
 * The performance standard: at least 60 % of the bottleneck's limit at shapes common in networks,
 * 30 % elsewhere, or a written waiver in the case; and within a band around a stored efficiency. */
#ifndef MLUOP_TEST_PERF_VERDICT_H_
#define MLUOP_TEST_PERF_VERDICT_H_

#include "perf/measure.h"

typedef struct mluopPerfStandard {
  const mluopPerfReport *baseline; /* NULL: none */
  double band;                     /* 0.25: may lose a quarter, or gain as much back */
} mluopPerfStandard;

/* A mluopPerfLinesOf whose argument is a mluopPerfStandard. */
mluopPerfLines mluop_perf_lines(const mluopPerfCase *item, void *standard);

/* Gives the case its verdict and, where it is not a plain pass, the reason. */
void mluop_perf_judge(const mluopPerfStandard *standard, mluopPerfCase *item);

#endif /* MLUOP_TEST_PERF_VERDICT_H_ */
