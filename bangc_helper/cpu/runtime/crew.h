/* SPDX-License-Identifier: MIT
 *
 * Crews: the persistent threads that run the cores of a cluster. A slot stands for one cluster; its
 * threads and its shared RAM stay together for the life of the process.
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

/* Gives the calling thread of the program a slot for life, whose shared RAM it uses when it helps;
 * NULL when it cannot have one. */
struct rt_slot *rt_crew_bind(void);
void rt_crew_unbind(struct rt_slot *slot);
/* Runs members of a group of the queue that lies on the slot; false when there are none to start.
 */
bool rt_crew_help(struct CNqueue_st *queue, struct rt_slot *slot);
/* Takes a slot that no group uses; false when one does. Returns it. */
bool rt_crew_take_slot(struct rt_slot *slot);
void rt_crew_return_slot(struct rt_slot *slot);

/* A member is about to wait: lets a member that has not started yet, and that the barrier may need,
 * have its CPU. */
void rt_crew_call_next(struct rt_member *member, bangBarrier which);

#endif /* RUNTIME_CREW_H_ */
