/* SPDX-License-Identifier: MIT
 *
 * What the queue functions of cnrt.h ask of a queue of the CPU.
 */
#include "core.h"
#include "queue.h"

bool rt_in_task(void) {
  return rt_core_self() != NULL;
}

cnrtRet_t rt_queue_query(struct CNqueue_st *queue) {
  pthread_mutex_lock(&queue->lock);
  const bool empty = atomic_load(&queue->completed) == queue->submitted;
  const cnrtRet_t error = atomic_load(&queue->first_error);
  pthread_mutex_unlock(&queue->lock);
  return empty ? error : cnrtErrorNotReady;
}

int rt_queue_priority(const struct CNqueue_st *queue) {
  return queue->ready.priority;
}

struct rt_device *rt_queue_device(cnrtQueue_t queue, cnrtRet_t *error) {
  struct CNqueue_st *found = rt_queue_acquire(queue, error);
  if (found == NULL) {
    return NULL;
  }
  struct rt_device *device = found->device;
  rt_queue_release(found);
  return device;
}

cnrtRet_t rt_device_reset(struct rt_device *device) {
  (void)device;
  return cnrtSuccess; /* no other queues belong to a device */
}
