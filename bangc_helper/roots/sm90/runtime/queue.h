/* SPDX-License-Identifier: MIT
 *
 * Queues: streams, plus operations that may not go into them yet. A stream never waits for the
 * host, because CUDA may then block other streams that share a channel, memory allocation or code
 * loading. Instead, a queue that waits for something on the host is held, and keeps later
 * operations until it continues.
 *
 * rt_queue_acquire also makes the queue's device current.
 */
#ifndef SM90_QUEUE_H_
#define SM90_QUEUE_H_

#include "capture.h"
#include "device.h"
#include "kernel_graph.h"

/* An operation of a queue; the first member of a larger structure. */
struct rt_op {
  struct rt_op *next;
  size_t bytes;  /* size of that structure */
  bool may_hold; /* submit may hold the queue */
  /* Puts it into the stream. The device is current and the queue's lock is held. Sets `is_held` of
   * the queue if later operations must wait for rt_queue_go_on. */
  cnrtRet_t (*submit)(struct rt_op *op, struct CNqueue_st *queue);
  /* Makes a copy for later, in one block of memory; NULL copies the bytes. */
  struct rt_op *(*keep)(const struct rt_op *op);
  /* Called once with the result of submit, or with the reason why it will not run. The lock may be
   * held; the queue stays valid. NULL if the operation owns nothing. */
  void (*end)(struct rt_op *op, cnrtRet_t result);
};

struct CNqueue_st {
  rt_queue_branch_t branch; /* must be first; see capture.h */
  struct rt_device *device;
  uint64_t owner; /* see thread_queue.h */
  cudaStream_t stream;
  int priority;
  _Atomic int references;

  /* Protects the following members, and keeps operations that belong together adjacent in the
   * stream. */
  pthread_mutex_t lock;
  cnrtRet_t first_error; /* among errors that CUDA does not know */
  bool is_held;
  struct rt_op *first_kept, *last_kept; /* empty unless the queue is held */
  /* Numbers of operations that may hold: accepted, and no longer holding. */
  uint32_t holds;
  _Atomic uint32_t ended_holds; /* a futex */
  /* Memory that kernels of this queue use one after another. */
  void *scratch;
  size_t scratch_bytes;
  /* Words in which barriers of unions count. */
  void *barriers;
  size_t barrier_bytes;

  struct rt_kernel_graphs graphs; /* protected by the lock */
  _Atomic unsigned launches;      /* since somebody waited for the queue */

  struct CNqueue_st *device_next, *device_prev; /* in the device's list */
};

/* The queue for copies that do not wait for other work of the device, retained, with the device
 * current. It is never held. */
struct CNqueue_st *rt_queue_acquire_side(struct rt_device *device, cnrtRet_t *error);
void rt_queue_retain(struct CNqueue_st *queue);

/* The queues of a device, retained, in *list, which the caller frees. Returns their number;
 * negative if out of memory. */
int rt_device_queues(struct rt_device *device, struct CNqueue_st ***list);

/* At least `bytes` bytes for the kernel that is enqueued next. The queue's lock is held. */
cnrtRet_t rt_queue_scratch(struct CNqueue_st *queue, size_t bytes, char **memory);

/* At least `words` words for the barriers of the kernel that is enqueued next. They are zero when
 * it starts, if earlier kernels left them zero. The queue's lock is held. */
cnrtRet_t rt_queue_barriers(struct CNqueue_st *queue, size_t words, unsigned long long **barriers);

#endif /* SM90_QUEUE_H_ */
