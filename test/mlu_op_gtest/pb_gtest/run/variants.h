/* SPDX-License-Identifier: MIT
 *
 * --variants: each case goes through every form of its operator's kernel (core/variant.h) that can
 * do the call, and it is counted which forms were reached. */
#ifndef MLUOP_TEST_RUN_VARIANTS_H_
#define MLUOP_TEST_RUN_VARIANTS_H_

#include "run/case_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* After the usual verdicts of a case, calls every other form once and judges the outputs.
 */
void mluop_case_run_variants(mluopCaseState *state);

/* Prints how many cases reached each form; returns how many forms no case did. */
int mluop_variants_print_reached(void);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_VARIANTS_H_ */
