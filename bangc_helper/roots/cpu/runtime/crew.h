/* SPDX-License-Identifier: MIT
 *
 * Crews: the persistent threads that run the cores of clusters, a slot of them for each cluster.
 */
#ifndef RUNTIME_CREW_H_
#define RUNTIME_CREW_H_

#include "group.h"
#include "slot.h"

/* How crews look after the groups that they start: of struct rt_group_owner. */
void rt_crew_run_member(struct rt_slot *slot, struct rt_member *member);
void rt_crew_call_next(struct rt_member *member, bangBarrier which);

/* Takes slots for a group; false when memory is short. */
bool rt_crew_acquire(struct rt_group *group);
/* Gives a finished group's slots back. */
void rt_crew_release(struct rt_group *group);
/* Starts a group. */
void rt_crew_start(struct rt_group *group);

/* Runs members of a group of the queue that lies on the slot; false when there are none to start.
 */
bool rt_crew_help(struct CNqueue_st *queue, struct rt_slot *slot);
#endif /* RUNTIME_CREW_H_ */
