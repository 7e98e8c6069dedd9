/* SPDX-License-Identifier: MIT
 *
 * The performance standard: at least 60 % of the bottleneck's limit at shapes common in networks,
 * 30 % elsewhere, or a written waiver in the case and the floor it names; and within a band around
 * a stored efficiency. */
#ifndef MLUOP_TEST_PERF_VERDICT_H_
#define MLUOP_TEST_PERF_VERDICT_H_

#include "perf/measure.h"

typedef struct mluopPerfStandard {
  const mluopPerfReport *baseline; /* NULL: none */
  double band;   /* 0.25: from 75 % to 133 % of the stored efficiency is accepted */
  bool is_final; /* no further look will come: the median decides where the range holds a line */
} mluopPerfStandard;

/* A mluopPerfLinesOf whose argument is a mluopPerfStandard. */
mluopPerfLines mluop_perf_lines(const mluopPerfCase *item, void *standard);

/* The stored efficiency of the same case; 0 if there is none or it was measured on a busy
 * machine. */
double mluop_perf_stored_efficiency(const mluopPerfStandard *standard, const mluopPerfCase *item);

/* Gives the case its verdict and, where it is not a plain pass, the reason. A line decides when the
 * whole range of the efficiency lies on one side of it. A range that holds the line is undecided as
 * long as another look can narrow it; then the median decides, and the reason shows the range. What
 * would fail stays undecided where other processes kept its threads waiting in every look. */
void mluop_perf_judge(const mluopPerfStandard *standard, mluopPerfCase *item);

/* False if measuring again may change the verdict. Failures are always measured again. */
bool mluop_perf_is_settled(const mluopPerfStandard *standard, const mluopPerfCase *item);

/* Adds a later measurement of the same case. Disturbed measurements count only if all were
 * disturbed. The case must be judged again afterwards. */
void mluop_perf_add_look(mluopPerfCase *item, const mluopPerfCase *again);

#endif /* MLUOP_TEST_PERF_VERDICT_H_ */
