/* SPDX-License-Identifier: MIT
 *
 * What an expression may do that is evaluated for the iterations of a loop in any order: read,
 * compute, and call functions that do no more than that.
 */
#ifndef CNCC_HARMLESS_H_
#define CNCC_HARMLESS_H_

#include "source.h"

/* If an assignment operator begins at a token, the token after its left operand, else -1. */
int assignment_operand_end(const Source *source, int index);

/* False for a token that may write something, or leave the loop. Assignments are left to the
 * caller, with ++ and --. */
bool is_harmless_token(const Source *source, int index);

#endif /* CNCC_HARMLESS_H_ */
