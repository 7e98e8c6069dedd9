/* SPDX-License-Identifier: MIT
 *
 * Arrays declared without a bound.
 */
#ifndef CNCC_LOWER_BOUND_H_
#define CNCC_LOWER_BOUND_H_

#include "lowering.h"

/* The name in the array's definition elsewhere in the unit, -1 for none. */
int array_definition(const Source *source, const Declaration *decl, const Declarator *variable);

/* The bound that it therefore has. */
void append_array_bound(StrBuf *out, Lowering *lowering, const Declaration *decl,
                        const Declarator *variable);

#endif /* CNCC_LOWER_BOUND_H_ */
