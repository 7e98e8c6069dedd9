/* SPDX-License-Identifier: MIT
 *
 * The state of a launch during its simulation: cores with their pipes, groups of tasks, shared
 * links. Internal to the clock.
 *
 * A core's program may run ahead of the common time while it affects only its own core. Before it
 * affects others, it waits until the common time has reached its own.
 */
#ifndef CARD_CLOCK_STATE_H_
#define CARD_CLOCK_STATE_H_

#include "clock/agenda.h"
#include "clock/cost.h"
#include "clock/link.h"
#include "clock/timing.h"

/* Pipes that share links with other cores. Each does a queue of copies in order. */
enum channel_index { CHANNEL_IO, CHANNEL_MOVE, CHANNEL_COUNT };

struct command {
  struct card_transfer cost;
  int64_t ready; /* when the program issued it */
  uint32_t site;
  const struct card_record *record;
};

struct channel {
  struct command *queue; /* a ring buffer; the first copy is in flight if `running` */
  size_t first, count, size;
  bool running;
  int64_t started;   /* when the copy in flight started */
  int64_t free_at;   /* end of the last copy */
  int64_t completed; /* end of all copies so far, including their tails */
  int64_t last_busy; /* how long the last copy kept the pipe busy */
};

/* The progress of copies that a program waits for. */
enum channel_progress {
  CHANNEL_MOVED,    /* the pipe has moved the bytes; memory may not have all of them yet */
  CHANNEL_COMPLETED /* memory has all bytes */
};

enum core_state {
  CORE_IDLE,
  CORE_RUNS,  /* continues at its time on the agenda */
  CORE_WAITS, /* waits for channels */
  CORE_AT_BARRIER,
  CORE_AT_LOCK,
};

struct core {
  enum core_state state;
  bool is_memory_core;
  uint32_t number, cluster;
  struct group *group;
  const struct card_task *task;
  struct card_reader reader;
  const struct card_record *pending; /* to be tried again at the common time */
  int64_t now;
  int64_t vector_free, tensor_free;
  struct channel channels[CHANNEL_COUNT];
  unsigned waits_for; /* mask of channels */
  enum channel_progress waits_until;
  uint32_t wait_site;
  uint32_t barrier, lock; /* that the core waits for */
  int64_t task_start, free_at;
  uint32_t tasks_run;
};

/* Tasks that run together: those of a union, or one block task. */
struct group {
  size_t first, count; /* range in play.order */
  struct core **members;
};

struct lock_entry {
  uint32_t id;
  struct core *holder;
};

struct place_entry {
  uint64_t place;
  int64_t free_at;
};

struct play {
  const struct card_board *board;
  const struct card_launch *launch;
  const struct card_sink *sink;
  struct card_timing *timing;
  unsigned free_pipes;
  int64_t time;
  bool failed; /* out of memory */
  struct card_agenda agenda;
  struct card_link dram, *sram; /* sram: one per cluster */
  int64_t dram_noted;           /* rates up to this time were passed to the sink */
  struct core *cores;           /* in the order of clusters, each with its memory core last */
  size_t core_count, cores_in_cluster, cluster_count;
  const struct card_task **order; /* tasks sorted by group */
  struct group *groups;
  struct core **members; /* of all groups */
  size_t group_count, next_group;
  int64_t dispatched; /* when the scheduler is free to start a task */
  struct lock_entry *locks;
  size_t lock_count, lock_size;
  struct place_entry *places; /* a hash table */
  size_t place_count, place_size;
};

/* Actors of the agenda: each core, followed by its channels, then the links. */
enum { ACTORS_PER_CORE = 1 + CHANNEL_COUNT };

static inline uint32_t actor_core(const struct core *core) {
  return core->number * ACTORS_PER_CORE;
}

static inline bool channel_is_empty(const struct channel *channel) {
  return channel->count == 0;
}

#endif /* CARD_CLOCK_STATE_H_ */
