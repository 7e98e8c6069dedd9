/* SPDX-License-Identifier: MIT
 *
 * Comparison with an earlier run: times (MLUOP_GTEST_PERF_BASELINE) and errors
 * (MLUOP_GTEST_ACC_BASELINE). The stored file is an XML report of this program, or one written
 * here; a passing time becomes the mean of old and new there, and the rest of a report stays. */
#ifndef MLUOP_TEST_RUN_BASELINE_H_
#define MLUOP_TEST_RUN_BASELINE_H_

#include "run/options.h"
#include "run/result.h"

/* Reads the stored files. Returns 0, or -1 with a reason. */
int mluop_baseline_open(const mluopTestOptions *options, mluopTestText *errors);
/* Judges one case and remembers its numbers. */
void mluop_baseline_judge(const mluopTestOptions *options, mluopCaseResult *result);
/* Writes the new times. */
int mluop_baseline_close(const mluopTestOptions *options, mluopTestText *errors);

#endif /* MLUOP_TEST_RUN_BASELINE_H_ */
