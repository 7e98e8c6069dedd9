/* SPDX-License-Identifier: MIT
 *
 * On-chip variables where a core's memory is an arena that only a running task can address.
 */
#ifndef CNCC_CUDA_ONCHIP_H_
#define CNCC_CUDA_ONCHIP_H_

#include "lowering.h"

/* These own lowering->state from the start of a unit to its end. */
void cuda_begin_unit(Lowering *lowering);
void cuda_end_unit(Lowering *lowering, StrBuf *out);

void cuda_lower_onchip(Lowering *lowering, const Declaration *decl, ScopeKind scope);

/* Adds references to the variables that a body uses. */
void cuda_wrap_body(Lowering *lowering, const Declaration *decl, StrBuf *open, StrBuf *close);

#endif /* CNCC_CUDA_ONCHIP_H_ */
