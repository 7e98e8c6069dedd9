/* SPDX-License-Identifier: MIT
 *
 * A union group: the cores and memory cores of N clusters that are alive together, and their
 * barriers.
 */
#ifndef RUNTIME_GROUP_H_
#define RUNTIME_GROUP_H_

#include <pthread.h>

#include "bang_runtime.h"
#include "common.h"
#include "core.h"
#include "launch_config.h"

enum {
  RT_CLUSTER_BARRIERS = 2, /* BANG_BARRIER_CLUSTER and _CLUSTER_IPU: one of each per cluster */
  RT_GROUP_BARRIERS = 3,   /* BANG_BARRIER_ALL_IPU, _ALL_MPU, _ALL */
};

struct rt_barrier;
struct rt_cluster_copies;
struct rt_group;
struct rt_slot;

/* One core of a group. */
struct rt_member {
  struct rt_group *group;
  unsigned cluster;
  int core_id; /* BANG_MPU_CORE_ID: the cluster's memory core */
  /* Where it waits or waited last, guarded by the group's lock; it still does while the barrier's
   * generation is this one. */
  struct rt_barrier *barrier;
  uint32_t generation;
  bangBarrier which;
  const char *file;
  int line;
};

struct rt_barrier {
  unsigned arrived;            /* guarded by the group's lock */
  _Atomic uint32_t generation; /* grows when the barrier opens; members sleep on it */
  _Atomic uint32_t sleepers;   /* members that do, the others see it by themselves */
};

/* What a cluster has issued for all its cores since its last barrier. */
struct rt_cluster {
  pthread_mutex_t lock;
  struct rt_cluster_copies *_Atomic known; /* NULL before the first; contents under the lock */
};

struct rt_group {
  struct rt_launch *launch;
  struct rt_task first; /* coordinates of core 0 of cluster 0 */
  unsigned clusters;
  unsigned member_count;
  struct rt_slot *slots[RT_MAX_UNION];
  _Atomic unsigned started_slots;
  _Atomic bool owed; /* one thread less was called: a thread that waits for the queue is expected */
  uint64_t start_ns;
  struct rt_group *next, *prev; /* in the list of running groups */

  pthread_mutex_t lock;
  unsigned live;    /* members that have not returned, started or not */
  unsigned waiting; /* members at barriers */
  unsigned live_cores[RT_MAX_UNION];
  unsigned live_memory_cores[RT_MAX_UNION];
  unsigned all_live_cores;
  unsigned all_live_memory_cores;
  _Atomic bool aborted;
  struct rt_barrier cluster_barriers[RT_CLUSTER_BARRIERS][RT_MAX_UNION];
  struct rt_barrier group_barriers[RT_GROUP_BARRIERS];
  struct rt_cluster copies[RT_MAX_UNION];

  struct rt_member members[]; /* cluster by cluster, cores first */
};

/* Members of one cluster: its cores and its memory core. */
unsigned rt_members_per_cluster(void);

/* A group whose members have not started; NULL when memory is short. */
struct rt_group *rt_group_create(struct rt_launch *launch, unsigned clusters);
void rt_group_destroy(struct rt_group *group);

/* A member has returned, or was left after a fault (which ends the others at their next barrier).
 * True for the last one, which ends the group. */
bool rt_group_leave(struct rt_member *member, bool completed);

/* Ends the group from outside: members leave at their next barrier. */
void rt_group_abort(struct rt_group *group);

#endif /* RUNTIME_GROUP_H_ */
