/* SPDX-License-Identifier: MIT
 *
 * The queue functions of cnrt.h.
 */
#include "core.h"
#include "host_function.h"
#include "memory.h"
#include "notifier.h"
#include "queue.h"

RT_EXPORT cnrtRet_t cnrtQueueCreate(cnrtQueue_t *pQueue) {
  return cnrtQueueCreateWithPriority(pQueue, 0, RT_LEAST_PRIORITY);
}

RT_EXPORT cnrtRet_t cnrtQueueCreateWithPriority(cnrtQueue_t *pQueue, unsigned int flags,
                                                int priority) {
  if (pQueue == NULL || flags != 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  /* Out of range means the nearest priority there is. */
  const int nearest = priority < 0                   ? 0
                      : priority > RT_LEAST_PRIORITY ? RT_LEAST_PRIORITY
                                                     : priority;
  return rt_fail(rt_queue_create(rt_current_device(), nearest, pQueue));
}

RT_EXPORT cnrtRet_t cnrtQueueDestroy(cnrtQueue_t queue) {
  return rt_fail(rt_queue_destroy(queue));
}

/* Waiting inside a task or inside a host function of the same queue would never end. */
static bool may_wait(const struct CNqueue_st *queue) {
  const struct rt_core *core = rt_core_self();
  return core == NULL && rt_host_function_queue() != queue;
}

RT_EXPORT cnrtRet_t cnrtQueueSync(cnrtQueue_t queue) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found == NULL) {
    return rt_fail(error);
  }
  error = may_wait(found) ? rt_queue_wait(found) : cnrtErrorOpsNotPermitted;
  rt_queue_release(found);
  return rt_fail(error);
}

RT_EXPORT cnrtRet_t cnrtQueueQuery(cnrtQueue_t queue) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found == NULL) {
    return rt_fail(error);
  }
  pthread_mutex_lock(&found->lock);
  const bool empty = atomic_load(&found->completed) == found->submitted;
  error = found->first_error;
  pthread_mutex_unlock(&found->lock);
  rt_queue_release(found);
  return empty ? rt_fail(error) : cnrtErrorNotReady; /* not ready is an answer, not a failure */
}

RT_EXPORT cnrtRet_t cnrtQueueGetPriority(cnrtQueue_t queue, int *pPriority) {
  cnrtRet_t error = cnrtErrorArgsInvalid;
  struct CNqueue_st *found = pPriority != NULL ? rt_queue_acquire(queue, &error) : NULL;
  if (found == NULL) {
    return rt_fail(error);
  }
  *pPriority = found->priority;
  rt_queue_release(found);
  return cnrtSuccess;
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

RT_EXPORT cnrtRet_t cnrtSyncDevice(void) {
  if (rt_core_self() != NULL || rt_host_function_queue() != NULL) {
    return rt_fail(cnrtErrorOpsNotPermitted);
  }
  return rt_fail(rt_device_wait(rt_current_device()));
}

RT_EXPORT cnrtRet_t cnrtDeviceReset(void) {
  if (rt_core_self() != NULL || rt_host_function_queue() != NULL) {
    return rt_fail(cnrtErrorOpsNotPermitted);
  }
  struct rt_device *device = rt_current_device();
  rt_device_wait(device);
  rt_device_destroy_queues(device);
  rt_notifiers_reset(device);
  rt_memory_reset(device);
  return cnrtSuccess;
}
