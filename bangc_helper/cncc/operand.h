/* SPDX-License-Identifier: MIT
 *
 * Types of operands, as a kernel gives them and as the tables want them.
 */
#ifndef CNCC_OPERAND_H_
#define CNCC_OPERAND_H_

#include <stdbool.h>

#include "util.h"

enum { MAX_OPERANDS = 32 };

/* The operands of a call, as numbers of bang/operands.h. */
typedef struct Operands {
  int types[MAX_OPERANDS];
  int count;
} Operands;

/* "float*, int32_t, ..." */
void append_operands(StrBuf *out, const Operands *given);

/* True if a given type fits a word of the tables ("float*", "int", "real", ...). */
bool operand_fits(int given, const char *wanted);

#endif /* CNCC_OPERAND_H_ */
