/* SPDX-License-Identifier: MIT
 *
 * Queues: streams, and what may not go into them yet. A stream never waits for the host: CUDA may
 * then make others wait with it, for a channel they share, for memory, for code that is loaded. So
 * a queue that waits for something the host does is held, and keeps what follows until it may go
 * on.
 *
 * rt_queue_acquire enters the queue's device, too.
 */
#ifndef SM90_QUEUE_H_
#define SM90_QUEUE_H_

#include "capture.h"
#include "device.h"
#include "kernel_graph.h"

/* An operation of a queue; the first member of a structure that says more. */
struct rt_op {
  struct rt_op *next;
  size_t bytes;  /* of the structure */
  bool may_hold; /* submit may hold the queue */
  /* Puts it into the stream, with the device entered and the queue's lock held. Sets `is_held` of
   * the queue when what follows has to wait until rt_queue_go_on. */
  cnrtRet_t (*submit)(struct rt_op *op, struct CNqueue_st *queue);
  /* A copy for later, one block of memory; NULL: the same bytes. */
  struct rt_op *(*keep)(const struct rt_op *op);
  /* Called once, with what submit returned, or with why it will not happen. The lock may be held;
   * the queue stays. NULL: the operation owns nothing. */
  void (*end)(struct rt_op *op, cnrtRet_t result);
};

struct CNqueue_st {
  rt_queue_branch_t branch; /* first; see capture.h */
  struct rt_device *device;
  uint64_t owner; /* thread_queue.h */
  cudaStream_t stream;
  int priority;
  _Atomic int references;

  /* Guards what follows, and that what belongs together follows each other in the stream. */
  pthread_mutex_t lock;
  cnrtRet_t first_error; /* of what CUDA knows nothing of */
  bool is_held;
  struct rt_op *first_kept, *last_kept; /* empty unless held */
  /* Operations that may hold: how many were accepted and how many hold no longer. */
  uint32_t holds;
  _Atomic uint32_t ended_holds; /* sleepers wait on it */
  /* Memory that kernels of this queue use one after another. */
  void *scratch;
  size_t scratch_bytes;
  /* Words that barriers of unions count in. */
  void *barriers;
  size_t barrier_bytes;

  struct rt_kernel_graphs graphs; /* used under the lock */
  _Atomic unsigned launches;      /* since somebody waited for the queue */

  struct CNqueue_st *device_next, *device_prev; /* in the device's list */
};

/* The queue for copies that wait for no other work of the device, retained and entered. It is never
 * held. */
struct CNqueue_st *rt_queue_acquire_side(struct rt_device *device, cnrtRet_t *error);
void rt_queue_retain(struct CNqueue_st *queue);

/* The queues of a device, retained, in *list, which the caller frees; how many. Negative when
 * memory is short. */
int rt_device_queues(struct rt_device *device, struct CNqueue_st ***list);

/* At least `bytes` bytes for the kernel that is enqueued next; under the queue's lock. */
cnrtRet_t rt_queue_scratch(struct CNqueue_st *queue, size_t bytes, char **memory);

/* At least `words` words for the barriers of the kernel that is enqueued next, all of them zero
 * when it starts if earlier ones left them so; under the queue's lock. */
cnrtRet_t rt_queue_barriers(struct CNqueue_st *queue, size_t words, unsigned long long **barriers);

#endif /* SM90_QUEUE_H_ */
