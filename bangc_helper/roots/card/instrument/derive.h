/* SPDX-License-Identifier: MIT
 *
 * Connects addresses with the on-chip variables they were computed from. Optimisation folds
 * variable and offset into one sum, so notes are taken before it. A note is a debug value of an
 * artificial local variable: debug values do not change optimisation and survive it.
 */
#ifndef CARD_INSTRUMENT_DERIVE_H_
#define CARD_INSTRUMENT_DERIVE_H_

#include "onchip.h"
#include "unit.h"

struct note {
  struct onchip variable;
  uint32_t bytes; /* bytes of the access; 0: an operand of a function of the language */
  bool writes;
};

/* Before optimisation: notes every used address that is computed from a variable. */
void note_addresses(struct unit *unit);
/* After optimisation: the note that an instruction carries; NULL if it is none. */
const struct note *note_of(const struct unit *unit, LLVMValueRef instruction);
/* The value that a debug instruction gives its variable; NULL if it is lost, needs a computation,
 * or is not available there. */
LLVMValueRef described_value(const struct unit *unit, LLVMValueRef instruction);
/* The address of a note; NULL if it is lost or not available there. Call it before the function is
 * instrumented. */
LLVMValueRef noted_address(const struct unit *unit, LLVMValueRef instruction);
/* Removes all notes. */
void remove_notes(struct unit *unit);

#endif /* CARD_INSTRUMENT_DERIVE_H_ */
