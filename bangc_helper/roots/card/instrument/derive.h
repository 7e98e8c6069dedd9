/* SPDX-License-Identifier: MIT
 *
 * Addresses and the variables on chip that they were made of. Optimisation makes one sum of both,
 * so that is noted before it; a note travels as what debuggers are told of a variable of the
 * function, of which optimisation takes no notice.
 */
#ifndef CARD_INSTRUMENT_DERIVE_H_
#define CARD_INSTRUMENT_DERIVE_H_

#include "onchip.h"
#include "unit.h"

struct note {
  struct onchip variable;
  uint32_t bytes; /* of the access; 0: an operand of a function of the language */
  bool writes;
};

/* Before optimisation: notes every address that is made of a variable and is used. */
void note_addresses(struct unit *unit);
/* After it: the note that an instruction stands for, NULL for others. */
const struct note *note_of(const struct unit *unit, LLVMValueRef instruction);
/* The value that an instruction for debuggers gives its variable as it is; NULL: lost, changed, or
 * not known there. */
LLVMValueRef described_value(const struct unit *unit, LLVMValueRef instruction);
/* The address of a note; NULL: lost, or not known where the note is. The function must be as
 * optimisation has left it. */
LLVMValueRef noted_address(const struct unit *unit, LLVMValueRef instruction);
/* Removes the notes that are left. */
void remove_notes(struct unit *unit);

#endif /* CARD_INSTRUMENT_DERIVE_H_ */
