/* SPDX-License-Identifier: MIT
 *
 * Task topologies: captured operations that can be submitted any number of times. Nodes are kept in
 * the order in which they were captured, and are submitted to one queue in that order.
 */
#ifndef RUNTIME_TASK_TOPO_H_
#define RUNTIME_TASK_TOPO_H_

#include "root.h"

struct rt_nodes {
  struct CNtaskTopoNode_st **list;
  size_t count;
};

/* An operation; the first member of the root's structure for it. */
struct CNtaskTopoNode_st {
  cnrtTaskTopoNodeType_t type;
  const char *name; /* of a kernel, else NULL; stays valid */
  /* Submits the operation to a queue. Never called concurrently for the same node. */
  cnrtRet_t (*submit)(struct CNtaskTopoNode_st *node, struct CNqueue_st *queue);
  /* Frees the node and whatever the root keeps for it. */
  void (*end)(struct CNtaskTopoNode_st *node);
  /* Set by the topology: */
  size_t number;
  struct rt_nodes before; /* nodes that must be done before this one */
};

struct CNtaskTopo_st {
  _Atomic int references; /* holds: of the program or the capture, and one per entity */
  _Atomic bool is_captured;
  struct rt_device *device; /* of the queues that were captured; NULL: none was */
  pthread_mutex_t lock;     /* guards the list and submissions of its nodes */
  struct rt_nodes nodes;
};

/* Appends a node; false when memory is short. */
bool rt_nodes_add(struct rt_nodes *nodes, struct CNtaskTopoNode_st *node);
/* Appends the nodes of `others` that `nodes` lacks; false when memory is short. */
bool rt_nodes_unite(struct rt_nodes *nodes, const struct rt_nodes *others);
void rt_nodes_clear(struct rt_nodes *nodes);

/* Retains the topology of a handle; NULL for an invalid handle. */
struct CNtaskTopo_st *rt_topo_acquire(cnrtTaskTopo_t handle);
void rt_topo_release(struct CNtaskTopo_st *topo);

/* A topology that a capture on this device fills; NULL when memory is short. */
struct CNtaskTopo_st *rt_topo_begin(struct rt_device *device);
/* Appends a node, which the topology owns from now on; false, and the caller keeps it, when memory
 * is short. */
bool rt_topo_append(struct CNtaskTopo_st *topo, struct CNtaskTopoNode_st *node);
/* The capture has ended: the topology belongs to the program. */
void rt_topo_hand_over(struct CNtaskTopo_st *topo);
/* The capture has ended without a topology. */
void rt_topo_drop(struct CNtaskTopo_st *topo);
/* True if all nodes of `before` are done when all nodes of `after` are. */
bool rt_topo_covers(struct CNtaskTopo_st *topo, const struct rt_nodes *after,
                    const struct rt_nodes *before);

#endif /* RUNTIME_TASK_TOPO_H_ */
