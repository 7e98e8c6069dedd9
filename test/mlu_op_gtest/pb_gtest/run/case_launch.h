/* SPDX-License-Identifier: MIT
 *
 * Calling the operator: once for the verdicts, and often for its time. */
#ifndef MLUOP_TEST_RUN_CASE_LAUNCH_H_
#define MLUOP_TEST_RUN_CASE_LAUNCH_H_

#include "run/case_state.h"

typedef struct mluopLaunchTime {
  double hardware_us;
  double interface_us;
} mluopLaunchTime;

/* prepare(), workspace query and its memory. `status` is that of the query. Returns -1 when the
 * framework failed. */
int mluop_case_prepare(mluopCaseState *state, mluOpStatus_t *status);
void mluop_case_release(mluopCaseState *state);

/* One call and its end. The operator's status goes to `status`; a fault of the device is a failure
 * (-1). */
int mluop_case_launch(mluopCaseState *state, mluOpStatus_t *status, mluopLaunchTime *time);

/* --perf_repeat timed calls; fills the result's times. */
int mluop_case_measure(mluopCaseState *state);

#endif /* MLUOP_TEST_RUN_CASE_LAUNCH_H_ */
