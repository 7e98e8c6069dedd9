/* SPDX-License-Identifier: MIT
 *
 * Device functions.
 */
#ifndef CNCC_LOWER_FUNCTION_H_
#define CNCC_LOWER_FUNCTION_H_

#include "lowering.h"

void lower_function(Lowering *lowering, const Declaration *decl, ScopeKind scope);

/* What ends the process ends only the launch in a device function's or a kernel's body. */
void lower_exits(Lowering *lowering, const Declaration *decl);

#endif /* CNCC_LOWER_FUNCTION_H_ */
