/* SPDX-License-Identifier: MIT
 *
 * Kernels: definitions and declarations with __mlu_global__.
 */
#ifndef CNCC_LOWER_KERNEL_H_
#define CNCC_LOWER_KERNEL_H_

#include "lowering.h"

void lower_kernel(Lowering *lowering, const Declaration *decl, ScopeKind scope);

#endif /* CNCC_LOWER_KERNEL_H_ */
