/* SPDX-License-Identifier: MIT
 *
 * The overloads of BANG C that are publicly known (bang/known.def).
 */
#ifndef CNCC_EVIDENCE_H_
#define CNCC_EVIDENCE_H_

#include "arch.h"
#include "operand.h"

/* True for a function of the language, publicly known or an extension. */
bool is_language_function(const char *name, size_t length);

/* Index of the operand that counts elements or bytes; -1: none. */
int count_operand(const char *name, size_t length);

/* True if the overload is known for the architecture. If not, `hint` describes the nearest known
 * one. */
bool has_evidence(const char *name, const Operands *given, const Arch *arch, StrBuf *hint);

#endif /* CNCC_EVIDENCE_H_ */
