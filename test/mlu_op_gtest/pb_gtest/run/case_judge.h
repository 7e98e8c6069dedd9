/* SPDX-License-Identifier: MIT
 *
 * The verdicts about one call. Each function sets its verdict in the result and adds its reasons to
 * the failure. */
#ifndef MLUOP_TEST_RUN_CASE_JUDGE_H_
#define MLUOP_TEST_RUN_CASE_JUDGE_H_

#include "run/case_state.h"

/* Guards of every buffer and the workspace, gaps of strided outputs, inputs unchanged. */
void mluop_case_judge_bounds(mluopCaseState *state);

/* Outputs on the device equal, bit by bit, to those of the first call. */
void mluop_case_judge_repeat(mluopCaseState *state);

/* Outputs against the expected values. */
void mluop_case_judge_accuracy(mluopCaseState *state);

/* Whether the device lacks a type of the case, and the operator answered so: boards before MLU590
 * have no bfloat16. */
bool mluop_case_is_refused_by_device(const mluopCaseState *state, mluOpStatus_t status);

/* After a refused call: nothing was written. */
void mluop_case_judge_untouched(mluopCaseState *state);

#endif /* MLUOP_TEST_RUN_CASE_JUDGE_H_ */
