/* SPDX-License-Identifier: MIT
 *
 * A union group: the cores and memory cores of N clusters that are alive together, and their
 * barriers.
 */
#ifndef RUNTIME_GROUP_H_
#define RUNTIME_GROUP_H_

#include <pthread.h>

#include "bang_runtime.h"
#include "block_cache.h"
#include "cluster_copies.h"
#include "common.h"
#include "core.h"
#include "launch_config.h"
#include "unions.h"

enum {
  RT_CLUSTER_BARRIERS = 2, /* BANG_BARRIER_CLUSTER and _CLUSTER_IPU: one of each per cluster */
  RT_GROUP_BARRIERS = 3,   /* BANG_BARRIER_ALL_IPU, _ALL_MPU, _ALL */
};

struct rt_barrier;
struct rt_group;
struct rt_slot;

/* One core of a group. */
struct RT_OWN_CACHE_LINE rt_member {
  struct rt_group *group;
  unsigned cluster;
  int core_id; /* BANG_MPU_CORE_ID: the cluster's memory core */
  /* The barrier where it waits or waited last, set before it arrives. It still waits while the
   * barrier has this generation. */
  struct rt_barrier *_Atomic barrier;
  _Atomic uint32_t generation;
  bangBarrier which;
  const char *file;
  int line;
};

/* Values that change together are in one word, so that an update touches the shared cache line
 * once. From the lowest bits: 16 bits for members that have arrived, 16 for live members that must
 * arrive, 32 for the generation, which grows when the barrier opens. */
struct rt_barrier {
  _Atomic uint64_t state;
  _Atomic uint32_t sleepers; /* members that sleep on the generation; the others poll it */
  _Atomic uint32_t crossed;  /* members that were there when it opened last */
};

/* What belongs to one cluster of a group. */
struct RT_OWN_CACHE_LINE rt_cluster {
  struct rt_barrier barriers[RT_CLUSTER_BARRIERS];
  struct rt_cluster_copies copies;
};

/* The owner of a group. */
struct rt_group_owner {
  /* Runs a member on the calling thread, which belongs to the slot. */
  void (*run_member)(struct rt_slot *slot, struct rt_member *member);
  /* A member is about to wait: starts a member that the barrier may need and that has no thread
   * yet. */
  void (*call_next)(struct rt_member *member, bangBarrier which);
  /* The last member has returned. */
  void (*done)(struct rt_group *group);
  struct rt_block_cache *memory; /* of a group of one cluster, for the next one */
};

struct rt_group {
  struct rt_launch *launch;
  const struct rt_group_owner *owner;
  struct rt_task first; /* coordinates of core 0 of cluster 0 */
  unsigned clusters;
  unsigned member_count;
  struct rt_cluster *cluster; /* inside this allocation, as the members */
  struct rt_member *members;  /* cluster by cluster, cores first */
  _Atomic unsigned started_slots;
  _Atomic bool owed; /* one thread fewer was called: a waiting thread of the program is expected and
                        counted as active */
  uint64_t start_ns;
  struct rt_group *next, *prev; /* in the list of running groups */
  struct rt_slot *slots[RT_MAX_UNION];

  RT_CACHE_LINE_PADDING(before_barriers);
  struct rt_barrier barriers[RT_GROUP_BARRIERS];
  _Atomic bool aborted;
  RT_CACHE_LINE_PADDING(after_barriers);
  /* From the lowest bits: 16 bits for members that have not returned, started or not; 16 for
   * members that sleep at barriers or are just waking; 32 that change when one continues. */
  _Atomic uint64_t members_left;
};

/* Members of one cluster: its cores and its memory core. */
unsigned rt_members_per_cluster(void);

/* A group whose members have not started; NULL when memory is short. */
struct rt_group *rt_group_create(struct rt_launch *launch, unsigned clusters,
                                 const struct rt_group_owner *owner);
void rt_group_destroy(struct rt_group *group);

/* A member has returned, or left after a fault (which ends the others at their next barrier). True
 * for the last one, which must end the group; for the others the group no longer exists. */
bool rt_group_leave(struct rt_member *member, bool completed);

/* Ends the group early: members leave at their next barrier. Called by a live member, or under the
 * lock of the list of running groups. */
void rt_group_abort(struct rt_group *group);

#endif /* RUNTIME_GROUP_H_ */
