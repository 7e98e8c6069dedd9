/* SPDX-License-Identifier: MIT
 *
 * Recognises on-chip variables before optimisation: each is a call that returns its address
 * (bang_lowering.h), with its size as an attribute.
 */
#ifndef CARD_INSTRUMENT_ONCHIP_H_
#define CARD_INSTRUMENT_ONCHIP_H_

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "bang_runtime.h"

struct onchip {
  bangSpace space;
  uint64_t at; /* offset in its memory */
  uint64_t bytes;
};

/* Size of the variable whose address the function returns; 0 if unknown. */
uint64_t onchip_bytes(LLVMValueRef function);
/* True if the call returns the address of an on-chip variable of the file. */
bool onchip_variable(LLVMValueRef call, struct onchip *variable);

#endif /* CARD_INSTRUMENT_ONCHIP_H_ */
