/* SPDX-License-Identifier: MIT
 *
 * Queues that are always empty: whoever submits an operation performs it.
 */
#ifndef MINIMAL_QUEUE_H_
#define MINIMAL_QUEUE_H_

#include "capture.h"
#include "root.h"

struct CNqueue_st {
  rt_queue_branch_t branch; /* must be first; see root.h */
  _Atomic int references;
  _Atomic int error; /* first error of a launch */
  int priority;
  uint64_t owner;
  struct CNqueue_st *next; /* list of all queues, protected by the lock in queue.c */
};

/* Finds the queue of an operation; the caller releases it. Refuses a queue that is being captured,
 * for which this root has no nodes. NULL with *error set on failure. */
struct CNqueue_st *queue_for_work(cnrtQueue_t handle, cnrtRet_t *error);

#endif /* MINIMAL_QUEUE_H_ */
