/* SPDX-License-Identifier: MIT
 *
 * Arrays that are declared without a size, such as `extern int table[];`.
 */
#ifndef CNCC_LOWER_EXTERN_ARRAY_H_
#define CNCC_LOWER_EXTERN_ARRAY_H_

#include "lowering.h"

/* The token of the name in the array's definition elsewhere in the unit, -1 if there is none. */
int array_definition(const Source *source, const Declaration *decl, const Declarator *variable);

/* Appends the size that the definition gives the array. */
void append_array_size(StrBuf *out, Lowering *lowering, const Declaration *decl,
                       const Declarator *variable);

#endif /* CNCC_LOWER_EXTERN_ARRAY_H_ */
