/* SPDX-License-Identifier: MIT
 *
 * Task topologies: operations that were captured, to be submitted as often as wanted. The nodes
 * stand in the order in which they were captured, and are submitted in that order to one queue.
 */
#ifndef RUNTIME_TASK_TOPO_H_
#define RUNTIME_TASK_TOPO_H_

#include "root.h"

struct rt_nodes {
  struct CNtaskTopoNode_st **list;
  size_t count;
};

/* An operation; the first member of what a root knows of it. */
struct CNtaskTopoNode_st {
  cnrtTaskTopoNodeType_t type;
  const char *name; /* of a kernel, else NULL; stays valid */
  /* Puts the operation into a queue. Never called twice at a time for the same node. */
  cnrtRet_t (*submit)(struct CNtaskTopoNode_st *node, struct CNqueue_st *queue);
  /* Gives the memory back, and what else the root keeps. */
  void (*end)(struct CNtaskTopoNode_st *node);
  /* By the topology: */
  size_t number;
  struct rt_nodes before; /* must be done before this one */
};

struct CNtaskTopo_st {
  _Atomic int references; /* the program's or the capture's, and one for each entity */
  _Atomic bool is_captured;
  struct rt_device *device; /* of the queues that were captured; NULL: none was */
  pthread_mutex_t lock;     /* guards the list, and who submits what is in it */
  struct rt_nodes nodes;
};

/* Appends a node; false when memory is short. */
bool rt_nodes_add(struct rt_nodes *nodes, struct CNtaskTopoNode_st *node);
/* Appends what `others` has and `nodes` has not; false when memory is short. */
bool rt_nodes_unite(struct rt_nodes *nodes, const struct rt_nodes *others);
void rt_nodes_clear(struct rt_nodes *nodes);

/* Retains a topology that exists; NULL when the handle is none. */
struct CNtaskTopo_st *rt_topo_acquire(cnrtTaskTopo_t handle);
void rt_topo_release(struct CNtaskTopo_st *topo);

/* A topology that a capture on this device fills; NULL when memory is short. */
struct CNtaskTopo_st *rt_topo_begin(struct rt_device *device);
/* Appends a node, which is the topology's from now on; false, and it is not, when memory is short.
 */
bool rt_topo_append(struct CNtaskTopo_st *topo, struct CNtaskTopoNode_st *node);
/* The capture is over: the topology is the program's. */
void rt_topo_hand_over(struct CNtaskTopo_st *topo);
/* The capture is over: there is no topology. */
void rt_topo_drop(struct CNtaskTopo_st *topo);
/* Whether everything in `before` is done when all in `after` are. */
bool rt_topo_covers(struct CNtaskTopo_st *topo, const struct rt_nodes *after,
                    const struct rt_nodes *before);

#endif /* RUNTIME_TASK_TOPO_H_ */
