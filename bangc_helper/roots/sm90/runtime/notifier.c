/* SPDX-License-Identifier: MIT
 *
 * A placement is one use of a notifier in a queue; it has an event. A waiter waits for the
 * placement that was the latest when it asked, even if the notifier is placed again. A held queue
 * records its placements later. CUDA treats an unrecorded event as reached, so whoever waits for
 * such a placement is held too.
 *
 * Placements of a notifier shared by several processes are recorded in shared memory
 * (shared_notifier.h). CUDA's interprocess events do not suffice: they know neither held queues nor
 * processes that end.
 */
#include <stdlib.h>

#include "notifiers.h"
#include "order.h"
#include "queue.h"
#include "service.h"
#include "shared_notifier.h"

struct waiting_queue;

struct placement {
  _Atomic int references;
  struct rt_device *device;
  cudaEvent_t event;
  pthread_mutex_t lock;
  _Atomic uint32_t is_recorded; /* recorded, or never will be; a futex */
  _Atomic unsigned sleepers;
  cnrtRet_t error; /* why it was not recorded; valid once is_recorded */
  struct waiting_queue *waiting;
  struct rt_shared_notifier *shared; /* NULL: used by this process only */
  uint32_t number;                   /* its number for other processes */
};

/* A queue that is held until a placement is recorded. */
struct waiting_queue {
  struct rt_service_job job;
  struct CNqueue_st *queue;
  struct placement *placement;
  struct waiting_queue *next;
};

struct placement_op {
  struct rt_op op;
  struct placement *placement;
};

/* ---- Placements ---- */

static cnrtRet_t create(struct rt_device *device, unsigned flags, struct placement **created) {
  const bool timed = (flags & CNRT_NOTIFIER_DISABLE_TIMING_ALL) == 0;
  struct placement *placement = calloc(1, sizeof(*placement));
  if (placement == NULL) {
    return cnrtErrorSysNoMem;
  }
  const cnrtRet_t error = rt_device_error(
      device, cudaEventCreateWithFlags(&placement->event,
                                       timed ? cudaEventDefault : cudaEventDisableTiming));
  if (error != cnrtSuccess) {
    free(placement);
    return error;
  }
  atomic_init(&placement->references, 1);
  pthread_mutex_init(&placement->lock, NULL);
  placement->device = device;
  *created = placement;
  return cnrtSuccess;
}

static void release(struct placement *placement) {
  if (placement != NULL && atomic_fetch_sub(&placement->references, 1) == 1) {
    rt_cuda(cudaEventDestroy(placement->event)); /* waiting streams still get it */
    rt_shared_notifier_release(placement->shared);
    pthread_mutex_destroy(&placement->lock);
    free(placement);
  }
}

static bool is_recorded(const struct placement *placement) {
  return atomic_load_explicit(&placement->is_recorded, memory_order_acquire) != 0;
}

static cnrtRet_t let_stream_wait(struct CNqueue_st *queue, const struct placement *placement) {
  return placement->error != cnrtSuccess
             ? placement->error
             : rt_cuda(cudaStreamWaitEvent(queue->stream, placement->event, 0));
}

static void let_go_on(struct rt_service_job *job) {
  struct waiting_queue *waiting = (struct waiting_queue *)job; /* the job is its first member */
  struct CNqueue_st *queue = waiting->queue;
  cnrtRet_t error = rt_device_enter(queue->device);
  if (error == cnrtSuccess) {
    error = let_stream_wait(queue, waiting->placement);
  }
  release(waiting->placement);
  free(waiting);
  rt_queue_go_on(queue, error);
  rt_queue_release(queue);
}

/* ---- Other processes ---- */

/* A placement that other processes must learn of, or one of theirs that a queue waits for. */
struct shared_placement {
  struct rt_service_job job;
  struct rt_shared_notifier *shared;
  uint32_t number;
  struct CNqueue_st *queue; /* the waiting queue, retained; or NULL */
};

static struct shared_placement *create_shared(struct rt_shared_notifier *shared, uint32_t number,
                                              void (*run)(struct rt_service_job *job)) {
  struct shared_placement *placement = calloc(1, sizeof(*placement));
  if (placement != NULL) {
    placement->job.run = run;
    placement->shared = rt_shared_notifier_retain(shared);
    placement->number = number;
  }
  return placement;
}

static void discard_shared(struct shared_placement *placement) {
  rt_shared_notifier_release(placement->shared);
  free(placement);
}

/* Runs even on a broken device, because waiters must continue. */
static void CUDART_CB stream_reached(cudaStream_t stream, cudaError_t status, void *reached) {
  struct shared_placement *placement = reached;
  (void)stream;
  (void)status;
  rt_shared_notifier_reach(placement->shared, placement->number);
  discard_shared(placement);
}

static cnrtRet_t notify_others(const struct placement *placement, cudaStream_t stream) {
  struct shared_placement *reached = create_shared(placement->shared, placement->number, NULL);
  if (reached == NULL) {
    return cnrtErrorSysNoMem;
  }
  const cnrtRet_t error = rt_cuda(cudaStreamAddCallback(stream, stream_reached, reached, 0));
  if (error != cnrtSuccess) {
    discard_shared(reached);
  }
  return error;
}

/* Other processes are informed first: whoever has waited for the event here may then ask them. */
static cnrtRet_t submit_record(struct rt_op *op, struct CNqueue_st *queue) {
  const struct placement *placement = ((struct placement_op *)op)->placement;
  cnrtRet_t error = cnrtSuccess;
  if (placement->shared != NULL) {
    error = notify_others(placement, queue->stream);
  }
  return error != cnrtSuccess
             ? error
             : rt_device_error(queue->device, cudaEventRecord(placement->event, queue->stream));
}

/* The queue's lock is held here, so other threads resume the waiting queues. */
static void end_record(struct rt_op *op, cnrtRet_t result) {
  struct placement *placement = ((struct placement_op *)op)->placement;
  if (result != cnrtSuccess && placement->shared != NULL) { /* the other processes would not learn
                                                             * of it otherwise */
    rt_shared_notifier_reach(placement->shared, placement->number);
  }
  pthread_mutex_lock(&placement->lock);
  placement->error = result;
  atomic_store(&placement->is_recorded, 1);
  struct waiting_queue *waiting = placement->waiting;
  placement->waiting = NULL;
  pthread_mutex_unlock(&placement->lock);
  if (atomic_load(&placement->sleepers) != 0) { /* a system call takes as long as a launch, so avoid
                                                 * it */
    rt_futex_wake(&placement->is_recorded, UINT32_MAX);
  }
  while (waiting != NULL) {
    struct waiting_queue *next = waiting->next;
    rt_service_post(&waiting->job);
    waiting = next;
  }
  release(placement);
}

static cnrtRet_t hold_until_recorded(struct CNqueue_st *queue, struct placement *placement) {
  struct waiting_queue *waiting = malloc(sizeof(*waiting));
  if (waiting == NULL) {
    return cnrtErrorSysNoMem;
  }
  *waiting = (struct waiting_queue){.job = {.run = let_go_on},
                                    .queue = queue,
                                    .placement = placement,
                                    .next = placement->waiting};
  placement->waiting = waiting;
  rt_queue_retain(queue);
  atomic_fetch_add(&placement->references, 1);
  queue->is_held = true;
  return cnrtSuccess;
}

static cnrtRet_t submit_wait(struct rt_op *op, struct CNqueue_st *queue) {
  struct placement *placement = ((struct placement_op *)op)->placement;
  pthread_mutex_lock(&placement->lock);
  const cnrtRet_t error = is_recorded(placement) ? let_stream_wait(queue, placement)
                                                 : hold_until_recorded(queue, placement);
  pthread_mutex_unlock(&placement->lock);
  return error;
}

static void end_wait(struct rt_op *op, cnrtRet_t result) {
  (void)result;
  release(((struct placement_op *)op)->placement);
}

/* ---- Placements of other processes ---- */

static void wait_for_foreign(struct rt_service_job *job) {
  struct shared_placement *placement = (struct shared_placement *)job; /* the job is its first
                                                                        * member */
  struct CNqueue_st *queue = placement->queue;
  const cnrtRet_t result = rt_shared_notifier_wait(placement->shared, placement->number);
  if (result == cnrtErrorSys) {
    rt_warn("a queue waited for a notifier of a process that has ended");
  }
  discard_shared(placement);
  if (result != cnrtErrorNotReady) { /* otherwise this process is ending */
    rt_queue_go_on(queue, result);
  }
  rt_queue_release(queue);
}

struct foreign_op {
  struct rt_op op;
  struct shared_placement *placement;
};

static cnrtRet_t submit_foreign(struct rt_op *op, struct CNqueue_st *queue) {
  struct shared_placement *placement = ((struct foreign_op *)op)->placement;
  rt_queue_retain(queue);
  placement->queue = queue;
  queue->is_held = true;
  rt_service_post(&placement->job);
  return cnrtSuccess;
}

static void end_foreign(struct rt_op *op, cnrtRet_t result) {
  if (result != cnrtSuccess) { /* it was not submitted */
    discard_shared(((struct foreign_op *)op)->placement);
  }
}

static cnrtRet_t queue_wait_for_foreign(struct rt_shared_notifier *shared, uint32_t number,
                                        struct CNqueue_st *queue) {
  struct foreign_op op = {
      .op = {.bytes = sizeof(op), .may_hold = true, .submit = submit_foreign, .end = end_foreign},
      .placement = create_shared(shared, number, wait_for_foreign)};
  return op.placement == NULL ? cnrtErrorSysNoMem : rt_queue_submit(queue, &op.op);
}

/* ---- Notifiers ---- */

cnrtRet_t rt_notifier_begin(struct CNnotifier_st *notifier) {
  notifier->latest = NULL; /* never placed */
  return rt_device_enter(notifier->device);
}

void rt_notifier_end(struct CNnotifier_st *notifier) {
  release(notifier->latest);
}

/* The latest placement, retained; NULL if there is none. */
static struct placement *latest_placement(struct CNnotifier_st *notifier) {
  pthread_mutex_lock(&notifier->lock);
  struct placement *placement = notifier->latest;
  if (placement != NULL) {
    atomic_fetch_add(&placement->references, 1);
  }
  pthread_mutex_unlock(&notifier->lock);
  return placement;
}

/* Makes a new placement on the device the notifier's latest, retained. The old one is reused if
 * nobody else refers to it. */
static cnrtRet_t renew_locked(struct CNnotifier_st *notifier, struct rt_device *device,
                              struct placement **renewed) {
  struct placement *placement = notifier->latest;
  if (placement == NULL || placement->device != device ||
      atomic_load(&placement->references) != 1) {
    const cnrtRet_t error = create(device, notifier->flags, &placement);
    if (error != cnrtSuccess) {
      return error;
    }
    release(notifier->latest);
    notifier->latest = placement;
    notifier->device = device;
  }
  if (notifier->shared != NULL && placement->shared == NULL) {
    placement->shared = rt_shared_notifier_retain(notifier->shared);
  }
  placement->number = placement->shared != NULL ? rt_shared_notifier_place(placement->shared) : 0;
  notifier->shared_number = placement->number;
  atomic_store(&placement->is_recorded, 0);
  atomic_fetch_add(&placement->references, 1);
  notifier->placed = true;
  *renewed = placement;
  return cnrtSuccess;
}

cnrtRet_t rt_notifier_place(struct CNnotifier_st *notifier, struct CNqueue_st *queue) {
  struct placement_op op = {
      .op = {.bytes = sizeof(op), .submit = submit_record, .end = end_record}};
  pthread_mutex_lock(&notifier->lock);
  const cnrtRet_t error = renew_locked(notifier, queue->device, &op.placement);
  pthread_mutex_unlock(&notifier->lock);
  return error != cnrtSuccess ? error : rt_queue_submit(queue, &op.op);
}

cnrtRet_t rt_notifier_queue_wait(struct CNnotifier_st *notifier, struct CNqueue_st *queue) {
  const uint32_t foreign = rt_notifier_foreign_number(notifier);
  if (foreign != 0) {
    return queue_wait_for_foreign(notifier->shared, foreign, queue);
  }
  struct placement_op op = {
      .op = {.bytes = sizeof(op), .may_hold = true, .submit = submit_wait, .end = end_wait},
      .placement = latest_placement(notifier)};
  return op.placement == NULL ? cnrtSuccess : rt_queue_submit(queue, &op.op);
}

/* Queries the event of a placement, and releases the placement. */
static cnrtRet_t ask(struct placement *placement, cudaError_t (*question)(cudaEvent_t event)) {
  cnrtRet_t answer = cnrtSuccess;
  if (placement != NULL && !is_recorded(placement)) {
    answer = cnrtErrorNotReady;
  } else if (placement != NULL) {
    answer = placement->error != cnrtSuccess
                 ? placement->error
                 : rt_device_error(placement->device, question(placement->event));
  }
  release(placement);
  return answer;
}

cnrtRet_t rt_notifier_query(struct CNnotifier_st *notifier) {
  const uint32_t foreign = rt_notifier_foreign_number(notifier);
  if (foreign != 0) {
    return rt_shared_notifier_query(notifier->shared, foreign);
  }
  return ask(latest_placement(notifier), cudaEventQuery);
}

cnrtRet_t rt_notifier_wait(struct CNnotifier_st *notifier) {
  const uint32_t foreign = rt_notifier_foreign_number(notifier);
  if (foreign != 0) {
    return rt_shared_notifier_wait(notifier->shared, foreign);
  }
  struct placement *placement = latest_placement(notifier);
  if (placement != NULL && !is_recorded(placement)) {
    atomic_fetch_add(&placement->sleepers, 1);
    while (atomic_load(&placement->is_recorded) == 0) {
      rt_futex_wait(&placement->is_recorded, 0, 0);
    }
    atomic_fetch_sub(&placement->sleepers, 1);
  }
  return ask(placement, cudaEventSynchronize);
}

cnrtRet_t rt_notifier_elapsed(struct CNnotifier_st *start, struct CNnotifier_st *end, double *ms) {
  struct placement *first = latest_placement(start);
  struct placement *last = latest_placement(end);
  float value = 0;
  cnrtRet_t error = cnrtErrorNotReady;
  if (first != NULL && last != NULL && is_recorded(first) && is_recorded(last)) {
    error = rt_device_error(last->device, cudaEventElapsedTime(&value, first->event, last->event));
  }
  release(first);
  release(last);
  *ms = value;
  return error;
}
