/* SPDX-License-Identifier: MIT
 *
 * A slot is one cluster: its threads and its shared RAM stay together for the life of the process
 * and work on one group after another.
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
  unsigned helped;       /* of these, cores taken by threads of the program */
  unsigned member_count; /* 0 without a group */
  unsigned threads;
  unsigned idle;
  unsigned spinning; /* of these, threads that poll `epoch` */
  unsigned tickets;  /* idle threads that were called and have not arrived; announced as active */
  _Atomic unsigned uncalled; /* unclaimed members for which no thread was woken */
  RT_CACHE_LINE_PADDING(before_epoch);
  _Atomic uint32_t epoch;
  RT_CACHE_LINE_PADDING(after_epoch);
  unsigned bound_threads; /* of the program; guarded by the lock of all clusters */
};

/* Members for the start and the end of a group are adjacent: both often happen on other CPUs. */
struct RT_OWN_CACHE_LINE rt_clusters {
  pthread_mutex_t lock;
  struct rt_slot *all;
  struct rt_slot *free_slots;
  struct rt_block_cache group_memory;
  struct rt_group *running;
};
extern struct rt_clusters rt_clusters;

/* A free slot, preferably the one of the calling thread, which may soon help. NULL when memory is
 * short. */
struct rt_slot *rt_slot_acquire(void);
/* Releases the slot of a finished group. */
void rt_slot_release(struct rt_slot *slot);

/* Takes a slot if it is free, false otherwise; and releases it. */
bool rt_slot_take(struct rt_slot *slot);
void rt_slot_return(struct rt_slot *slot);

/* Binds the calling thread of the program to a slot for life; it uses the slot's shared RAM when it
 * helps. NULL when it cannot have one. */
struct rt_slot *rt_slot_bind(void);
void rt_slot_unbind(struct rt_slot *slot);

/* Starts threads and promised helpers on a cluster of the group. */
void rt_slot_assign(struct rt_group *group, unsigned cluster, unsigned threads, unsigned helpers);
/* Calls up to `count` more threads, as members need them. False when one could not be created. */
bool rt_slot_call_threads(struct rt_slot *slot, unsigned count);
/* The next member of the slot's group for a slot thread or, if `is_helper`, a thread of the
 * program; NULL when all are taken. */
struct rt_member *rt_slot_take_member_locked(struct rt_slot *slot, bool is_helper);
bool rt_slot_all_taken(struct rt_slot *slot);

#endif /* RUNTIME_SLOT_H_ */
