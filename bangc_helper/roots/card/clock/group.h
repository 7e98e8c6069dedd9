/* SPDX-License-Identifier: MIT
 *
 * Assigns tasks to cores, and simulates the barriers of tasks that run together.
 */
#ifndef CARD_CLOCK_GROUP_H_
#define CARD_CLOCK_GROUP_H_

#include "clock/state.h"

bool group_prepare(struct play *play);
/* Starts as many groups as fit on the free cores. */
void group_dispatch(struct play *play);
void group_task_ended(struct play *play, struct core *core);
void group_arrive(struct play *play, struct core *core, uint32_t barrier);

#endif /* CARD_CLOCK_GROUP_H_ */
