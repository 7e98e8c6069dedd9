/* SPDX-License-Identifier: MIT
 *
 * The outputs of one call: what they should be, and what they are. */
#ifndef MLUOP_TEST_RUN_CASE_OUTPUTS_H_
#define MLUOP_TEST_RUN_CASE_OUTPUTS_H_

#include "run/case_state.h"

/* Fills outputs[i].host with the values of the reference or of the case file. Returns 0, or -1 with
 * the reason in the failure. */
int mluop_case_expect(mluopCaseState *state);

/* Reads back what the operator may have written, into mluopTensorState.after. */
int mluop_case_read_back(mluopCaseState *state);
/* Of strided outputs only: the bytes between their elements are judged too. */
int mluop_case_read_back_strided(mluopCaseState *state);

/* After mluop_case_expect: reads back what is not already known to be as expected, bit by bit. */
int mluop_case_take_outputs(mluopCaseState *state);

/* Before the outputs of another call are taken. */
void mluop_case_forget_outputs(mluopCaseState *state);

/* Content of an output's buffer after the first call, or NULL. */
const void *mluop_case_output(const mluopTensorState *tensor);

#endif /* MLUOP_TEST_RUN_CASE_OUTPUTS_H_ */
