/* SPDX-License-Identifier: MIT
 *
 * Makes kernels known to cnrtInvokeKernel.
 */
#ifndef CNCC_LOWER_REGISTRATION_H_
#define CNCC_LOWER_REGISTRATION_H_

#include "lowering.h"

/* A single function by its address or by that of `stub`, beside its definition; the function of a
 * template or a member from its own body. */
void register_kernel(Lowering *lowering, const Declaration *decl, const char *stub);
void register_from_body(Lowering *lowering, const Declaration *decl);

#endif /* CNCC_LOWER_REGISTRATION_H_ */
