/* SPDX-License-Identifier: MIT
 *
 * Queues: operations in order, started one after another by whatever worker thread is free.
 */
#ifndef RUNTIME_QUEUE_H_
#define RUNTIME_QUEUE_H_

#include <pthread.h>

#include "block_cache.h"
#include "capture.h"
#include "device.h"
#include "offers.h"
#include "pool.h"

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
  bool brief; /* brief: takes no time to do, or to start */
};

struct CNqueue_st {
  rt_queue_branch_t branch; /* first; see capture.h */
  pthread_mutex_t lock;
  struct rt_block_cache launch_memory;
  struct rt_op *head; /* the running operation, or the next one */
  struct rt_op *tail;
  bool active;                   /* some thread is responsible for starting the head */
  uint32_t submitted;            /* modulo 2^32, as `completed` */
  _Atomic cnrtRet_t first_error; /* written under the lock */

  RT_CACHE_LINE_PADDING(before_polled);
  _Atomic uint32_t completed; /* sleepers wait on it */
  struct rt_offers offers;    /* offers of the running launch or copy */
  _Atomic uint32_t sleepers;
  _Atomic int references;

  struct rt_device *device;
  uint64_t owner;        /* thread_queue.h */
  struct rt_ready ready; /* holds the priority as well */
  /* Its clock and its number, if it has them (queue_time.h). */
  uint64_t time_ps, number;

  struct CNqueue_st *device_next, *device_prev; /* in the device's ring */
};

/* Appends an operation; the queue owns it from now on. */
void rt_queue_submit(struct CNqueue_st *queue, struct rt_op *op);
/* As rt_queue_submit for a brief operation: an idle queue runs it at once on this thread, otherwise
 * the thread that completes the previous operation does. */
void rt_queue_submit_brief(struct CNqueue_st *queue, struct rt_op *op);

/* As rt_queue_submit for a queue that is active, under its lock. */
void rt_queue_append_locked(struct CNqueue_st *queue, struct rt_op *op);

/* Ends an operation whose start returned RT_OP_PENDING. */
void rt_op_complete(struct rt_op *op, cnrtRet_t result);

/* Sets the function that runs offered tasks of a queue on a thread that waits for it. Called when
 * the library is loaded. */
void rt_queue_set_helper(bool (*help)(struct CNqueue_st *queue));

/* Waits for the default queue of a device if it has work, as synchronous calls do. Errors are kept.
 */
void rt_default_queue_drain(struct rt_device *device);
/* Waits for all queues of all devices; errors are kept. */
void rt_queues_wait_all(void);
#endif /* RUNTIME_QUEUE_H_ */
