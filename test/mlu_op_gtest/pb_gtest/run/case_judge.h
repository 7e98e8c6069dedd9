/* SPDX-License-Identifier: MIT
 *
 * The verdicts about one call. Each function sets its verdict in the result and adds its reasons to
 * the failure. */
#ifndef MLUOP_TEST_RUN_CASE_JUDGE_H_
#define MLUOP_TEST_RUN_CASE_JUDGE_H_

#include "run/case_state.h"

/* Checks that guards of all buffers and the workspace, gaps of strided outputs and inputs are
 * unchanged. */
void mluop_case_judge_bounds(mluopCaseState *state);

/* Checks that the outputs on the device equal those of the first call bit by bit. */
void mluop_case_judge_repeat(mluopCaseState *state);

/* Compares the outputs with the expected values. */
void mluop_case_judge_accuracy(mluopCaseState *state);

/* Whether the device lacks a type of the case, and the operator answered so: boards before MLU590
 * have no bfloat16. */
bool mluop_case_is_refused_by_device(const mluopCaseState *state, mluOpStatus_t status);

/* Checks that a refused call has written nothing. */
void mluop_case_judge_untouched(mluopCaseState *state);

#endif /* MLUOP_TEST_RUN_CASE_JUDGE_H_ */
