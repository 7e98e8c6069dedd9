/* SPDX-License-Identifier: MIT
 *
 * Inline assembly.
 */
#ifndef CNCC_LOWER_ASM_H_
#define CNCC_LOWER_ASM_H_

#include "lowering.h"

/* The statement that begins with the word at `index`. */
void lower_asm(Lowering *lowering, int index);

#endif /* CNCC_LOWER_ASM_H_ */
