/* SPDX-License-Identifier: MIT
 *
 * A slot stands for one cluster: its threads and its shared RAM stay together for the life of the
 * process, and work on one group after another.
 */
#ifndef RUNTIME_SLOT_H_
#define RUNTIME_SLOT_H_

#include "block_cache.h"
#include "group.h"

struct rt_slot {
  pthread_mutex_t lock;
  struct rt_slot *next_free;
  struct rt_slot *next; /* in the list of all */
  char *sram;
  /* What its threads work on; guarded by lock. */
  struct rt_group *group;
  unsigned cluster;
  unsigned taken;        /* members that a thread has claimed */
  unsigned helped;       /* of these, cores that threads of the program have taken */
  unsigned member_count; /* 0 without a group */
  unsigned threads;
  unsigned idle;
  unsigned spinning; /* of these, threads that see a change of `epoch` by themselves */
  unsigned tickets;  /* idle threads that were called and have not come yet; announced as active */
  _Atomic unsigned uncalled; /* members not claimed, for which no thread was woken either */
  RT_CACHE_LINE_PADDING(before_epoch);
  _Atomic uint32_t epoch;
  RT_CACHE_LINE_PADDING(after_epoch);
  unsigned bound_threads; /* of the program; guarded by the lock of all clusters */
};

/* What the start and the end of a group want lies together: both often are on other CPUs. */
struct RT_OWN_CACHE_LINE rt_clusters {
  pthread_mutex_t lock;
  struct rt_slot *all;
  struct rt_slot *free_slots;
  struct rt_block_cache group_memory;
  struct rt_group *running;
};
extern struct rt_clusters rt_clusters;

/* A slot that no group uses: the one that the calling thread is bound to, which may soon help, if
 * that is possible. NULL when memory is short. */
struct rt_slot *rt_slot_acquire(void);
/* Gives a finished group's slot back. */
void rt_slot_release(struct rt_slot *slot);

/* Takes a slot that no group uses; false when one does. Returns it. */
bool rt_slot_take(struct rt_slot *slot);
void rt_slot_return(struct rt_slot *slot);

/* Gives the calling thread of the program a slot for life, whose shared RAM it uses when it helps;
 * NULL when it cannot have one. */
struct rt_slot *rt_slot_bind(void);
void rt_slot_unbind(struct rt_slot *slot);

/* Lets threads, and helpers that were promised, work on a cluster of the group. */
void rt_slot_assign(struct rt_group *group, unsigned cluster, unsigned threads, unsigned helpers);
/* Calls up to `count` more threads, as members need them. False when one could not be created. */
bool rt_slot_call_threads(struct rt_slot *slot, unsigned count);
/* The next member of the slot's group, for a thread of the program if it is a helper; NULL when all
 * are taken. */
struct rt_member *rt_slot_take_member_locked(struct rt_slot *slot, bool is_helper);
bool rt_slot_all_taken(struct rt_slot *slot);

#endif /* RUNTIME_SLOT_H_ */
