/* SPDX-License-Identifier: MIT
 *
 * The IO and the move pipe of a core: copies in order, over links that cores share.
 */
#ifndef CARD_CLOCK_CHANNEL_H_
#define CARD_CLOCK_CHANNEL_H_

#include "clock/state.h"

void channel_issue(struct play *play, struct core *core, enum channel_index which,
                   const struct command *command);
/* The channel's time on the agenda has come. */
void channel_act(struct play *play, struct core *core, enum channel_index which);
/* The link's time has come. */
void link_act(struct play *play, struct card_link *link);

#endif /* CARD_CLOCK_CHANNEL_H_ */
