/* SPDX-License-Identifier: MIT
 *
 * Makes kernels known to cnrtInvokeKernel.
 */
#ifndef CNCC_LOWER_REGISTRATION_H_
#define CNCC_LOWER_REGISTRATION_H_

#include "lowering.h"

/* The kernel as template arguments for use in its body: the type of a pointer to it, and its
 * address. False when it cannot name itself. */
bool append_kernel_itself(StrBuf *out, Lowering *lowering, const Declaration *decl);
/* Its parameters without default arguments and qualifiers, and the type of a pointer to it. */
void append_parameters(StrBuf *out, const Source *source, int open);
void append_signature(StrBuf *out, const Lowering *lowering, const Declaration *decl);
/* ", name" for every parameter; those without a name get one. */
void append_parameter_values(StrBuf *out, Lowering *lowering, const Declaration *decl);

/* Registers a plain function by its address, or by that of `stub`, next to its definition. A
 * template or member registers itself from its body, where `itself` names it. */
void register_kernel(Lowering *lowering, const Declaration *decl, const char *stub);
void register_from_body(Lowering *lowering, const Declaration *decl, const char *itself);

#endif /* CNCC_LOWER_REGISTRATION_H_ */
