/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_RUN_INTERNAL_PERF_H_
#define MLUOP_TEST_RUN_INTERNAL_PERF_H_

#include "run/options.h"
#include "run/result.h"

/* --internal_perf: a row of mluop_gtest_internal_perf_<iteration>.csv with the case's phases; at
 * the end the framework's own share. */
void mluop_internal_perf_add(const mluopTestOptions *options, int iteration,
                             const mluopCaseResult *result);
void mluop_internal_perf_close(void);

#endif /* MLUOP_TEST_RUN_INTERNAL_PERF_H_ */
