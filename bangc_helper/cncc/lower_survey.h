/* SPDX-License-Identifier: MIT
 *
 * Calls of language functions, marked so that the host compiler says which types they are given.
 */
#ifndef CNCC_LOWER_SURVEY_H_
#define CNCC_LOWER_SURVEY_H_

#include "lowering.h"

/* The name at `index`, if it is a call of such a function. */
void lower_surveyed_call(Lowering *lowering, int index);

#endif /* CNCC_LOWER_SURVEY_H_ */
