/* SPDX-License-Identifier: MIT
 *
 * Crews: the persistent threads that run the cores of clusters, a slot of them for each cluster.
 */
#ifndef RUNTIME_CREW_H_
#define RUNTIME_CREW_H_

#include "group.h"
#include "spare.h"

/* Memory of a group of one cluster, for the next one. */
struct rt_spare *rt_crew_group_memory(void);

/* Takes slots for a group; false when memory is short. */
bool rt_crew_acquire(struct rt_group *group);
/* Gives a finished group's slots back. */
void rt_crew_release(struct rt_group *group);
/* Starts a group. The last member to return calls rt_union_group_done. */
void rt_crew_start(struct rt_group *group);

/* Runs members of a group of the queue that lies on the slot; false when there are none to start.
 */
bool rt_crew_help(struct CNqueue_st *queue, struct rt_slot *slot);
/* Runs a member of the group that lies on the slot. */
void rt_crew_run_member(struct rt_slot *slot, struct rt_member *member);

/* A member is about to wait: lets a member that has not started yet, and that the barrier may need,
 * have its CPU. */
void rt_crew_call_next(struct rt_member *member, bangBarrier which);

#endif /* RUNTIME_CREW_H_ */
