/* SPDX-License-Identifier: MIT
 *
 * The persistent threads that run the cores of clusters; each cluster has a slot of them.
 */
#ifndef RUNTIME_CLUSTER_THREADS_H_
#define RUNTIME_CLUSTER_THREADS_H_

#include "group.h"
#include "slot.h"

/* The functions of struct rt_group_owner for groups that these threads run. */
void rt_cluster_threads_run_member(struct rt_slot *slot, struct rt_member *member);
void rt_cluster_threads_call_next(struct rt_member *member, bangBarrier which);

/* Takes slots for a group; false when memory is short. */
bool rt_cluster_threads_acquire(struct rt_group *group);
/* Gives a finished group's slots back. */
void rt_cluster_threads_release(struct rt_group *group);
/* Starts a group. */
void rt_cluster_threads_start(struct rt_group *group);

/* Runs members of the queue's group on the slot; false when there are none left to start. */
bool rt_cluster_threads_help(struct CNqueue_st *queue, struct rt_slot *slot);
#endif /* RUNTIME_CLUSTER_THREADS_H_ */
