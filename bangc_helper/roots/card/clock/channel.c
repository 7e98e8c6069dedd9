/* SPDX-License-Identifier: MIT */
#include "clock/channel.h"

#include <stdlib.h>

#include "clock/account.h"
#include "clock/channel_wait.h"

static uint32_t actor_channel(const struct core *core, enum channel_index which) {
  return actor_core(core) + 1 + which;
}

static uint32_t actor_link(const struct play *play, const struct card_link *link) {
  const uint32_t first = (uint32_t)play->core_count * ACTORS_PER_CORE;
  return link == &play->dram ? first : first + 1 + (uint32_t)(link - play->sram);
}

static struct card_link *link_of(struct play *play, const struct core *core,
                                 enum card_route route) {
  return route == CARD_ROUTE_DRAM ? &play->dram : &play->sram[core->cluster];
}

static struct command *first_command(struct channel *channel) {
  return &channel->queue[channel->first];
}

static bool append(struct channel *channel, const struct command *command) {
  if (channel->count == channel->size) {
    const size_t size = channel->size > 0 ? 2 * channel->size : 16;
    struct command *queue = malloc(size * sizeof *queue);
    if (queue == NULL) return false;
    for (size_t i = 0; i < channel->count; ++i) {
      queue[i] = channel->queue[(channel->first + i) % channel->size];
    }
    free(channel->queue);
    channel->queue = queue;
    channel->size = size;
    channel->first = 0;
  }
  channel->queue[(channel->first + channel->count++) % channel->size] = *command;
  return true;
}

/* A read is requested when it is issued, so its latency overlaps with earlier copies. */
static int64_t start_time(const struct play *play, const struct channel *channel,
                          const struct command *command) {
  const int64_t requested = command->ready + command->cost.lead;
  int64_t after = channel->free_at;
  if (command->cost.route == CARD_ROUTE_DRAM) {
    after += card_cycles(play->board, play->board->copy_issue_cycles);
  }
  return requested > after ? requested : after;
}

static void complete(struct play *play, struct core *core, enum channel_index which,
                     const struct command *command, int64_t start, int64_t end) {
  struct channel *channel = &core->channels[which];
  channel->free_at = end;
  channel->last_busy = end - start;
  if (end + command->cost.tail > channel->completed) channel->completed = end + command->cost.tail;
  play_busy(play, core, which == CHANNEL_IO ? CARD_PIPE_IO : CARD_PIPE_MOVE, start, end,
            command->site, command->record);
}

static void note_dram(struct play *play, int64_t now) {
  if (play->sink->dram != NULL && now > play->dram_noted) {
    play->sink->dram(play->sink->context, play->dram_noted, now, play->dram.total);
  }
  play->dram_noted = now;
}

static void begin_piece(struct play *play, struct core *core, enum channel_index which) {
  struct card_transfer *cost = &first_command(&core->channels[which])->cost;
  struct card_link *link = link_of(play, core, cost->route);
  int64_t bytes = cost->bytes > CARD_LINK_MAX_BYTES ? CARD_LINK_MAX_BYTES : cost->bytes;
  cost->bytes -= bytes;
  if (bytes < 1) bytes = 1;
  if (link == &play->dram) note_dram(play, play->time);
  card_link_begin(link, play->time, actor_channel(core, which), bytes, cost->limit);
  card_agenda_set(&play->agenda, actor_link(play, link), card_link_next(link));
}

/* The minimum time of its segments limits the rate of a strided copy. */
static int64_t rate_limit(const struct card_transfer *cost) {
  const int64_t bytes = cost->bytes > 0 ? cost->bytes : 1;
  if (cost->least == 0 || bytes > CARD_LINK_MAX_BYTES) return cost->limit;
  const int64_t rate = bytes * INT64_C(1000000000) / cost->least;
  return rate < cost->limit ? rate : cost->limit;
}

static void end_first(struct play *play, struct core *core, enum channel_index which) {
  struct channel *channel = &core->channels[which];
  const struct command command = *first_command(channel);
  channel->running = false;
  channel->first = (channel->first + 1) % channel->size;
  --channel->count;
  complete(play, core, which, &command, channel->started, play->time);
  if (channel->count > 0) {
    card_agenda_set(&play->agenda, actor_channel(core, which),
                    start_time(play, channel, first_command(channel)));
  } else {
    channels_wake(play, core);
  }
}

void channel_act(struct play *play, struct core *core, enum channel_index which) {
  struct channel *channel = &core->channels[which];
  struct command *command = first_command(channel);
  card_agenda_set(&play->agenda, actor_channel(core, which), CARD_NEVER);
  if (channel->running) { /* a local copy has ended */
    end_first(play, core, which);
    return;
  }
  channel->running = true;
  channel->started = play->time;
  if (command->cost.route == CARD_ROUTE_LOCAL) {
    card_agenda_set(&play->agenda, actor_channel(core, which), play->time + command->cost.least);
  } else {
    command->cost.limit = rate_limit(&command->cost);
    begin_piece(play, core, which);
  }
}

void link_act(struct play *play, struct card_link *link) {
  uint32_t owner = 0;
  if (link == &play->dram) note_dram(play, play->time);
  while (card_link_end(link, play->time, &owner)) {
    struct core *core = &play->cores[owner / ACTORS_PER_CORE];
    const enum channel_index which = (enum channel_index)(owner % ACTORS_PER_CORE - 1);
    if (first_command(&core->channels[which])->cost.bytes > 0) {
      begin_piece(play, core, which);
    } else {
      end_first(play, core, which);
    }
  }
  card_agenda_set(&play->agenda, actor_link(play, link), card_link_next(link));
}

void channel_issue(struct play *play, struct core *core, enum channel_index which,
                   const struct command *command) {
  struct channel *channel = &core->channels[which];
  const bool was_empty = channel_is_empty(channel);
  const int64_t start = start_time(play, channel, command);
  if (was_empty && command->cost.route == CARD_ROUTE_LOCAL) {
    complete(play, core, which, command, start, start + command->cost.least);
    return;
  }
  if (!append(channel, command)) {
    play->failed = true;
  } else if (was_empty) {
    card_agenda_set(&play->agenda, actor_channel(core, which), start);
  }
}
