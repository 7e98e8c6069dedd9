/* SPDX-License-Identifier: MIT
 *
 * The order of a queue's operations: they go to the stream directly, or are kept while the queue is
 * held.
 */
#include "order.h"

#include <stdlib.h>
#include <string.h>

static void note_locked(struct CNqueue_st *queue, cnrtRet_t error) {
  if (queue->first_error == cnrtSuccess) {
    queue->first_error = error;
  }
}

void rt_queue_set_error(struct CNqueue_st *queue, cnrtRet_t error) {
  pthread_mutex_lock(&queue->lock);
  note_locked(queue, error);
  pthread_mutex_unlock(&queue->lock);
}

static void end(struct rt_op *op, cnrtRet_t result) {
  if (op->end != NULL) {
    op->end(op, result);
  }
}

static void end_hold_locked(struct CNqueue_st *queue) {
  atomic_fetch_add(&queue->ended_holds, 1);
  rt_futex_wake(&queue->ended_holds, UINT32_MAX);
}

static cnrtRet_t submit_locked(struct CNqueue_st *queue, struct rt_op *op) {
  const cnrtRet_t result = op->submit(op, queue);
  if (op->may_hold && !queue->is_held) {
    end_hold_locked(queue);
  }
  end(op, result);
  return result;
}

struct rt_op *rt_op_keep(const struct rt_op *op) {
  if (op->keep != NULL) {
    return op->keep(op);
  }
  struct rt_op *kept = malloc(op->bytes);
  return kept != NULL ? memcpy(kept, op, op->bytes) : NULL;
}

static cnrtRet_t keep_locked(struct CNqueue_st *queue, struct rt_op *op) {
  struct rt_op *kept = rt_op_keep(op);
  if (kept == NULL) {
    end(op, cnrtErrorSysNoMem);
    return cnrtErrorSysNoMem;
  }
  kept->next = NULL;
  if (queue->last_kept != NULL) {
    queue->last_kept->next = kept;
  } else {
    queue->first_kept = kept;
  }
  queue->last_kept = kept;
  queue->holds += kept->may_hold;
  return cnrtSuccess;
}

cnrtRet_t rt_queue_submit(struct CNqueue_st *queue, struct rt_op *op) {
  pthread_mutex_lock(&queue->lock);
  cnrtRet_t result = cnrtSuccess;
  if (queue->is_held) {
    result = keep_locked(queue, op);
  } else {
    queue->holds += op->may_hold;
    result = submit_locked(queue, op);
  }
  pthread_mutex_unlock(&queue->lock);
  return result;
}

void rt_queue_go_on(struct CNqueue_st *queue, cnrtRet_t result) {
  const cnrtRet_t entered = rt_device_enter(queue->device);
  pthread_mutex_lock(&queue->lock);
  note_locked(queue, result);
  note_locked(queue, entered);
  queue->is_held = false;
  while (queue->first_kept != NULL && !queue->is_held) {
    struct rt_op *op = queue->first_kept;
    queue->first_kept = op->next;
    if (queue->first_kept == NULL) {
      queue->last_kept = NULL;
    }
    note_locked(queue, submit_locked(queue, op));
    free(op);
  }
  end_hold_locked(queue);
  pthread_mutex_unlock(&queue->lock);
}

/* ---- Waiting ---- */

static bool has_holds_locked(struct CNqueue_st *queue) {
  return atomic_load(&queue->ended_holds) != queue->holds;
}

bool rt_queue_has_holds(struct CNqueue_st *queue) {
  pthread_mutex_lock(&queue->lock);
  const bool has_holds = has_holds_locked(queue);
  pthread_mutex_unlock(&queue->lock);
  return has_holds;
}

/* Waits until no operation accepted so far holds the queue. */
static void wait_for_holds(struct CNqueue_st *queue) {
  pthread_mutex_lock(&queue->lock);
  const uint32_t wanted = queue->holds;
  uint32_t ended = atomic_load(&queue->ended_holds);
  while ((int32_t)(wanted - ended) > 0) {
    pthread_mutex_unlock(&queue->lock);
    rt_futex_wait(&queue->ended_holds, ended, 0);
    pthread_mutex_lock(
        &queue->lock); /* whoever ends a hold submits what follows before it unlocks */
    ended = atomic_load(&queue->ended_holds);
  }
  pthread_mutex_unlock(&queue->lock);
}

cnrtRet_t rt_queue_finish(struct CNqueue_st *queue) {
  wait_for_holds(queue);
  atomic_store(&queue->launches, 0);
  return rt_device_error(queue->device, cudaStreamSynchronize(queue->stream));
}

static cnrtRet_t take_error(struct CNqueue_st *queue) {
  pthread_mutex_lock(&queue->lock);
  const cnrtRet_t error = queue->first_error;
  queue->first_error = cnrtSuccess;
  pthread_mutex_unlock(&queue->lock);
  return error;
}

cnrtRet_t rt_queue_wait(struct CNqueue_st *queue) {
  const cnrtRet_t error = rt_queue_finish(queue);
  const cnrtRet_t own = take_error(queue);
  return own != cnrtSuccess ? own : error;
}

cnrtRet_t rt_queue_query(struct CNqueue_st *queue) {
  const cnrtRet_t error = rt_device_error(queue->device, cudaStreamQuery(queue->stream));
  if (error != cnrtSuccess) {
    return error;
  }
  atomic_store(&queue->launches, 0);
  pthread_mutex_lock(&queue->lock);
  const bool has_holds = has_holds_locked(queue);
  const cnrtRet_t own = queue->first_error;
  pthread_mutex_unlock(&queue->lock);
  return has_holds ? cnrtErrorNotReady : own;
}

/* ---- All queues of a device ---- */

/* Waits for the queues; returns the first error of any, and clears all. */
static cnrtRet_t wait_for_queues(struct rt_device *device) {
  struct CNqueue_st **queues = NULL;
  cnrtRet_t first = cnrtSuccess;
  const int count = rt_device_queues(device, &queues);
  for (int i = 0; i < count; ++i) {
    const cnrtRet_t error = rt_queue_wait(queues[i]);
    first = first != cnrtSuccess ? first : error;
    rt_queue_release(queues[i]);
  }
  free(queues);
  return count >= 0 ? first : cnrtErrorSysNoMem;
}

cnrtRet_t rt_device_wait(struct rt_device *device) {
  const cnrtRet_t entered = rt_device_enter(device);
  if (entered != cnrtSuccess) {
    return entered;
  }
  const cnrtRet_t first = wait_for_queues(device);
  /* Also waits for work of destroyed queues. */
  const cnrtRet_t error = rt_device_error(device, cudaDeviceSynchronize());
  return first != cnrtSuccess ? first : error;
}
