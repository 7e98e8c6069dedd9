/* SPDX-License-Identifier: MIT
 *
 * Makes kernels known to cnrtInvokeKernel.
 */
#ifndef CNCC_LOWER_REGISTRATION_H_
#define CNCC_LOWER_REGISTRATION_H_

#include "lowering.h"

/* A kernel as template arguments that its body can write: the type of a pointer to it, and its
 * address. False when it cannot name itself. */
bool append_kernel_itself(StrBuf *out, Lowering *lowering, const Declaration *decl);
/* Its parameters without default arguments and qualifiers, and the type of a pointer to it. */
void append_parameters(StrBuf *out, const Source *source, int open);
void append_signature(StrBuf *out, const Lowering *lowering, const Declaration *decl);
/* ", name" for every parameter; those without a name get one. */
void append_parameter_values(StrBuf *out, Lowering *lowering, const Declaration *decl);

/* A single function by its address or by that of `stub`, beside its definition; the function of a
 * template or a member from its own body, which writes `itself` so. */
void register_kernel(Lowering *lowering, const Declaration *decl, const char *stub);
void register_from_body(Lowering *lowering, const Declaration *decl, const char *itself);

#endif /* CNCC_LOWER_REGISTRATION_H_ */
