/* SPDX-License-Identifier: MIT
 *
 * Calls of language functions and on-chip variables, marked so that the host compiler says which
 * types and sizes they have.
 */
#ifndef CNCC_LOWER_SURVEY_H_
#define CNCC_LOWER_SURVEY_H_

#include "lowering.h"

/* The name at `index`, if it calls a function of the language. */
void lower_surveyed_call(Lowering *lowering, int index);

/* An on-chip variable: its size. */
void lower_surveyed_variable(Lowering *lowering, const Declaration *decl);

#endif /* CNCC_LOWER_SURVEY_H_ */
