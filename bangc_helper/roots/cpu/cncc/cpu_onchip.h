/* SPDX-License-Identifier: MIT
 *
 * Variables where a core is a thread.
 */
#ifndef CNCC_CPU_ONCHIP_H_
#define CNCC_CPU_ONCHIP_H_

#include "lowering.h"

void cpu_lower_onchip(Lowering *lowering, const Declaration *decl, ScopeKind scope);
void cpu_lower_global(Lowering *lowering, const Declaration *decl, bool is_definition);

/* Code at the start and the end of a device function's body. */
void cpu_wrap_body(Lowering *lowering, const Declaration *decl, StrBuf *open, StrBuf *close);

void cpu_begin_unit(Lowering *lowering);
void cpu_end_unit(Lowering *lowering, StrBuf *out);

#endif /* CNCC_CPU_ONCHIP_H_ */
