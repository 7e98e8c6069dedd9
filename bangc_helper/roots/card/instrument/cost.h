/* SPDX-License-Identifier: MIT
 *
 * Cost of one LLVM instruction on a card's scalar unit.
 */
#ifndef CARD_INSTRUMENT_COST_H_
#define CARD_INSTRUMENT_COST_H_

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "places.h"

/* Times are in half cycles. */
enum { HALF_CYCLES = 2 };

struct cost {
  uint32_t slots;   /* time to issue; 0: a card has no such instruction */
  uint32_t latency; /* from issue to result */
  bool loads, stores;
};

/* Takes the constants of the architecture's first board, or of the default board. */
void cost_choose_board(int64_t architecture);

/* How many instructions the scheduler looks ahead for one that need not wait. */
unsigned cost_window(void);

struct cost cost_of(LLVMValueRef instruction, enum layer layer);

/* True for taskId and the other built-in variables, which a card holds in registers. */
bool is_builtin_variable(LLVMValueRef pointer);

/* Name of the called function; "" for indirect calls. */
const char *called_name(LLVMValueRef call);

#endif /* CARD_INSTRUMENT_COST_H_ */
