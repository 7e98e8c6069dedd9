/* SPDX-License-Identifier: MIT
 *
 * Queues: operations in order, started one after another by whatever worker thread is free.
 */
#ifndef RUNTIME_QUEUE_H_
#define RUNTIME_QUEUE_H_

#include <pthread.h>

#include "capture.h"
#include "device.h"
#include "spare.h"

enum rt_op_state {
  RT_OP_DONE,   /* finished inside start; result is set */
  RT_OP_PENDING /* rt_op_complete comes later, maybe before start returns */
};

/* One operation of a queue; the base of every kind of operation. */
struct rt_op {
  struct rt_op *next;
  struct CNqueue_st *queue;
  enum rt_op_state (*start)(struct rt_op *op);
  void (*destroy)(struct rt_op *op);
  cnrtRet_t result;
  bool brief; /* takes no time to do, or to start */
};

struct rt_slot;

struct CNqueue_st {
  rt_queue_branch_t branch; /* first; see capture.h */
  pthread_mutex_t lock;
  struct rt_spare launch_memory;
  struct rt_op *head; /* the operation that is running or comes next */
  struct rt_op *tail;
  bool active;                   /* someone is responsible for starting the head */
  uint32_t submitted;            /* modulo 2^32, as `completed` */
  _Atomic cnrtRet_t first_error; /* written under the lock */

  RT_CACHE_LINE_GAP(before_polled);
  /* Launches share their tasks with threads that wait for the queue (see helper.h). Work that can
   * be shared is offered, and withdrawn when none of it is left to start. */
  _Atomic uint32_t offered, withdrawn;
  _Atomic uint32_t completed; /* sleepers wait on it */
  RT_CACHE_LINE_GAP(after_polled);
  _Atomic uint32_t sleepers;
  _Atomic int references;

  /* The slot of a thread that is expected to help as it did with the launch before; NULL: none. */
  struct rt_slot *_Atomic helper_slot;

  struct rt_device *device;
  uint64_t owner; /* thread_queue.h */
  int priority;

  struct CNqueue_st *ready_next;                /* in the pool's list of queues to advance */
  struct CNqueue_st *device_next, *device_prev; /* in the device's ring */
};

/* Appends an operation; the queue owns it from now on. */
void rt_queue_submit(struct CNqueue_st *queue, struct rt_op *op);
/* As rt_queue_submit for an operation that takes no time to do, or to start: an idle queue does
 * that at once on this thread, and whoever completes the operation before it does it next. */
void rt_queue_submit_brief(struct CNqueue_st *queue, struct rt_op *op);

/* As rt_queue_submit for a queue that is active, under its lock. */
void rt_queue_append_locked(struct CNqueue_st *queue, struct rt_op *op);

/* Offers work of the running operation to threads that wait for the queue; ends that. */
void rt_queue_offer(struct CNqueue_st *queue);
void rt_queue_withdraw(struct CNqueue_st *queue);
/* Says who may be expected to help with the next launch. */
void rt_queue_expect_help(struct CNqueue_st *queue, struct rt_slot *slot);
/* Whether a waiting thread should get one of the tasks that `threads` threads would run: one is
 * expected, and the CPUs are too few for it beside them. */
bool rt_queue_expects_help(struct CNqueue_st *queue, unsigned threads);

/* Ends an operation whose start returned RT_OP_PENDING. */
void rt_op_complete(struct rt_op *op, cnrtRet_t result);

/* Called by a worker for a queue of the ready list: starts operations until one is pending. */
void rt_queue_advance(struct CNqueue_st *queue);

/* Waits for the default queue of a device if it has work, as synchronous calls do. Errors stay. */
void rt_default_queue_drain(struct rt_device *device);
/* Waits for all queues of all devices; errors stay. */
void rt_queues_wait_all(void);
#endif /* RUNTIME_QUEUE_H_ */
