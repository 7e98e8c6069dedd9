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

/* Copies that the cores of a cluster have issued since its last barrier. */
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
  RT_COPY_ALONE,  /* not a union task, or no room to record it: copied like any other */
  RT_COPY_MINE,   /* the caller copies, then calls rt_cluster_copy_end */
  RT_COPY_ISSUED, /* another core has done it for the cluster */
} rt_copy_claim;

/* The nth time that a core issues a copy since the last barrier means the nth copy of the cluster.
 */
rt_copy_claim rt_cluster_copy_begin(const struct rt_copy_key *key);
/* Also called when a task ends early; does nothing when the calling core has begun no copy. */
void rt_cluster_copy_end(void);

/* The members of a cluster that a barrier is for, and those of them that are alive. */
struct rt_barrier_set {
  bool is_for_cores, is_for_memory_core;
  bool has_cores, has_memory_core;
};

/* A barrier of these members opens, while they still wait: later copies of theirs are new. */
void rt_cluster_copies_forget(struct rt_cluster_copies *copies, const struct rt_barrier_set *set);

/* The cluster is not in use. */
void rt_cluster_copies_init(struct rt_cluster_copies *copies);
void rt_cluster_copies_fini(struct rt_cluster_copies *copies);

#endif /* RUNTIME_CLUSTER_COPIES_H_ */
