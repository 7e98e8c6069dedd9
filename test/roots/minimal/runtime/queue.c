/* SPDX-License-Identifier: MIT */
#include "queue.h"

#include <stdlib.h>

#include "handles.h"
#include "thread_queue.h"
#include "threads.h"

static struct rt_handles live = RT_HANDLES_INITIALIZER;
static struct CNqueue_st default_queue = {.references = 1, .priority = RT_LEAST_PRIORITY};
static struct {
  pthread_mutex_t lock;
  struct CNqueue_st *list;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void retain(void *queue) {
  atomic_fetch_add(&((struct CNqueue_st *)queue)->references, 1);
}

void rt_queue_release(struct CNqueue_st *queue) {
  if (atomic_fetch_sub(&queue->references, 1) != 1) {
    return;
  }
  pthread_mutex_lock(&all.lock);
  struct CNqueue_st **place = &all.list;
  while (*place != queue) {
    place = &(*place)->next;
  }
  *place = queue->next;
  pthread_mutex_unlock(&all.lock);
  free(queue);
}

struct CNqueue_st *rt_queue_acquire(cnrtQueue_t handle, cnrtRet_t *error) {
  *error = rt_fork_refuse();
  if (*error != cnrtSuccess) {
    return NULL;
  }
  if (handle == cnrtQueuePerThread) {
    return rt_thread_queue_acquire(error);
  }
  if (rt_queue_is_implicit(handle)) {
    retain(&default_queue);
    return &default_queue;
  }
  if (!rt_handles_retain(&live, handle, retain)) {
    *error = cnrtErrorInvalidResourceHandle;
    return NULL;
  }
  return handle;
}

struct CNqueue_st *queue_for_work(cnrtQueue_t handle, cnrtRet_t *error) {
  struct CNqueue_st *queue = rt_queue_acquire(handle, error);
  if (queue != NULL) {
    *error = rt_capture_refuse(queue);
    if (*error != cnrtSuccess) {
      rt_queue_release(queue);
      queue = NULL;
    }
  }
  return queue;
}

cnrtRet_t rt_queue_create(struct rt_device *device, int priority, struct CNqueue_st **queue) {
  (void)device;
  struct CNqueue_st *created = calloc(1, sizeof(*created));
  if (created == NULL) {
    return cnrtErrorSysNoMem;
  }
  atomic_init(&created->references, 1);
  created->priority = priority;
  pthread_mutex_lock(&all.lock);
  created->next = all.list;
  all.list = created;
  pthread_mutex_unlock(&all.lock);
  if (!rt_handles_add(&live, created)) {
    rt_queue_release(created);
    return cnrtErrorSysNoMem;
  }
  *queue = created;
  return cnrtSuccess;
}

cnrtRet_t rt_queue_destroy(cnrtQueue_t queue) {
  if (!rt_handles_remove(&live, queue)) {
    return cnrtErrorInvalidResourceHandle;
  }
  rt_queue_release(queue);
  return cnrtSuccess;
}

cnrtRet_t rt_queue_wait(struct CNqueue_st *queue) {
  return (cnrtRet_t)atomic_exchange(&queue->error, cnrtSuccess);
}

cnrtRet_t rt_queue_query(struct CNqueue_st *queue) {
  return (cnrtRet_t)atomic_load(&queue->error);
}

int rt_queue_priority(const struct CNqueue_st *queue) {
  return queue->priority;
}

struct rt_device *rt_queue_device(cnrtQueue_t queue, cnrtRet_t *error) {
  struct CNqueue_st *found = rt_queue_acquire(queue, error);
  if (found == NULL) {
    return NULL;
  }
  rt_queue_release(found);
  return rt_device(0);
}

uint64_t *rt_queue_owner(struct CNqueue_st *queue) {
  return &queue->owner;
}

cnrtRet_t rt_device_wait(struct rt_device *device) {
  (void)device;
  cnrtRet_t first = rt_queue_wait(&default_queue);
  pthread_mutex_lock(&all.lock);
  for (struct CNqueue_st *queue = all.list; queue != NULL; queue = queue->next) {
    const cnrtRet_t error = rt_queue_wait(queue);
    first = first != cnrtSuccess ? first : error;
  }
  pthread_mutex_unlock(&all.lock);
  return first;
}

void rt_device_destroy_queues(struct rt_device *device) {
  (void)device;
  for (;;) {
    pthread_mutex_lock(&all.lock);
    struct CNqueue_st *queue = all.list;
    pthread_mutex_unlock(&all.lock);
    if (queue == NULL || rt_queue_destroy(queue) != cnrtSuccess) {
      return;
    }
  }
}

void rt_queues_call_after_pending(void (*function)(void *argument), void *argument) {
  function(argument);
}
