/* SPDX-License-Identifier: MIT
 *
 * A placement is one use of a notifier in a queue. Whoever waits, waits for the placement that was
 * the latest when he asked, whatever happens to the notifier meanwhile.
 */
#include "notifier.h"

#include <pthread.h>
#include <stdlib.h>

#include "core.h"
#include "handles.h"
#include "host_function.h"
#include "queue.h"

struct waiting_op;

struct placement {
  pthread_mutex_t lock;
  _Atomic int references;
  _Atomic uint32_t reached; /* sleepers wait on it */
  uint64_t time_ns;
  struct waiting_op *waiting;
};

struct CNnotifier_st {
  pthread_mutex_t lock;
  _Atomic int references;
  struct placement *latest; /* NULL: never placed */
  unsigned flags;
  int device;
  struct CNnotifier_st *next, *prev; /* in the list of all */
};

/* A queue that waits for a placement. */
struct waiting_op {
  struct rt_op op;
  struct placement *placement;
  struct waiting_op *next;
};

struct place_op {
  struct rt_op op;
  struct placement *placement;
};

static struct rt_handles live_notifiers = RT_HANDLES_INITIALIZER;

static struct {
  pthread_mutex_t lock;
  struct CNnotifier_st *list;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- Placements ---- */

static struct placement *placement_create(void) {
  struct placement *placement = calloc(1, sizeof(*placement));
  if (placement != NULL) {
    pthread_mutex_init(&placement->lock, NULL);
    atomic_init(&placement->references, 1);
  }
  return placement;
}

static void placement_release(struct placement *placement) {
  if (placement != NULL && atomic_fetch_sub(&placement->references, 1) == 1) {
    pthread_mutex_destroy(&placement->lock);
    free(placement);
  }
}

static bool placement_reached(struct placement *placement) {
  return atomic_load_explicit(&placement->reached, memory_order_acquire) != 0;
}

static enum rt_op_state start_place(struct rt_op *op) {
  struct placement *placement = ((struct place_op *)op)->placement;
  pthread_mutex_lock(&placement->lock);
  placement->time_ns = rt_now_ns();
  atomic_store(&placement->reached, 1);
  struct waiting_op *waiting = placement->waiting;
  placement->waiting = NULL;
  pthread_mutex_unlock(&placement->lock);
  rt_futex_wake(&placement->reached, UINT32_MAX);
  while (waiting != NULL) {
    struct waiting_op *next = waiting->next;
    rt_op_complete(&waiting->op, cnrtSuccess);
    waiting = next;
  }
  return RT_OP_DONE;
}

static void destroy_place(struct rt_op *op) {
  placement_release(((struct place_op *)op)->placement);
  free(op);
}

static enum rt_op_state start_waiting(struct rt_op *op) {
  struct waiting_op *waiting = (struct waiting_op *)op;
  struct placement *placement = waiting->placement;
  pthread_mutex_lock(&placement->lock);
  const bool reached = placement_reached(placement);
  if (!reached) {
    waiting->next = placement->waiting;
    placement->waiting = waiting;
  }
  pthread_mutex_unlock(&placement->lock);
  return reached ? RT_OP_DONE : RT_OP_PENDING;
}

static void destroy_waiting(struct rt_op *op) {
  placement_release(((struct waiting_op *)op)->placement);
  free(op);
}

/* ---- Objects ---- */

static void retain(void *pointer) {
  struct CNnotifier_st *notifier = pointer;
  atomic_fetch_add(&notifier->references, 1);
}

static void release(struct CNnotifier_st *notifier) {
  if (atomic_fetch_sub(&notifier->references, 1) == 1) {
    placement_release(notifier->latest);
    pthread_mutex_destroy(&notifier->lock);
    free(notifier);
  }
}

static cnrtRet_t destroy_notifier(struct CNnotifier_st *notifier) {
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
  release(notifier);
  return cnrtSuccess;
}

void rt_notifiers_reset(const struct rt_device *device) {
  for (;;) {
    pthread_mutex_lock(&all.lock);
    struct CNnotifier_st *notifier = all.list;
    while (notifier != NULL && notifier->device != device->ordinal) {
      notifier = notifier->next;
    }
    pthread_mutex_unlock(&all.lock);
    if (notifier == NULL || destroy_notifier(notifier) != cnrtSuccess) {
      return;
    }
  }
}

/* The latest placement, retained; NULL when there is none. */
static struct placement *latest_placement(struct CNnotifier_st *notifier) {
  pthread_mutex_lock(&notifier->lock);
  struct placement *placement = notifier->latest;
  if (placement != NULL) {
    atomic_fetch_add(&placement->references, 1);
  }
  pthread_mutex_unlock(&notifier->lock);
  return placement;
}

/* The latest placement of a handle, retained. *error tells whether the handle is valid. */
static struct placement *placement_of(cnrtNotifier_t handle, cnrtRet_t *error) {
  if (!rt_handles_retain(&live_notifiers, handle, retain)) {
    *error = cnrtErrorInvalidResourceHandle;
    return NULL;
  }
  *error = cnrtSuccess;
  struct placement *placement = latest_placement(handle);
  release(handle);
  return placement;
}

RT_EXPORT cnrtRet_t cnrtNotifierCreateWithFlags(cnrtNotifier_t *pNotifier, unsigned int flags) {
  const unsigned known = CNRT_NOTIFIER_DISABLE_TIMING_SW | CNRT_NOTIFIER_DISABLE_TIMING_ALL;
  if ((flags & CNRT_NOTIFIER_INTERPROCESS) != 0) {
    return rt_fail(cnrtErrorNotSupport);
  }
  if (pNotifier == NULL || (flags & ~known) != 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  struct CNnotifier_st *notifier = calloc(1, sizeof(*notifier));
  if (notifier == NULL) {
    return rt_fail(cnrtErrorSysNoMem);
  }
  pthread_mutex_init(&notifier->lock, NULL);
  atomic_init(&notifier->references, 1);
  notifier->flags = flags;
  notifier->device = rt_current_device()->ordinal;
  pthread_mutex_lock(&all.lock);
  notifier->next = all.list;
  if (all.list != NULL) {
    all.list->prev = notifier;
  }
  all.list = notifier;
  const bool known_now = rt_handles_add(&live_notifiers, notifier);
  if (!known_now) {
    all.list = notifier->next;
    if (all.list != NULL) {
      all.list->prev = NULL;
    }
  }
  pthread_mutex_unlock(&all.lock);
  if (!known_now) {
    release(notifier);
    return rt_fail(cnrtErrorSysNoMem);
  }
  *pNotifier = notifier;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtNotifierCreate(cnrtNotifier_t *pNotifier) {
  return cnrtNotifierCreateWithFlags(pNotifier, CNRT_NOTIFIER_DEFAULT);
}

RT_EXPORT cnrtRet_t cnrtNotifierDestroy(cnrtNotifier_t notifier) {
  return rt_fail(destroy_notifier(notifier));
}

/* ---- Use ---- */

/* Makes a new placement the notifier's latest and submits the operation that reaches it. */
static cnrtRet_t place(struct CNnotifier_st *notifier, struct CNqueue_st *queue) {
  struct place_op *op = calloc(1, sizeof(*op));
  struct placement *placement = placement_create();
  if (op == NULL || placement == NULL) {
    free(op);
    placement_release(placement);
    return cnrtErrorSysNoMem;
  }
  atomic_fetch_add(&placement->references, 1); /* one for the notifier, one for the operation */
  op->op.start = start_place;
  op->op.destroy = destroy_place;
  op->placement = placement;
  pthread_mutex_lock(&notifier->lock);
  struct placement *earlier = notifier->latest;
  notifier->latest = placement;
  pthread_mutex_unlock(&notifier->lock);
  placement_release(earlier);
  return rt_queue_submit_brief(queue, &op->op);
}

RT_EXPORT cnrtRet_t cnrtPlaceNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue) {
  if (!rt_handles_retain(&live_notifiers, notifier, retain)) {
    return rt_fail(cnrtErrorInvalidResourceHandle);
  }
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found != NULL) {
    error = place(notifier, found);
    rt_queue_release(found);
  }
  release(notifier);
  return rt_fail(error);
}

RT_EXPORT cnrtRet_t cnrtPlaceNotifierWithFlags(cnrtNotifier_t notifier, cnrtQueue_t queue,
                                               unsigned int flags) {
  /* The only other flag belongs to captures. */
  return flags == 0 ? cnrtPlaceNotifier(notifier, queue) : rt_fail(cnrtErrorArgsInvalid);
}

RT_EXPORT cnrtRet_t cnrtQueueWaitNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue,
                                          unsigned int flags) {
  if (flags != 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  cnrtRet_t error = cnrtSuccess;
  struct placement *placement = placement_of(notifier, &error);
  if (error != cnrtSuccess) {
    return rt_fail(error);
  }
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found == NULL || placement == NULL || placement_reached(placement)) {
    placement_release(placement); /* nothing to wait for, or nobody who waits */
  } else {
    struct waiting_op *op = calloc(1, sizeof(*op));
    if (op == NULL) {
      placement_release(placement);
      error = cnrtErrorSysNoMem;
    } else {
      op->op.start = start_waiting;
      op->op.destroy = destroy_waiting;
      op->placement = placement;
      error = rt_queue_submit(found, &op->op);
    }
  }
  if (found != NULL) {
    rt_queue_release(found);
  }
  return rt_fail(error);
}

RT_EXPORT cnrtRet_t cnrtQueryNotifier(cnrtNotifier_t notifier) {
  cnrtRet_t error = cnrtSuccess;
  struct placement *placement = placement_of(notifier, &error);
  if (placement == NULL) {
    return rt_fail(error);
  }
  const bool reached = placement_reached(placement);
  placement_release(placement);
  return reached ? cnrtSuccess : cnrtErrorNotReady; /* an answer, not a failure */
}

RT_EXPORT cnrtRet_t cnrtWaitNotifier(cnrtNotifier_t notifier) {
  if (rt_core_self() != NULL || rt_host_function_queue() != NULL) {
    return rt_fail(cnrtErrorOpsNotPermitted);
  }
  cnrtRet_t error = cnrtSuccess;
  struct placement *placement = placement_of(notifier, &error);
  if (placement == NULL) {
    return rt_fail(error);
  }
  while (!placement_reached(placement)) {
    rt_futex_wait(&placement->reached, 0, 0);
  }
  placement_release(placement);
  return cnrtSuccess;
}

/* Time of a notifier's latest placement. */
static cnrtRet_t time_of(cnrtNotifier_t notifier, uint64_t *time_ns) {
  if (!rt_handles_retain(&live_notifiers, notifier, retain)) {
    return cnrtErrorInvalidResourceHandle;
  }
  struct placement *placement = latest_placement(notifier);
  cnrtRet_t error = cnrtSuccess;
  if (placement == NULL || (notifier->flags & CNRT_NOTIFIER_DISABLE_TIMING_ALL) != 0) {
    error = cnrtErrorArgsInvalid;
  } else if (!placement_reached(placement)) {
    error = cnrtErrorNotReady;
  } else {
    *time_ns = placement->time_ns;
  }
  placement_release(placement);
  release(notifier);
  return error;
}

static cnrtRet_t elapsed(cnrtNotifier_t start, cnrtNotifier_t end, float *result, double unit_ns) {
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  if (result == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  cnrtRet_t error = time_of(start, &start_ns);
  if (error == cnrtSuccess) {
    error = time_of(end, &end_ns);
  }
  if (error == cnrtErrorNotReady) {
    return error;
  }
  if (error == cnrtSuccess) {
    *result = (float)((double)(int64_t)(end_ns - start_ns) / unit_ns);
  }
  return rt_fail(error);
}

RT_EXPORT cnrtRet_t cnrtNotifierDuration(cnrtNotifier_t start, cnrtNotifier_t end, float *us) {
  return elapsed(start, end, us, 1e3);
}

RT_EXPORT cnrtRet_t cnrtNotifierElapsedTime(cnrtNotifier_t start, cnrtNotifier_t end, float *ms) {
  return elapsed(start, end, ms, 1e6);
}
