/* SPDX-License-Identifier: MIT
 *
 * The queue functions of cnrt.h, and what waits for all queues of a device.
 */
#include "capture.h"
#include "memory.h"
#include "threads.h"
#include "notifiers.h"
#include "task_topo_entity.h"

RT_EXPORT cnrtRet_t cnrtQueueCreate(cnrtQueue_t *pQueue) {
  return cnrtQueueCreateWithPriority(pQueue, 0, RT_LEAST_PRIORITY);
}

RT_EXPORT cnrtRet_t cnrtQueueCreateWithPriority(cnrtQueue_t *pQueue, unsigned int flags,
                                                int priority) {
  if (pQueue == NULL || flags != 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  struct rt_device *device = rt_current_device();
  if (device == NULL) {
    return rt_fail(cnrtErrorNoDevice);
  }
  /* A priority out of range becomes the nearest valid one. */
  const int nearest = priority < 0                   ? 0
                      : priority > RT_LEAST_PRIORITY ? RT_LEAST_PRIORITY
                                                     : priority;
  return rt_fail(rt_queue_create(device, nearest, pQueue));
}

RT_EXPORT cnrtRet_t cnrtQueueDestroy(cnrtQueue_t queue) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found != NULL) { /* otherwise there is no such queue, or its device is lost */
    error = rt_capture_refuse(found);
    rt_queue_release(found);
    if (error != cnrtSuccess) {
      return rt_fail(error);
    }
  }
  return rt_fail(rt_queue_destroy(queue));
}

/* Waiting for a captured queue or asking for its state is an error. */
static cnrtRet_t refuse_captured(struct CNqueue_st *queue) {
  const cnrtRet_t error = rt_capture_refuse(queue);
  const cnrtRet_t unsafe = rt_capture_refuse_unsafe();
  return error != cnrtSuccess ? error : unsafe;
}

RT_EXPORT cnrtRet_t cnrtQueueSync(cnrtQueue_t queue) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found == NULL) {
    return rt_fail(error);
  }
  /* Waiting inside a task or inside a host function of the same queue would never end. */
  const bool may_wait = !rt_in_task() && rt_host_function_queue() != found;
  error = may_wait ? refuse_captured(found) : cnrtErrorOpsNotPermitted;
  if (error == cnrtSuccess) {
    error = rt_queue_wait(found);
  }
  rt_queue_release(found);
  return rt_fail(error);
}

RT_EXPORT cnrtRet_t cnrtQueueQuery(cnrtQueue_t queue) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found == NULL) {
    return rt_fail(error);
  }
  error = refuse_captured(found);
  if (error == cnrtSuccess) {
    error = rt_queue_query(found);
  }
  rt_queue_release(found);
  return error == cnrtErrorNotReady ? error : rt_fail(error); /* an answer, not a failure */
}

RT_EXPORT cnrtRet_t cnrtQueueGetPriority(cnrtQueue_t queue, int *pPriority) {
  cnrtRet_t error = cnrtErrorArgsInvalid;
  struct CNqueue_st *found = pPriority != NULL ? rt_queue_acquire(queue, &error) : NULL;
  if (found == NULL) {
    return rt_fail(error);
  }
  *pPriority = rt_queue_priority(found);
  rt_queue_release(found);
  return cnrtSuccess;
}

/* The current device, if the calling thread may wait for all its work. */
static cnrtRet_t device_to_wait_for(struct rt_device **device) {
  if (rt_in_task() || rt_host_function_queue() != NULL) {
    return cnrtErrorOpsNotPermitted;
  }
  *device = rt_current_device();
  if (*device == NULL) {
    return cnrtErrorNoDevice;
  }
  const cnrtRet_t lost = rt_fork_refuse();
  if (lost != cnrtSuccess) {
    return lost;
  }
  const cnrtRet_t error = rt_capture_refuse_on(*device);
  const cnrtRet_t unsafe = rt_capture_refuse_unsafe();
  return error != cnrtSuccess ? error : unsafe;
}

RT_EXPORT cnrtRet_t cnrtSyncDevice(void) {
  struct rt_device *device = NULL;
  const cnrtRet_t error = device_to_wait_for(&device);
  return rt_fail(error != cnrtSuccess ? error : rt_device_wait(device));
}

RT_EXPORT cnrtRet_t cnrtDeviceReset(void) {
  struct rt_device *device = NULL;
  const cnrtRet_t error = device_to_wait_for(&device);
  if (error != cnrtSuccess) {
    return rt_fail(error);
  }
  rt_device_wait(device);
  rt_device_destroy_queues(device);
  rt_entities_reset(device);
  rt_notifiers_reset(device);
  rt_memory_reset(device);
  return rt_fail(rt_device_reset(device));
}
