/* SPDX-License-Identifier: MIT
 *
 * What a compiler says about a kernel file, in the words of BANG C: which operand types a language
 * function wants, and in which kernel something is, where the compiler has names of the header and
 * of lowered code.
 */
#ifndef CNCC_EXPLAIN_H_
#define CNCC_EXPLAIN_H_

#include "survey_run.h"

/* True if explain_messages would change anything. */
bool needs_explanation(const char *messages);

/* Prints the messages about `file`. */
void explain_messages(const Job *job, const SurveyedFile *file, const char *messages);

#endif /* CNCC_EXPLAIN_H_ */
