/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_RUN_THEORY_H_
#define MLUOP_TEST_RUN_THEORY_H_

#include <stdbool.h>

#include "executor.h"
#include "run/options.h"
#include "run/result.h"

/* Theoretical operations and bytes, what the device could do, and the efficiencies that follow. */
void mluop_theory_fill(const mluopTestOptions *options, const mluopTestExecutor *executor,
                       const mluopTestContext *ctx, mluopCaseResult *result);

/* Measures the machine's limits once, so that the time does not count for the first case that
 * needs them. */
void mluop_theory_prepare(const mluopTestOptions *options);

/* Operations per second of all cores: per cycle and core, for 16-bit or for wider elements, * cores
 * * clock. */
double mluop_theory_compute_force(bool narrow);

#endif /* MLUOP_TEST_RUN_THEORY_H_ */
