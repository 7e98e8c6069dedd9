/* SPDX-License-Identifier: MIT
 *
 * Kernels: definitions and declarations with __mlu_global__.
 */
#ifndef CNCC_LOWER_KERNEL_H_
#define CNCC_LOWER_KERNEL_H_

#include "lowering.h"

void lower_kernel(Lowering *lowering, const Declaration *decl, ScopeKind scope);

/* The call that a kernel's body becomes the last argument of, up to the closure: its name, and
 * `unit`, an expression for what the unit has on the chip. */
void append_kernel_entry(StrBuf *out, const Lowering *lowering, const Declaration *decl,
                         const char *unit);

#endif /* CNCC_LOWER_KERNEL_H_ */
