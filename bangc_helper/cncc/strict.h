/* SPDX-License-Identifier: MIT
 *
 * --bang-strict: reports code that compiles here but would not, or not certainly, compile with the
 * vendor's compiler for a card.
 */
#ifndef CNCC_STRICT_H_
#define CNCC_STRICT_H_

#include "survey_run.h"

/* Reports what it finds. Returns the number of errors. `is_compilation`: the file needs no further
 * check of its syntax. */
int check_strictly(const Job *job, const SurveyedFile *file, bool *is_compilation);

#endif /* CNCC_STRICT_H_ */
