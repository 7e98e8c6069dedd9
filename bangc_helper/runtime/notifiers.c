/* SPDX-License-Identifier: MIT
 *
 * The notifier functions of cnrt.h.
 */
#include "notifiers.h"

#include <stdlib.h>

#include "capture.h"
#include "handles.h"
#include "shared_notifier.h"
#include "threads.h"

static struct rt_handles live_notifiers = RT_HANDLES_INITIALIZER;

static struct {
  pthread_mutex_t lock;
  struct CNnotifier_st *list;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- Objects ---- */

static void retain(void *pointer) {
  struct CNnotifier_st *notifier = pointer;
  atomic_fetch_add(&notifier->references, 1);
}

struct CNnotifier_st *rt_notifier_acquire(cnrtNotifier_t handle) {
  return rt_handles_retain(&live_notifiers, handle, retain) ? handle : NULL;
}

static void discard(struct CNnotifier_st *notifier) {
  rt_shared_notifier_release(notifier->shared);
  pthread_mutex_destroy(&notifier->lock);
  free(notifier);
}

void rt_notifier_release(struct CNnotifier_st *notifier) {
  if (atomic_fetch_sub(&notifier->references, 1) == 1) {
    rt_notifier_end(notifier);
    rt_capture_forget(notifier);
    discard(notifier);
  }
}

uint32_t rt_notifier_foreign_number(struct CNnotifier_st *notifier) {
  if (notifier->shared == NULL) {
    return 0;
  }
  pthread_mutex_lock(&notifier->lock);
  const uint32_t own = notifier->shared_number;
  pthread_mutex_unlock(&notifier->lock);
  const uint32_t latest = rt_shared_notifier_latest(notifier->shared);
  return latest == own ? 0 : latest;
}

static bool make_known(struct CNnotifier_st *notifier) {
  pthread_mutex_lock(&all.lock);
  const bool known = rt_handles_add(&live_notifiers, notifier);
  if (known) {
    notifier->next = all.list;
    if (all.list != NULL) {
      all.list->prev = notifier;
    }
    all.list = notifier;
  }
  pthread_mutex_unlock(&all.lock);
  return known;
}

/* Creates a notifier. Takes over `shared`, which it shares with other processes, unless that is
 * NULL. */
static cnrtRet_t create(struct rt_device *device, unsigned flags, struct rt_shared_notifier *shared,
                        cnrtNotifier_t *result) {
  struct CNnotifier_st *notifier = calloc(1, sizeof(*notifier));
  if (notifier == NULL) {
    rt_shared_notifier_release(shared);
    return cnrtErrorSysNoMem;
  }
  notifier->flags = flags;
  notifier->device = device;
  notifier->shared = shared;
  pthread_mutex_init(&notifier->lock, NULL);
  atomic_init(&notifier->references, 1);
  const cnrtRet_t error = rt_notifier_begin(notifier);
  if (error != cnrtSuccess) {
    discard(notifier);
    return error;
  }
  if (!make_known(notifier)) {
    rt_notifier_release(notifier);
    return cnrtErrorSysNoMem;
  }
  *result = notifier;
  return cnrtSuccess;
}

static cnrtRet_t destroy(struct CNnotifier_st *notifier) {
  if (!rt_handles_remove(&live_notifiers, notifier)) {
    return cnrtErrorInvalidResourceHandle;
  }
  pthread_mutex_lock(&all.lock);
  if (notifier->prev != NULL) {
    notifier->prev->next = notifier->next;
  } else {
    all.list = notifier->next;
  }
  if (notifier->next != NULL) {
    notifier->next->prev = notifier->prev;
  }
  pthread_mutex_unlock(&all.lock);
  rt_notifier_release(notifier);
  return cnrtSuccess;
}

void rt_notifiers_reset(const struct rt_device *device) {
  for (;;) {
    pthread_mutex_lock(&all.lock);
    struct CNnotifier_st *notifier = all.list;
    while (notifier != NULL && notifier->device != device) {
      notifier = notifier->next;
    }
    pthread_mutex_unlock(&all.lock);
    if (notifier == NULL || destroy(notifier) != cnrtSuccess) {
      return;
    }
  }
}

RT_EXPORT cnrtRet_t cnrtNotifierCreateWithFlags(cnrtNotifier_t *pNotifier, unsigned int flags) {
  const unsigned known = CNRT_NOTIFIER_DISABLE_TIMING_SW | CNRT_NOTIFIER_DISABLE_TIMING_ALL |
                         CNRT_NOTIFIER_INTERPROCESS;
  const bool is_shared = (flags & CNRT_NOTIFIER_INTERPROCESS) != 0;
  const bool is_timed = (flags & CNRT_NOTIFIER_DISABLE_TIMING_ALL) == 0;
  if (pNotifier == NULL || (flags & ~known) != 0 || (is_shared && is_timed)) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  if (is_shared && !rt_notifiers_may_be_shared()) {
    return rt_fail(cnrtErrorNotSupport);
  }
  struct rt_device *device = rt_current_device();
  if (device == NULL) {
    return rt_fail(cnrtErrorNoDevice);
  }
  struct rt_shared_notifier *shared = is_shared ? rt_shared_notifier_create() : NULL;
  return rt_fail(is_shared && shared == NULL ? cnrtErrorSysNoMem
                                             : create(device, flags, shared, pNotifier));
}

RT_EXPORT cnrtRet_t cnrtNotifierCreate(cnrtNotifier_t *pNotifier) {
  return cnrtNotifierCreateWithFlags(pNotifier, CNRT_NOTIFIER_DEFAULT);
}

RT_EXPORT cnrtRet_t cnrtNotifierDestroy(cnrtNotifier_t notifier) {
  return rt_fail(destroy(notifier));
}

/* ---- Use ---- */

static cnrtRet_t place(struct CNnotifier_st *notifier, struct CNqueue_st *queue,
                       cnrtQueue_t handle) {
  cnrtRet_t error = cnrtSuccess;
  (void)handle;
  return rt_capture_place(notifier, queue, &error) ? error : rt_notifier_place(notifier, queue);
}

static cnrtRet_t let_wait(struct CNnotifier_st *notifier, struct CNqueue_st *queue,
                          cnrtQueue_t handle) {
  cnrtRet_t error = cnrtSuccess;
  return rt_capture_wait(notifier, queue, handle, &error) ? error
                                                          : rt_notifier_queue_wait(notifier, queue);
}

/* Calls work(notifier, queue, handle of the queue) if both handles are valid. */
static cnrtRet_t with_queue(cnrtNotifier_t notifier, cnrtQueue_t queue,
                            cnrtRet_t (*work)(struct CNnotifier_st *, struct CNqueue_st *,
                                              cnrtQueue_t)) {
  struct CNnotifier_st *found = rt_notifier_acquire(notifier);
  if (found == NULL) {
    return rt_fail(cnrtErrorInvalidResourceHandle);
  }
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *target = rt_queue_acquire(queue, &error);
  if (target != NULL) {
    error = work(found, target, queue);
    rt_queue_release(target);
  }
  rt_notifier_release(found);
  return rt_fail(error);
}

RT_EXPORT cnrtRet_t cnrtPlaceNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue) {
  return with_queue(notifier, queue, place);
}

RT_EXPORT cnrtRet_t cnrtPlaceNotifierWithFlags(cnrtNotifier_t notifier, cnrtQueue_t queue,
                                               unsigned int flags) {
  /* The only other flag is for nodes of captures that place notifiers. */
  return flags == 0 ? cnrtPlaceNotifier(notifier, queue) : rt_fail(cnrtErrorArgsInvalid);
}

RT_EXPORT cnrtRet_t cnrtQueueWaitNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue,
                                          unsigned int flags) {
  return flags == 0 ? with_queue(notifier, queue, let_wait) : rt_fail(cnrtErrorArgsInvalid);
}

/* Calls work(notifier) if the handle is valid. */
static cnrtRet_t with_notifier(cnrtNotifier_t notifier, cnrtRet_t (*work)(struct CNnotifier_st *)) {
  struct CNnotifier_st *found = rt_notifier_acquire(notifier);
  if (found == NULL) {
    return rt_fail(cnrtErrorInvalidResourceHandle);
  }
  cnrtRet_t error = rt_capture_refuse_notifier(found);
  if (error == cnrtSuccess) {
    error = work(found);
  }
  rt_notifier_release(found);
  return error == cnrtErrorNotReady ? error : rt_fail(error); /* an answer, not a failure */
}

RT_EXPORT cnrtRet_t cnrtQueryNotifier(cnrtNotifier_t notifier) {
  return with_notifier(notifier, rt_notifier_query);
}

RT_EXPORT cnrtRet_t cnrtWaitNotifier(cnrtNotifier_t notifier) {
  if (rt_in_task() || rt_host_function_queue() != NULL) {
    return rt_fail(cnrtErrorOpsNotPermitted);
  }
  const cnrtRet_t lost = rt_fork_refuse();
  return lost != cnrtSuccess ? rt_fail(lost) : with_notifier(notifier, rt_notifier_wait);
}

/* True if durations up to this notifier can be measured. */
static bool has_time(struct CNnotifier_st *notifier) {
  pthread_mutex_lock(&notifier->lock);
  const bool placed = notifier->placed;
  pthread_mutex_unlock(&notifier->lock);
  return placed && (notifier->flags & CNRT_NOTIFIER_DISABLE_TIMING_ALL) == 0;
}

static cnrtRet_t elapsed(cnrtNotifier_t start, cnrtNotifier_t end, float *result, double unit_ms) {
  if (result == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  struct CNnotifier_st *first = rt_notifier_acquire(start);
  struct CNnotifier_st *last = rt_notifier_acquire(end);
  cnrtRet_t error = cnrtErrorInvalidResourceHandle;
  if (first != NULL && last != NULL) {
    double ms = 0;
    error = rt_capture_refuse_notifier(first);
    if (error == cnrtSuccess) {
      error = rt_capture_refuse_notifier(last);
    }
    if (error == cnrtSuccess) {
      error = has_time(first) && has_time(last) ? rt_notifier_elapsed(first, last, &ms)
                                                : cnrtErrorArgsInvalid;
    }
    if (error == cnrtSuccess) {
      *result = (float)(ms / unit_ms);
    }
  }
  if (first != NULL) {
    rt_notifier_release(first);
  }
  if (last != NULL) {
    rt_notifier_release(last);
  }
  return error == cnrtErrorNotReady ? error : rt_fail(error); /* an answer, not a failure */
}

RT_EXPORT cnrtRet_t cnrtNotifierDuration(cnrtNotifier_t start, cnrtNotifier_t end, float *us) {
  return elapsed(start, end, us, 1e-3);
}

RT_EXPORT cnrtRet_t cnrtNotifierElapsedTime(cnrtNotifier_t start, cnrtNotifier_t end, float *ms) {
  return elapsed(start, end, ms, 1);
}

/* ---- Handles for other processes ---- */

RT_EXPORT cnrtRet_t cnrtIpcGetNotifierHandle(cnrtIpcNotifierHandle *handle,
                                             cnrtNotifier_t notifier) {
  if (!rt_notifiers_may_be_shared()) {
    return rt_fail(cnrtErrorNotSupport);
  }
  if (handle == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  struct CNnotifier_st *found = rt_notifier_acquire(notifier);
  if (found == NULL) {
    return rt_fail(cnrtErrorInvalidResourceHandle);
  }
  const bool is_shared = found->shared != NULL;
  if (is_shared) {
    rt_shared_notifier_describe(found->shared, handle);
  }
  rt_notifier_release(found);
  return rt_fail(is_shared ? cnrtSuccess : cnrtErrorArgsInvalid);
}

RT_EXPORT cnrtRet_t cnrtIpcOpenNotifierHandle(cnrtNotifier_t *pNotifier,
                                              cnrtIpcNotifierHandle handle) {
  struct rt_device *device = rt_current_device();
  if (pNotifier == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  if (device == NULL) {
    return rt_fail(cnrtErrorNoDevice);
  }
  if (!rt_notifiers_may_be_shared()) {
    return rt_fail(cnrtErrorNotSupport);
  }
  struct rt_shared_notifier *shared = rt_shared_notifier_open(&handle);
  const unsigned flags = CNRT_NOTIFIER_INTERPROCESS | CNRT_NOTIFIER_DISABLE_TIMING_ALL;
  return rt_fail(shared == NULL ? cnrtErrorArgsInvalid : create(device, flags, shared, pNotifier));
}
