/* SPDX-License-Identifier: MIT
 *
 * Variables on chip before optimisation: each shows by the call that gives its place
 * (bang_lowering.h), whose result has its size.
 */
#ifndef CARD_INSTRUMENT_ONCHIP_H_
#define CARD_INSTRUMENT_ONCHIP_H_

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "bang_runtime.h"

struct onchip {
  bangSpace space;
  uint64_t at; /* in its memory */
  uint64_t bytes;
};

/* Bytes of the variable that a function gives the place of; 0: it says nothing of them. */
uint64_t onchip_bytes(LLVMValueRef function);
/* Is it a call for the place of a variable of the file? */
bool onchip_variable(LLVMValueRef call, struct onchip *variable);

#endif /* CARD_INSTRUMENT_ONCHIP_H_ */
