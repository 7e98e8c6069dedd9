/* SPDX-License-Identifier: MIT
 *
 * The rules of --bang-strict that look at the text of a unit. Each reports what it finds and
 * returns how many errors that are.
 */
#ifndef CNCC_STRICT_RULES_H_
#define CNCC_STRICT_RULES_H_

#include "arch.h"
#include "strict_unit.h"
#include "survey.h"

/* An error at a token: "file:line:column: error: ... [--bang-strict]". */
void strict_error(const Source *source, int token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Words that have no place in device code: containers, allocation, exceptions; registers
 * whose length nobody asked for. */
int check_words(const Unit *unit);

/* double, by name or because of an operand, which the compiler's messages tell. */
int check_doubles(const Unit *unit, const char *messages);

/* Memories that do not fit: vector functions on device memory, directions of copies, host memory
 * handed to kernels. Only where a variable says which memory it is. */
int check_spaces(const Unit *unit);

/* On-chip variables of a kernel that take more than the memory has; sizes as the survey found them.
 */
int check_sizes(const Unit *unit, const Survey *survey, const Arch *arch);

#endif /* CNCC_STRICT_RULES_H_ */
