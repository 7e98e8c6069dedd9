/* SPDX-License-Identifier: MIT
 *
 * Variables of functions that have ended while their memory is still there.
 */
#ifndef CARD_CHECKS_STACK_H_
#define CARD_CHECKS_STACK_H_

#include "watch.h"

/* Does a variable that has ended lie in these bytes? */
bool card_stack_has_ended(const struct card_watch *watch, uintptr_t start, uint64_t bytes);
/* Nothing is known: a task begins. */
void card_stack_clear(struct card_watch *watch);
void card_stack_free(struct card_watch *watch);

#endif /* CARD_CHECKS_STACK_H_ */
