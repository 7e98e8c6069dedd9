/* SPDX-License-Identifier: MIT */
#include "clock/channel_wait.h"

#include "clock/account.h"

static int64_t end_of(const struct channel *channel, enum channel_progress until) {
  return until == CHANNEL_MOVED ? channel->free_at : channel->completed;
}

/* The time in which bytes moved counts as copying, the rest of the wait as latency. */
static void spend_on_channel(struct play *play, struct core *core, enum channel_index which,
                             enum channel_progress until, uint32_t site) {
  const struct channel *channel = &core->channels[which];
  const int64_t end = end_of(channel, until);
  const int64_t wait = end - core->now;
  if (wait <= 0) return;
  const int64_t moving = channel->last_busy < wait ? channel->last_busy : wait;
  play_spend(play, core, CARD_SPENT_LATENCY, end - moving, site);
  play_spend(play, core, which == CHANNEL_IO ? CARD_SPENT_COPY : CARD_SPENT_MOVE, end, site);
}

bool channels_are_empty(const struct core *core, unsigned channels) {
  for (unsigned i = 0; i < CHANNEL_COUNT; ++i) {
    if ((channels & (1u << i)) != 0 && !channel_is_empty(&core->channels[i])) return false;
  }
  return true;
}

void channels_spend(struct play *play, struct core *core, unsigned channels,
                    enum channel_progress until, uint32_t site) {
  const bool io = (channels & (1u << CHANNEL_IO)) != 0;
  const bool move = (channels & (1u << CHANNEL_MOVE)) != 0;
  /* The wait is accounted to the channel that ends last. */
  const bool io_last =
      end_of(&core->channels[CHANNEL_IO], until) >= end_of(&core->channels[CHANNEL_MOVE], until);
  if (io && (io_last || !move)) spend_on_channel(play, core, CHANNEL_IO, until, site);
  if (move) spend_on_channel(play, core, CHANNEL_MOVE, until, site);
  if (io) spend_on_channel(play, core, CHANNEL_IO, until, site);
}

bool channels_await(struct play *play, struct core *core, unsigned channels,
                    enum channel_progress until, uint32_t site) {
  if (channels_are_empty(core, channels)) {
    channels_spend(play, core, channels, until, site);
    return true;
  }
  core->state = CORE_WAITS;
  core->waits_for = channels;
  core->waits_until = until;
  core->wait_site = site;
  return false;
}

void channels_wake(struct play *play, struct core *core) {
  if (core->state != CORE_WAITS || !channels_are_empty(core, core->waits_for)) return;
  channels_spend(play, core, core->waits_for, core->waits_until, core->wait_site);
  play_continue(play, core);
}
