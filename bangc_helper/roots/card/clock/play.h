/* SPDX-License-Identifier: MIT
 *
 * A launch being played: cores with their pipes, groups of tasks, shared links. Inside the clock.
 *
 * A core's program runs ahead of the common time as long as what it does concerns itself only; it
 * waits until the common time has come (`play_ordered`) before it does what others see.
 */
#ifndef CARD_CLOCK_PLAY_H_
#define CARD_CLOCK_PLAY_H_

#include "clock/agenda.h"
#include "clock/cost.h"
#include "clock/link.h"
#include "clock/timing.h"

/* Pipes whose work others may hold up: a queue of copies, done in order. */
enum channel_index { CHANNEL_IO, CHANNEL_MOVE, CHANNEL_COUNT };

struct command {
  struct card_transfer cost;
  int64_t ready; /* issued by the program */
  uint32_t site;
  const struct card_record *record;
};

struct channel {
  struct command *queue; /* a ring; the first one is under way unless the channel waits */
  size_t first, count, size;
  bool running;
  int64_t started;   /* of the copy under way */
  int64_t free_at;   /* end of the last copy */
  int64_t completed; /* of all copies so far, their tails included */
  int64_t last_busy; /* how long the last copy kept the pipe busy */
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
  int64_t dram_noted;           /* rates are told to the sink up to here */
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

/* ---- Accounts (play.c) ---- */

void play_spend(struct play *play, struct core *core, enum card_spent why, int64_t until,
                uint32_t site);
void play_busy(struct play *play, const struct core *core, enum card_pipe pipe, int64_t start,
               int64_t end, uint32_t site, const struct card_record *record);
bool play_is_free(const struct play *play, enum card_pipe pipe);
/* Lets the core continue at its own time. */
void play_continue(struct play *play, struct core *core);

/* ---- Channels (channel.c) ---- */

/* Actors of the agenda: three per core, then the links. */
uint32_t actor_core(const struct core *core);
void channel_issue(struct play *play, struct core *core, enum channel_index which,
                   const struct command *command);
bool channel_is_empty(const struct channel *channel);
/* The channel's time on the agenda has come. */
void channel_act(struct play *play, struct core *core, enum channel_index which);
void link_act(struct play *play, struct card_link *link);
struct card_link *link_of(struct play *play, const struct core *core, enum card_route route);
uint32_t actor_link(const struct play *play, const struct card_link *link);

/* ---- A core's program (program.c) ---- */

/* Runs the program until it has to wait. */
void program_run(struct play *play, struct core *core);
/* A channel became empty: goes on if that was waited for. */
void program_channel_empty(struct play *play, struct core *core);

/* ---- Groups (group.c) ---- */

bool group_prepare(struct play *play);
/* Starts as many groups as there are free cores for. */
void group_dispatch(struct play *play);
void group_task_ended(struct play *play, struct core *core);
void group_arrive(struct play *play, struct core *core, uint32_t barrier);

/* ---- Atomics and locks (shared.c) ---- */

/* When an operation of `cost` on a place ends that begins at the core's time. */
int64_t shared_atomic(struct play *play, int64_t now, uint64_t place, int64_t cost);
/* False: another core has it; the core will be woken. */
bool shared_lock(struct play *play, struct core *core, uint32_t id);
void shared_unlock(struct play *play, struct core *core, uint32_t id);

#endif /* CARD_CLOCK_PLAY_H_ */
