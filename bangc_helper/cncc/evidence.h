/* SPDX-License-Identifier: MIT
 *
 * The overloads of BANG C that are publicly known (bang/known.def).
 */
#ifndef CNCC_EVIDENCE_H_
#define CNCC_EVIDENCE_H_

#include "arch.h"
#include "operand.h"

/* Is it the name of a function of the language, known or an extension? */
bool is_language_function(const char *name, size_t length);

/* Which operand says how many elements or bytes there are; -1: none. */
int count_operand(const char *name, size_t length);

/* Is the overload known for the architecture? If not, `hint` gets what is known that comes nearest.
 */
bool has_evidence(const char *name, const Operands *given, const Arch *arch, StrBuf *hint);

#endif /* CNCC_EVIDENCE_H_ */
