/* SPDX-License-Identifier: MIT
 *
 * The rules of --bang-strict that read the text of a unit. Each reports what it finds and returns
 * the number of errors.
 */
#ifndef CNCC_STRICT_RULES_H_
#define CNCC_STRICT_RULES_H_

#include "arch.h"
#include "strict_unit.h"
#include "survey.h"

/* An error at a token: "file:line:column: error: ... [--bang-strict]". */
void strict_error(const Source *source, int token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Words that device code may not use: containers, allocation, exceptions; registers of an
 * unspecified length. */
int check_words(const Unit *unit);

/* double, by name or as the type of an operand, which the survey and the compiler's messages say.
 */
int check_doubles(const Unit *unit, const Survey *survey, const char *messages);

/* Wrong memories: vector functions on device memory, directions of copies. Only variables whose
 * memory is known are checked. */
int check_spaces(const Unit *unit);

/* Host memory passed to kernels. */
int check_launches(const Unit *unit);

/* On-chip variables of a kernel that exceed the memory; the survey supplies their sizes. */
int check_sizes(const Unit *unit, const Survey *survey, const Arch *arch);

#endif /* CNCC_STRICT_RULES_H_ */
