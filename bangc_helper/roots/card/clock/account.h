/* SPDX-License-Identifier: MIT
 *
 * Accounts for the time of cores.
 */
#ifndef CARD_CLOCK_ACCOUNT_H_
#define CARD_CLOCK_ACCOUNT_H_

#include "clock/state.h"

/* True if the work of this pipe takes no time in this simulation. */
bool play_is_free(const struct play *play, enum card_pipe pipe);
/* Advances the core's time and accounts for it. */
void play_spend(struct play *play, struct core *core, enum card_spent why, int64_t until,
                uint32_t site);
void play_busy(struct play *play, const struct core *core, enum card_pipe pipe, int64_t start,
               int64_t end, uint32_t site, const struct card_record *record);
/* Lets the core continue at its own time. */
void play_continue(struct play *play, struct core *core);

#endif /* CARD_CLOCK_ACCOUNT_H_ */
