/* SPDX-License-Identifier: MIT
 *
 * Which core runs which task when, and the barriers of tasks that live together.
 */
#ifndef CARD_CLOCK_GROUP_H_
#define CARD_CLOCK_GROUP_H_

#include "clock/state.h"

bool group_prepare(struct play *play);
/* Starts as many groups as there are free cores for. */
void group_dispatch(struct play *play);
void group_task_ended(struct play *play, struct core *core);
void group_arrive(struct play *play, struct core *core, uint32_t barrier);

#endif /* CARD_CLOCK_GROUP_H_ */
