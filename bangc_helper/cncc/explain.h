/* SPDX-License-Identifier: MIT
 *
 * Rewrites a compiler's messages about a kernel file in terms of BANG C: the operand types that a
 * language function wants and the kernel where the error is, instead of names from the header and
 * from lowered code.
 */
#ifndef CNCC_EXPLAIN_H_
#define CNCC_EXPLAIN_H_

#include "survey_run.h"

/* True if explain_messages would change anything. */
bool needs_explanation(const char *messages);

/* Prints the messages about `file`. */
void explain_messages(const Job *job, const SurveyedFile *file, const char *messages);

#endif /* CNCC_EXPLAIN_H_ */
