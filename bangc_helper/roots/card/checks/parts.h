/* SPDX-License-Identifier: MIT
 *
 * The single checks that card_check_act runs.
 */
#ifndef CARD_CHECKS_PARTS_H_
#define CARD_CHECKS_PARTS_H_

#include "check.h"
#include "report.h"

/* Adds a finding of the calling task at the operation's place; `address` may be 0. False if it is
 * suppressed. */
bool card_find(struct card_core *core, const struct card_act *act, enum card_check check,
               struct card_finding *finding, uintptr_t address, uint64_t bytes);

/* Does not return if an access leaves every object. */
void card_check_memory(struct card_core *core, const struct card_act *act,
                       const struct card_operand *operand);
void card_check_order_of_pipes(struct card_core *core, const struct card_act *act,
                               const struct card_operand *operand);
/* Returns how much of the operand was written, as a fraction of `whole`. It is less than `whole`
 * only for elementwise functions whose operand was rounded up. */
uint64_t card_check_init(struct card_core *core, const struct card_act *act,
                         const struct card_operand *operand, uint64_t whole);
/* A strided copy on chip may include unwritten bytes, for example of lists with different lengths.
 * Such a copy is no finding: each byte keeps its state at the destination. The first function
 * recognises it, the second moves the state. */
bool card_init_moves(struct card_core *core, const struct card_operand *source,
                     const struct card_operand *destination);
void card_init_move(struct card_core *core, const struct card_operand *source,
                    const struct card_operand *destination);
void card_check_race(struct card_core *core, const struct card_act *act,
                     const struct card_operand *operand);

#endif /* CARD_CHECKS_PARTS_H_ */
