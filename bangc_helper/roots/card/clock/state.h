/* SPDX-License-Identifier: MIT
 *
 * The state of a launch that is being played: cores with their pipes, groups of tasks, shared
 * links. Inside the clock.
 *
 * A core's program runs ahead of the common time as long as what it does concerns itself only; it
 * waits until the common time has come before it does what others see.
 */
#ifndef CARD_CLOCK_STATE_H_
#define CARD_CLOCK_STATE_H_

#include "clock/agenda.h"
#include "clock/cost.h"
#include "clock/link.h"
#include "clock/timing.h"

/* Pipes that share links with other cores. Each is a queue of copies, done in order. */
enum channel_index { CHANNEL_IO, CHANNEL_MOVE, CHANNEL_COUNT };

struct command {
  struct card_transfer cost;
  int64_t ready; /* issued by the program */
  uint32_t site;
  const struct card_record *record;
};

struct channel {
  struct command *queue; /* a ring; the first one is in flight unless the channel waits */
  size_t first, count, size;
  bool running;
  int64_t started;   /* of the copy in flight */
  int64_t free_at;   /* end of the last copy */
  int64_t completed; /* of all copies so far, their tails included */
  int64_t last_busy; /* how long the last copy kept the pipe busy */
};

/* How far copies must be before the program goes on. */
enum channel_progress {
  CHANNEL_MOVED,    /* the pipe has moved their bytes; memory may not have all of them yet */
  CHANNEL_COMPLETED /* memory has them */
};

enum core_state {
  CORE_IDLE,
  CORE_RUNS,  /* continues at its time on the agenda */
  CORE_WAITS, /* for channels */
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
  const struct card_record *pending; /* to be tried again */
  int64_t now;
  int64_t vector_free, tensor_free;
  struct channel channels[CHANNEL_COUNT];
  unsigned waits_for; /* channels, a mask */
  enum channel_progress waits_until;
  uint32_t wait_site;
  uint32_t barrier, lock; /* waited for */
  int64_t task_start, free_at;
  uint32_t tasks_run;
};

/* Tasks that live together: those of a union, or one block task. */
struct group {
  size_t first, count; /* in play.order */
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
  struct card_link dram, *sram; /* the latter by cluster */
  int64_t dram_noted;           /* the sink knows the rates up to this time */
  struct core *cores;           /* by cluster, its memory core last */
  size_t core_count, cores_in_cluster, cluster_count;
  const struct card_task **order; /* tasks by group */
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
