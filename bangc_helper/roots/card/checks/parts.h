/* SPDX-License-Identifier: MIT
 *
 * The checks one by one, as card_check_act runs them.
 */
#ifndef CARD_CHECKS_PARTS_H_
#define CARD_CHECKS_PARTS_H_

#include "check.h"
#include "report.h"

/* A finding of the calling task at the act's place. `address` 0: none. True when it counts. */
bool card_find(struct card_core *core, const struct card_act *act, enum card_check check,
               struct card_finding *finding, uintptr_t address, uint64_t bytes);

/* Does not return if an access leaves every object. */
void card_check_memory(struct card_core *core, const struct card_act *act,
                       const struct card_operand *operand);
void card_check_order_of_pipes(struct card_core *core, const struct card_act *act,
                               const struct card_operand *operand);
/* How many of `whole` parts of the operand from its beginning have been written: less than `whole`
 * only where an elementwise function may go on. */
uint64_t card_check_init(struct card_core *core, const struct card_act *act,
                         const struct card_operand *operand, uint64_t whole);
/* A strided copy on chip may take along what nobody has written, as from lists of different
 * lengths: the bytes keep their state. Is it one, and what it has done. */
bool card_init_moves(struct card_core *core, const struct card_operand *source,
                     const struct card_operand *destination);
void card_init_move(struct card_core *core, const struct card_operand *source,
                    const struct card_operand *destination);
void card_check_race(struct card_core *core, const struct card_act *act,
                     const struct card_operand *operand);

#endif /* CARD_CHECKS_PARTS_H_ */
