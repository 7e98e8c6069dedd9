/* SPDX-License-Identifier: MIT
 *
 * Local variables whose lifetime has ended while their stack memory is still mapped.
 */
#ifndef CARD_CHECKS_STACK_H_
#define CARD_CHECKS_STACK_H_

#include "watch.h"

/* True if these bytes overlap a variable that has ended. */
bool card_stack_has_ended(const struct card_watch *watch, uintptr_t start, uint64_t bytes);
/* Forgets all variables when a task begins. */
void card_stack_clear(struct card_watch *watch);
void card_stack_free(struct card_watch *watch);

#endif /* CARD_CHECKS_STACK_H_ */
