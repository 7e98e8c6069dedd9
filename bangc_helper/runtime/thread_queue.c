/* SPDX-License-Identifier: MIT
 *
 * cnrtQueuePerThread: a queue of the calling thread on the current device, created on first use and
 * destroyed with the thread.
 */
#include "thread_queue.h"

#include <stdlib.h>

/* A thread's queues are ordinary queues, which end when their device is reset. Another queue may
 * then get the same address, so each queue records its owner. */
struct thread_queues {
  uint64_t owner;
  cnrtQueue_t queue[RT_MAX_DEVICES];
};

static pthread_key_t own_queues;
static pthread_once_t own_queues_once = PTHREAD_ONCE_INIT;

/* Retains the queue if it still belongs to the owner. */
static struct CNqueue_st *acquire_of(uint64_t owner, cnrtQueue_t handle) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *queue = handle != NULL ? rt_queue_acquire(handle, &error) : NULL;
  if (queue != NULL && *rt_queue_owner(queue) != owner) {
    rt_queue_release(queue);
    queue = NULL;
  }
  return queue;
}

static void end_thread(void *pointer) {
  struct thread_queues *own = pointer;
  for (int i = 0; i < RT_MAX_DEVICES; ++i) {
    struct CNqueue_st *queue = acquire_of(own->owner, own->queue[i]);
    if (queue != NULL) {
      rt_queue_destroy(queue);
      rt_queue_release(queue);
    }
  }
  free(own);
}

static void create_key(void) {
  pthread_key_create(&own_queues, end_thread);
}

static struct thread_queues *queues_of_thread(void) {
  static _Atomic uint64_t owners;
  pthread_once(&own_queues_once, create_key);
  struct thread_queues *own = pthread_getspecific(own_queues);
  if (own != NULL) {
    return own;
  }
  own = calloc(1, sizeof(*own));
  if (own != NULL && pthread_setspecific(own_queues, own) != 0) {
    free(own);
    own = NULL;
  }
  if (own != NULL) {
    own->owner = atomic_fetch_add(&owners, 1) + 1;
  }
  return own;
}

struct CNqueue_st *rt_thread_queue_acquire(cnrtRet_t *error) {
  struct rt_device *device = rt_current_device();
  struct thread_queues *own = device != NULL ? queues_of_thread() : NULL;
  if (own == NULL) {
    *error = device == NULL ? cnrtErrorNoDevice : cnrtErrorSysNoMem;
    return NULL;
  }
  cnrtQueue_t *handle = &own->queue[rt_device_ordinal(device)];
  struct CNqueue_st *queue = acquire_of(own->owner, *handle);
  if (queue != NULL) {
    return queue;
  }
  *error = rt_queue_create(device, RT_LEAST_PRIORITY, handle);
  if (*error != cnrtSuccess) {
    return NULL;
  }
  *rt_queue_owner(*handle) = own->owner;
  return rt_queue_acquire(*handle, error);
}
