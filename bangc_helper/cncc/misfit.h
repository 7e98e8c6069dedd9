/* SPDX-License-Identifier: MIT
 *
 * What is wrong with the operands of a call that no overload of the language takes.
 */
#ifndef CNCC_MISFIT_H_
#define CNCC_MISFIT_H_

#include "operand.h"

/* Appends what was wanted and what was given; false when the tables do not say. */
bool describe_misfit(StrBuf *out, const char *name, const Operands *given);

#endif /* CNCC_MISFIT_H_ */
