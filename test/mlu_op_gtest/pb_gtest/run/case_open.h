/* SPDX-License-Identifier: MIT
 *
 * The beginning and the end of a case. */
#ifndef MLUOP_TEST_RUN_CASE_OPEN_H_
#define MLUOP_TEST_RUN_CASE_OPEN_H_

#include "run/case_state.h"

/* Reads the case, makes tensors with their data, descriptors, device memory and workspace. Returns
 * 0, or -1 with the reason in result->failure. mluop_case_close is needed in either case. */
int mluop_case_open(mluopCaseState *state, const char *path);
void mluop_case_close(mluopCaseState *state);

#endif /* MLUOP_TEST_RUN_CASE_OPEN_H_ */
