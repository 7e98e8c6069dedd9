/* SPDX-License-Identifier: MIT
 *
 * Queues that never have anything to do: whoever submits an operation does it.
 */
#ifndef MINIMAL_QUEUE_H_
#define MINIMAL_QUEUE_H_

#include "capture.h"
#include "root.h"

struct CNqueue_st {
  rt_queue_branch_t branch; /* first; see root.h */
  _Atomic int references;
  _Atomic int error; /* the first, of a launch */
  int priority;
  uint64_t owner;
  struct CNqueue_st *next; /* of all; guarded by the lock of queue.c */
};

/* Finds the queue of an operation and refuses it in a capture, for which this root has no nodes;
 * the caller releases it. NULL with *error set. */
struct CNqueue_st *queue_for_work(cnrtQueue_t handle, cnrtRet_t *error);

#endif /* MINIMAL_QUEUE_H_ */
