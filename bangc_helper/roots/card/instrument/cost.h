/* SPDX-License-Identifier: MIT
 *
 * What one instruction of LLVM costs on a card's scalar unit.
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
  uint32_t slots;   /* to issue it; 0: nothing a card would do */
  uint32_t latency; /* from its start to its result */
  bool loads, stores;
};

/* Constants are those of the first board of the architecture, or of the default. */
void cost_choose_board(int64_t architecture);

/* Instructions that are looked at for one without a wait. */
unsigned cost_window(void);

struct cost cost_of(LLVMValueRef instruction, enum layer layer);

/* taskId and its kin, which a card has in registers. */
bool is_builtin_variable(LLVMValueRef pointer);

/* Name of the function that is called directly, "" for others. */
const char *called_name(LLVMValueRef call);

#endif /* CARD_INSTRUMENT_COST_H_ */
