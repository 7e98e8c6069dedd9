/* SPDX-License-Identifier: MIT
 *
 * Device functions.
 */
#ifndef CNCC_LOWER_FUNCTION_H_
#define CNCC_LOWER_FUNCTION_H_

#include "lowering.h"

void lower_function(Lowering *lowering, const Declaration *decl, ScopeKind scope);

/* In the body of a device function or kernel, a call that ends the process ends only the launch. */
void lower_exits(Lowering *lowering, const Declaration *decl);

#endif /* CNCC_LOWER_FUNCTION_H_ */
