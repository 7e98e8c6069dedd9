/* SPDX-License-Identifier: MIT
 *
 * --trace: one more call of a case, traced. */
#ifndef MLUOP_TEST_RUN_TRACE_CALL_H_
#define MLUOP_TEST_RUN_TRACE_CALL_H_

#include "run/case_state.h"

/* Writes the trace to the file of the option. Failures are the case's. */
void mluop_trace_call(mluopCaseState *state);

#endif /* MLUOP_TEST_RUN_TRACE_CALL_H_ */
