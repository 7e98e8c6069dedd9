/* SPDX-License-Identifier: MIT
 *
 * Notifiers as events. Who waits for an event waits for what was recorded when he asked, and an
 * event that was never recorded counts as reached: what CNRT promises.
 */
#include "queue.h"

static cnrtRet_t create_event(const struct rt_device *device, unsigned flags, void **event) {
  const bool timed = (flags & CNRT_NOTIFIER_DISABLE_TIMING_ALL) == 0;
  const cnrtRet_t error = rt_device_enter(device);
  return error != cnrtSuccess
             ? error
             : rt_cuda(cudaEventCreateWithFlags((cudaEvent_t *)event,
                                                timed ? cudaEventDefault : cudaEventDisableTiming));
}

cnrtRet_t rt_notifier_begin(struct CNnotifier_st *notifier) {
  return create_event(notifier->device, notifier->flags, &notifier->latest);
}

void rt_notifier_end(struct CNnotifier_st *notifier) {
  rt_cuda(cudaEventDestroy(notifier->latest)); /* whoever waits for it still gets it */
}

/* An event can be recorded on its own device only; a notifier on any. */
static cnrtRet_t move_event(struct CNnotifier_st *notifier, struct rt_device *device) {
  if (notifier->device == device) {
    return cnrtSuccess;
  }
  void *event = NULL;
  const cnrtRet_t error = create_event(device, notifier->flags, &event);
  if (error == cnrtSuccess) {
    rt_cuda(cudaEventDestroy(notifier->latest));
    notifier->latest = event;
    notifier->device = device;
  }
  return error;
}

cnrtRet_t rt_notifier_place(struct CNnotifier_st *notifier, struct CNqueue_st *queue) {
  pthread_mutex_lock(&notifier->lock);
  cnrtRet_t error = move_event(notifier, queue->device);
  if (error == cnrtSuccess) {
    error = rt_device_error(queue->device, cudaEventRecord(notifier->latest, queue->stream));
  }
  notifier->placed = notifier->placed || error == cnrtSuccess;
  pthread_mutex_unlock(&notifier->lock);
  return error;
}

cnrtRet_t rt_notifier_queue_wait(struct CNnotifier_st *notifier, struct CNqueue_st *queue) {
  pthread_mutex_lock(&notifier->lock);
  const cnrtRet_t error = rt_cuda(cudaStreamWaitEvent(queue->stream, notifier->latest, 0));
  pthread_mutex_unlock(&notifier->lock);
  return error;
}

static cudaEvent_t event_of(struct CNnotifier_st *notifier) {
  pthread_mutex_lock(&notifier->lock);
  const cudaEvent_t event = notifier->latest;
  pthread_mutex_unlock(&notifier->lock);
  return event;
}

cnrtRet_t rt_notifier_query(struct CNnotifier_st *notifier) {
  return rt_device_error(notifier->device, cudaEventQuery(event_of(notifier)));
}

cnrtRet_t rt_notifier_wait(struct CNnotifier_st *notifier) {
  return rt_device_error(notifier->device, cudaEventSynchronize(event_of(notifier)));
}

cnrtRet_t rt_notifier_elapsed(struct CNnotifier_st *start, struct CNnotifier_st *end, double *ms) {
  float value = 0;
  const cnrtRet_t error =
      rt_device_error(end->device, cudaEventElapsedTime(&value, event_of(start), event_of(end)));
  *ms = value;
  return error;
}
