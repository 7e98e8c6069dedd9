/* SPDX-License-Identifier: MIT
 *
 * Arithmetic operators of device functions, marked so that the host compiler says which have double
 * operands, in templates for every instantiation.
 */
#ifndef CNCC_LOWER_ARITHMETIC_H_
#define CNCC_LOWER_ARITHMETIC_H_

#include "lowering.h"

/* The operators in the body of a device function. */
void lower_surveyed_arithmetic(Lowering *lowering, const Declaration *decl);

#endif /* CNCC_LOWER_ARITHMETIC_H_ */
