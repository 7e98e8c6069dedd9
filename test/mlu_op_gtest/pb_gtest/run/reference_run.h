/* SPDX-License-Identifier: MIT
 *
 * Running an operator's reference, on all cores where it can be split and it pays. */
#ifndef MLUOP_TEST_RUN_REFERENCE_RUN_H_
#define MLUOP_TEST_RUN_REFERENCE_RUN_H_

#include "executor.h"

/* Fills the outputs' host data. Returns 0, or -1 with the reason in `message`. */
int mluop_reference_run(const mluopTestExecutor *executor, mluopTestContext *ctx,
                        mluopTestText *message);

/* One of `shares` parts; safe on several threads at once. */
int mluop_reference_run_share(const mluopTestExecutor *executor, const mluopTestContext *ctx,
                              int share, int shares);

#endif /* MLUOP_TEST_RUN_REFERENCE_RUN_H_ */
