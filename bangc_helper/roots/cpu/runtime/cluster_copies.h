/* SPDX-License-Identifier: MIT
 *
 * Copies between DRAM and shared RAM, or between shared RAMs, are a cluster's: on the card its
 * memory core carries them out, however many cores issue them. Published pipelines rely on that:
 * every core issues the store of a tile and then the load of the next one into the same place, and
 * a store done again after that load would store what was loaded.
 */
#ifndef RUNTIME_CLUSTER_COPIES_H_
#define RUNTIME_CLUSTER_COPIES_H_

#include <pthread.h>

#include "bang_runtime.h"
#include "common.h"

/* What a cluster has issued for all its cores since its last barrier. */
struct rt_cluster_copies {
  pthread_mutex_t lock;
  struct rt_copy_list *_Atomic list; /* NULL before the first; contents under the lock */
};

struct rt_copy_key {
  void *dst;
  const void *src;
  size_t size;
  size_t direction;
  bangCopyShape shape; /* all zero for one segment */
};

typedef enum rt_copy_claim {
  RT_COPY_ALONE,  /* no union task, or no room to remember: as any other copy */
  RT_COPY_MINE,   /* the caller does it now, then calls rt_cluster_copy_end */
  RT_COPY_ISSUED, /* another core has done it for the cluster */
} rt_copy_claim;

/* The nth time that a core issues a copy since the last barrier is the nth time for all. */
rt_copy_claim rt_cluster_copy_begin(const struct rt_copy_key *key);
/* Also when a task is left: does nothing when the calling core has begun none. */
void rt_cluster_copy_end(void);

/* Which members of a cluster a barrier is for, and which of them live. */
struct rt_barrier_set {
  bool is_for_cores, is_for_memory_core;
  bool has_cores, has_memory_core;
};

/* A barrier of these members opens: what they issue from now on is new. They still wait. */
void rt_cluster_copies_forget(struct rt_cluster_copies *copies, const struct rt_barrier_set *set);

/* The cluster is not in use. */
void rt_cluster_copies_init(struct rt_cluster_copies *copies);
void rt_cluster_copies_fini(struct rt_cluster_copies *copies);

#endif /* RUNTIME_CLUSTER_COPIES_H_ */
