/* SPDX-License-Identifier: MIT
 *
 * A placement is one use of a notifier in a queue. A wait is for the placement that was the latest
 * at the time of the call, whatever happens to the notifier afterwards. Placements of a notifier
 * that several processes share are also recorded in shared memory (shared_notifier.h).
 */
#include <stdlib.h>

#include "notifiers.h"
#include "queue.h"
#include "queue_time.h"
#include "service.h"
#include "settings.h"
#include "shared_notifier.h"

struct waiting_op;

struct placement {
  pthread_mutex_t lock;
  _Atomic int references;
  _Atomic uint32_t reached; /* sleepers wait on it */
  uint64_t time_ns;
  struct waiting_op *waiting;
  struct rt_shared_notifier *shared; /* NULL: of this process only */
  uint32_t number;                   /* as other processes know it */
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

/* A queue that waits for a placement of another process. */
struct foreign_op {
  struct rt_op op;
  struct rt_service_job job;
  struct rt_shared_notifier *shared;
  uint32_t number;
};

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
    rt_shared_notifier_release(placement->shared);
    pthread_mutex_destroy(&placement->lock);
    free(placement);
  }
}

static bool placement_reached(struct placement *placement) {
  return atomic_load_explicit(&placement->reached, memory_order_acquire) != 0;
}

static void notify_others(struct placement *placement) {
  if (placement->shared != NULL) {
    rt_shared_notifier_reach(placement->shared, placement->number);
  }
}

static enum rt_op_state start_place(struct rt_op *op) {
  struct placement *placement = ((struct place_op *)op)->placement;
  pthread_mutex_lock(&placement->lock);
  placement->time_ns = rt_queue_time_ns(op->queue);
  atomic_store(&placement->reached, 1);
  struct waiting_op *waiting = placement->waiting;
  placement->waiting = NULL;
  pthread_mutex_unlock(&placement->lock);
  rt_futex_wake(&placement->reached, UINT32_MAX);
  notify_others(placement);
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
  struct placement *placement = ((struct waiting_op *)op)->placement;
  rt_queue_time_meet(op->queue, placement->time_ns);
  placement_release(placement);
  free(op);
}

/* ---- Placements of other processes ---- */

static void wait_for_foreign(struct rt_service_job *job) {
  struct foreign_op *op = (struct foreign_op *)((char *)job - offsetof(struct foreign_op, job));
  const cnrtRet_t result = rt_shared_notifier_wait(op->shared, op->number);
  if (result == cnrtErrorSys) {
    rt_warn("a queue waited for a notifier of a process that has ended");
  }
  if (result != cnrtErrorNotReady) { /* otherwise this process is ending */
    rt_op_complete(&op->op, result);
  }
}

static enum rt_op_state start_foreign(struct rt_op *base) {
  struct foreign_op *op = (struct foreign_op *)base;
  if (rt_shared_notifier_query(op->shared, op->number) == cnrtSuccess) {
    return RT_OP_DONE;
  }
  op->job.run = wait_for_foreign;
  rt_service_post(&op->job);
  return RT_OP_PENDING;
}

static void destroy_foreign(struct rt_op *base) {
  struct foreign_op *op = (struct foreign_op *)base;
  rt_shared_notifier_release(op->shared);
  free(op);
}

static cnrtRet_t queue_wait_for_foreign(struct rt_shared_notifier *shared, uint32_t number,
                                        struct CNqueue_st *queue) {
  struct foreign_op *op = calloc(1, sizeof(*op));
  if (op == NULL) {
    return cnrtErrorSysNoMem;
  }
  op->op.start = start_foreign;
  op->op.destroy = destroy_foreign;
  op->shared = rt_shared_notifier_retain(shared);
  op->number = number;
  rt_queue_submit(queue, &op->op);
  return cnrtSuccess;
}

/* ---- Notifiers ---- */

cnrtRet_t rt_notifier_begin(struct CNnotifier_st *notifier) {
  (void)notifier; /* never placed */
  return cnrtSuccess;
}

void rt_notifier_end(struct CNnotifier_st *notifier) {
  placement_release(notifier->latest);
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

/* Makes a new placement the latest and submits the operation that reaches it. */
cnrtRet_t rt_notifier_place(struct CNnotifier_st *notifier, struct CNqueue_st *queue) {
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
  if (notifier->shared != NULL) {
    placement->shared = rt_shared_notifier_retain(notifier->shared);
    placement->number = rt_shared_notifier_place(placement->shared);
    notifier->shared_number = placement->number;
  }
  notifier->latest = placement;
  notifier->placed = true;
  pthread_mutex_unlock(&notifier->lock);
  placement_release(earlier);
  rt_queue_submit_brief(queue, &op->op);
  return cnrtSuccess;
}

cnrtRet_t rt_notifier_queue_wait(struct CNnotifier_st *notifier, struct CNqueue_st *queue) {
  const uint32_t foreign = rt_notifier_foreign_number(notifier);
  if (foreign != 0) {
    return queue_wait_for_foreign(notifier->shared, foreign, queue);
  }
  struct placement *placement = latest_placement(notifier);
  if (placement == NULL || (placement_reached(placement) && !rt_queue_time_is_its_own())) {
    placement_release(placement); /* nothing to wait for */
    return cnrtSuccess;
  }
  struct waiting_op *op = calloc(1, sizeof(*op));
  if (op == NULL) {
    placement_release(placement);
    return cnrtErrorSysNoMem;
  }
  op->op.start = start_waiting;
  op->op.destroy = destroy_waiting;
  op->placement = placement;
  rt_queue_submit(queue, &op->op);
  return cnrtSuccess;
}

cnrtRet_t rt_notifier_query(struct CNnotifier_st *notifier) {
  const uint32_t foreign = rt_notifier_foreign_number(notifier);
  if (foreign != 0) {
    return rt_shared_notifier_query(notifier->shared, foreign);
  }
  struct placement *placement = latest_placement(notifier);
  const bool reached = placement == NULL || placement_reached(placement);
  placement_release(placement);
  return reached ? cnrtSuccess : cnrtErrorNotReady;
}

cnrtRet_t rt_notifier_wait(struct CNnotifier_st *notifier) {
  const uint32_t foreign = rt_notifier_foreign_number(notifier);
  if (foreign != 0) {
    return rt_shared_notifier_wait(notifier->shared, foreign);
  }
  struct placement *placement = latest_placement(notifier);
  while (placement != NULL && !placement_reached(placement)) {
    rt_futex_wait(&placement->reached, 0, 0);
  }
  placement_release(placement);
  return cnrtSuccess;
}

/* Time of a notifier's latest placement. */
static cnrtRet_t time_of(struct CNnotifier_st *notifier, uint64_t *time_ns) {
  struct placement *placement = latest_placement(notifier);
  const bool reached = placement != NULL && placement_reached(placement);
  if (reached) {
    *time_ns = placement->time_ns;
  }
  placement_release(placement);
  return reached ? cnrtSuccess : cnrtErrorNotReady;
}

cnrtRet_t rt_notifier_elapsed(struct CNnotifier_st *start, struct CNnotifier_st *end, double *ms) {
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  cnrtRet_t error = time_of(start, &start_ns);
  if (error == cnrtSuccess) {
    error = time_of(end, &end_ns);
  }
  if (error == cnrtSuccess) {
    *ms = (double)(int64_t)(end_ns - start_ns) / 1e6;
  }
  return error;
}

bool rt_notifiers_may_be_shared(void) {
  return rt_settings()->shared_memory != RT_SHARED_MEMORY_OFF && rt_shared_notifiers_exist();
}
