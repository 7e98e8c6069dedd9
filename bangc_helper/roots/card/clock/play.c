/* SPDX-License-Identifier: MIT
 *
 * Simulates a launch: the actor with the earliest time acts next, until all tasks have ended.
 */
#include <stdlib.h>

#include "clock/account.h"
#include "clock/channel.h"
#include "clock/group.h"
#include "clock/program.h"

static bool prepare_links(struct play *play) {
  const struct card_board *board = play->board;
  const size_t flows = play->core_count * CHANNEL_COUNT;
  const int64_t sram_mb_per_s = board->sram_cluster_bytes_per_cycle * board->core_clock_khz / 1000;
  play->sram = calloc(play->cluster_count, sizeof *play->sram);
  bool made = play->sram != NULL && card_link_init(&play->dram, board->dram_mb_per_s, flows);
  for (size_t i = 0; made && i < play->cluster_count; ++i) {
    made = card_link_init(&play->sram[i], sram_mb_per_s, flows);
  }
  return made;
}

static bool prepare(struct play *play) {
  play->cluster_count = (size_t)play->board->clusters;
  play->cores_in_cluster = (size_t)play->board->cores_per_cluster + 1;
  play->core_count = play->cluster_count * play->cores_in_cluster;
  play->cores = calloc(play->core_count, sizeof *play->cores);
  if (play->cores == NULL || !prepare_links(play) || !group_prepare(play)) return false;
  for (size_t i = 0; i < play->core_count; ++i) {
    play->cores[i].number = (uint32_t)i;
    play->cores[i].cluster = (uint32_t)(i / play->cores_in_cluster);
    play->cores[i].is_memory_core = i % play->cores_in_cluster == play->cores_in_cluster - 1;
  }
  play->dispatched = 1000 * play->board->launch_ns;
  return card_agenda_init(&play->agenda,
                          play->core_count * ACTORS_PER_CORE + 1 + play->cluster_count);
}

static void discard(struct play *play) {
  for (size_t i = 0; play->cores != NULL && i < play->core_count; ++i) {
    for (int k = 0; k < CHANNEL_COUNT; ++k) free(play->cores[i].channels[k].queue);
  }
  for (size_t i = 0; play->sram != NULL && i < play->cluster_count; ++i) {
    card_link_destroy(&play->sram[i]);
  }
  card_link_destroy(&play->dram);
  card_agenda_destroy(&play->agenda);
  free(play->sram);
  free(play->cores);
  free(play->order);
  free(play->groups);
  free(play->members);
  free(play->locks);
  free(play->places);
}

static void act(struct play *play, uint32_t actor) {
  const uint32_t links = (uint32_t)play->core_count * ACTORS_PER_CORE;
  if (actor >= links) {
    link_act(play, actor == links ? &play->dram : &play->sram[actor - links - 1]);
    return;
  }
  struct core *core = &play->cores[actor / ACTORS_PER_CORE];
  if (actor % ACTORS_PER_CORE == 0) {
    card_agenda_set(&play->agenda, actor, CARD_NEVER);
    program_run(play, core);
  } else {
    channel_act(play, core, (enum channel_index)(actor % ACTORS_PER_CORE - 1));
  }
}

/* Continues the first core whose barrier or lock can never open. False: there is none. */
static bool break_deadlock(struct play *play) {
  for (size_t i = 0; i < play->core_count; ++i) {
    struct core *core = &play->cores[i];
    if (core->state == CORE_AT_BARRIER || core->state == CORE_AT_LOCK) {
      play->timing->stuck = true;
      play_spend(play, core, CARD_SPENT_BARRIER, play->time, core->wait_site);
      play_continue(play, core);
      return true;
    }
  }
  return false;
}

static void run(struct play *play) {
  group_dispatch(play);
  while (!play->failed) {
    int64_t time = 0;
    const uint32_t actor = card_agenda_first(&play->agenda, &time);
    if (time == CARD_NEVER) {
      if (!break_deadlock(play)) return;
      continue;
    }
    play->time = time;
    act(play, actor);
  }
}

static enum card_bound find_bound(const struct card_timing *timing) {
  const int64_t *spent = timing->spent;
  const int64_t shares[CARD_BOUND_COUNT] = {
      [CARD_BOUND_COPY] = spent[CARD_SPENT_COPY],
      [CARD_BOUND_VECTOR] = spent[CARD_SPENT_VECTOR],
      [CARD_BOUND_TENSOR] = spent[CARD_SPENT_TENSOR],
      [CARD_BOUND_SCALAR] = spent[CARD_SPENT_SCALAR],
      [CARD_BOUND_LATENCY] = spent[CARD_SPENT_LATENCY] + spent[CARD_SPENT_ATOMIC] +
                             spent[CARD_SPENT_BARRIER] + spent[CARD_SPENT_START] +
                             spent[CARD_SPENT_MOVE],
  };
  enum card_bound bound = CARD_BOUND_COPY;
  for (int i = 0; i < CARD_BOUND_COUNT; ++i) {
    if (shares[i] > shares[bound]) bound = (enum card_bound)i;
  }
  return bound;
}

static void sum_up(struct play *play) {
  struct card_timing *timing = play->timing;
  timing->duration = 1000 * play->board->launch_ns;
  for (size_t i = 0; i < play->core_count; ++i) {
    const struct core *core = &play->cores[i];
    if (core->tasks_run == 0) continue;
    if (core->free_at > timing->duration) timing->duration = core->free_at;
    if (core->tasks_run > timing->waves) timing->waves = core->tasks_run;
    ++timing->cores;
  }
  for (size_t i = 0; i < play->core_count; ++i) {
    if (play->cores[i].tasks_run > 0) {
      timing->spent[CARD_SPENT_IDLE] += timing->duration - play->cores[i].free_at;
    }
  }
  timing->bound = find_bound(timing);
}

bool card_play_launch(const struct card_board *board, const struct card_launch *launch,
                      unsigned free_pipes, const struct card_sink *sink,
                      struct card_timing *timing) {
  static const struct card_sink no_sink = {0};
  struct play play = {.board = board,
                      .launch = launch,
                      .sink = sink != NULL ? sink : &no_sink,
                      .timing = timing,
                      .free_pipes = free_pipes};
  *timing = (struct card_timing){0};
  play.failed = !prepare(&play);
  if (!play.failed) run(&play);
  if (!play.failed) sum_up(&play);
  discard(&play);
  return !play.failed;
}
