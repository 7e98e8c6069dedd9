/* SPDX-License-Identifier: MIT
 *
 * The IO and move pipes of a core: each does its copies in order, over links that cores share.
 */
#ifndef CARD_CLOCK_CHANNEL_H_
#define CARD_CLOCK_CHANNEL_H_

#include "clock/state.h"

void channel_issue(struct play *play, struct core *core, enum channel_index which,
                   const struct command *command);
/* Called when the channel is first on the agenda. */
void channel_act(struct play *play, struct core *core, enum channel_index which);
/* Called when the link is first on the agenda. */
void link_act(struct play *play, struct card_link *link);

#endif /* CARD_CLOCK_CHANNEL_H_ */
