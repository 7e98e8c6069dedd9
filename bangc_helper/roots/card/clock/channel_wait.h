/* SPDX-License-Identifier: MIT
 *
 * How a core's program waits for its copies. `channels` are masks of 1u << channel_index.
 */
#ifndef CARD_CLOCK_CHANNEL_WAIT_H_
#define CARD_CLOCK_CHANNEL_WAIT_H_

#include "clock/state.h"

enum { ALL_CHANNELS = (1u << CHANNEL_COUNT) - 1 };

bool channels_are_empty(const struct core *core, unsigned channels);
/* Accounts for the time until copies of empty channels have come so far. */
void channels_spend(struct play *play, struct core *core, unsigned channels,
                    enum channel_progress until, uint32_t site);
/* True: the copies have come so far. False: the core waits, and continues when they have. */
bool channels_await(struct play *play, struct core *core, unsigned channels,
                    enum channel_progress until, uint32_t site);
/* A channel became empty: the core continues if that was waited for. */
void channels_wake(struct play *play, struct core *core);

#endif /* CARD_CLOCK_CHANNEL_WAIT_H_ */
