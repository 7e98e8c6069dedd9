/* SPDX-License-Identifier: MIT
 *
 * Crews: the persistent threads that run the cores of a cluster. A slot stands for one cluster; its
 * threads and its shared RAM stay together for the life of the process.
 */
#ifndef RUNTIME_CREW_H_
#define RUNTIME_CREW_H_

#include "group.h"

/* Takes slots for a group; false when memory is short. */
bool rt_crew_acquire(struct rt_group *group);
/* Gives a finished group's slots back. */
void rt_crew_release(struct rt_group *group);
/* Starts a group. The last member to return calls rt_union_group_done. */
void rt_crew_start(struct rt_group *group);

/* A member is about to wait: lets a member that has not started yet, and that the barrier may need,
 * have its CPU. */
void rt_crew_call_next(struct rt_member *member, bangBarrier which);

#endif /* RUNTIME_CREW_H_ */
