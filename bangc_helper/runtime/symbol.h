/* SPDX-License-Identifier: MIT
 *
 * Variables of kernels that programs name.
 */
#ifndef RUNTIME_SYMBOL_H_
#define RUNTIME_SYMBOL_H_

#include "common.h"

/* By the root: where a variable lies on the current device, and how large it is;
 * cnrtErrorInvalidSymbol for any other address. */
cnrtRet_t rt_symbol_find(const void *symbol, char **start, size_t *size);

#endif /* RUNTIME_SYMBOL_H_ */
