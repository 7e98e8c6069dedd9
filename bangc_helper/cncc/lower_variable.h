/* SPDX-License-Identifier: MIT
 *
 * Variables with a qualifier of BANG C.
 */
#ifndef CNCC_LOWER_VARIABLE_H_
#define CNCC_LOWER_VARIABLE_H_

#include "lowering.h"

void lower_variable(Lowering *lowering, const Declaration *decl, ScopeKind scope);

#endif /* CNCC_LOWER_VARIABLE_H_ */
