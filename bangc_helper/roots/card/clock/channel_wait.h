/* SPDX-License-Identifier: MIT
 *
 * How a core's program waits for its copies. `channels` are masks of 1u << channel_index.
 */
#ifndef CARD_CLOCK_CHANNEL_WAIT_H_
#define CARD_CLOCK_CHANNEL_WAIT_H_

#include "clock/state.h"

enum { ALL_CHANNELS = (1u << CHANNEL_COUNT) - 1 };

bool channels_are_empty(const struct core *core, unsigned channels);
/* Advances the core's time until the last copies of the channels have made this progress. The
 * channels must be empty. */
void channels_spend(struct play *play, struct core *core, unsigned channels,
                    enum channel_progress until, uint32_t site);
/* True: the copies have made this progress. False: the core waits for them and continues later. */
bool channels_await(struct play *play, struct core *core, unsigned channels,
                    enum channel_progress until, uint32_t site);
/* Call it when a channel becomes empty: continues the core if it waited for that. */
void channels_wake(struct play *play, struct core *core);

#endif /* CARD_CLOCK_CHANNEL_WAIT_H_ */
