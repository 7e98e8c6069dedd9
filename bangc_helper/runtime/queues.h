/* SPDX-License-Identifier: MIT
 *
 * Queues and notifiers as the shared half of the runtime sees them. Each root defines struct
 * CNqueue_st and the functions below.
 */
#ifndef RUNTIME_QUEUES_H_
#define RUNTIME_QUEUES_H_

#include <pthread.h>

#include "devices.h"

/* Whether a handle means a queue that nobody created: the default queue of the current device, or
 * the calling thread's. */
static inline bool rt_queue_is_implicit(cnrtQueue_t handle) {
  return handle == NULL || handle == cnrtQueuePerThread || handle == cnrtQueueLegacy;
}

/* Finds the queue a caller means (NULL and cnrtQueueLegacy: the default queue of the current
 * device) and retains it; NULL with *error set when there is none. */
struct CNqueue_st *rt_queue_acquire(cnrtQueue_t handle, cnrtRet_t *error);
void rt_queue_release(struct CNqueue_st *queue);

/* A new queue of a device. */
cnrtRet_t rt_queue_create(struct rt_device *device, int priority, struct CNqueue_st **queue);
/* Ends a program's hold on a queue; pending work is still done. */
cnrtRet_t rt_queue_destroy(cnrtQueue_t queue);
/* Waits until everything submitted so far is done; returns and clears the first error. */
cnrtRet_t rt_queue_wait(struct CNqueue_st *queue);
/* Success or the first error when the queue is empty, else cnrtErrorNotReady. */
cnrtRet_t rt_queue_query(struct CNqueue_st *queue);
int rt_queue_priority(const struct CNqueue_st *queue);
/* Waits for all queues of a device; returns the first error and clears all. */
cnrtRet_t rt_device_wait(struct rt_device *device);
/* Destroys all queues of a device. */
void rt_device_destroy_queues(struct rt_device *device);
/* Last step of cnrtDeviceReset, after queues, notifiers and memory are gone. */
cnrtRet_t rt_device_reset(struct rt_device *device);

/* Queue whose host function the calling thread is running, or NULL. */
const struct CNqueue_st *rt_host_function_queue(void);
/* Whether the calling thread is running a task. */
bool rt_in_task(void);

/* ---- Notifiers ---- */

struct CNnotifier_st {
  pthread_mutex_t lock;
  _Atomic int references;
  unsigned flags;
  struct rt_device *device;
  void *latest;                 /* what the root knows of the latest placement; guarded by lock */
  bool placed;                  /* at least once; guarded by lock */
  struct rt_mark *_Atomic mark; /* the latest placement was in a capture (capture.h); else NULL */
  struct CNnotifier_st *next, *prev; /* in the list of all */
};

/* Retains a notifier that exists; NULL when the handle is none. */
struct CNnotifier_st *rt_notifier_acquire(cnrtNotifier_t handle);
void rt_notifier_release(struct CNnotifier_st *notifier);
/* Whether durations up to this notifier can be asked for. */
bool rt_notifier_has_time(struct CNnotifier_st *notifier);

/* Destroys all notifiers of a device. */
void rt_notifiers_reset(const struct rt_device *device);

/* By the root: prepares and ends `latest`. */
cnrtRet_t rt_notifier_begin(struct CNnotifier_st *notifier);
void rt_notifier_end(struct CNnotifier_st *notifier);

/* By the root: places the notifier in the queue; lets the queue, or the calling thread, wait for
 * the latest placement; tells whether it was reached; milliseconds between two reached ones. */
cnrtRet_t rt_notifier_place(struct CNnotifier_st *notifier, struct CNqueue_st *queue);
cnrtRet_t rt_notifier_queue_wait(struct CNnotifier_st *notifier, struct CNqueue_st *queue);
cnrtRet_t rt_notifier_wait(struct CNnotifier_st *notifier);
cnrtRet_t rt_notifier_query(struct CNnotifier_st *notifier);
cnrtRet_t rt_notifier_elapsed(struct CNnotifier_st *start, struct CNnotifier_st *end, double *ms);

#endif /* RUNTIME_QUEUES_H_ */
