/* SPDX-License-Identifier: MIT
 *
 * A placement is one use of a notifier in a queue. Whoever waits, waits for the placement that was
 * the latest when he asked, whatever happens to the notifier meanwhile.
 */
#include <stdlib.h>

#include "queue.h"

struct waiting_op;

struct placement {
  pthread_mutex_t lock;
  _Atomic int references;
  _Atomic uint32_t reached; /* sleepers wait on it */
  uint64_t time_ns;
  struct waiting_op *waiting;
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

/* ---- Notifiers ---- */

cnrtRet_t rt_notifier_begin(struct CNnotifier_st *notifier) {
  notifier->latest = NULL; /* never placed */
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

/* Makes a new placement the notifier's latest and submits the operation that reaches it. */
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
  notifier->latest = placement;
  notifier->placed = true;
  pthread_mutex_unlock(&notifier->lock);
  placement_release(earlier);
  return rt_queue_submit_brief(queue, &op->op);
}

cnrtRet_t rt_notifier_queue_wait(struct CNnotifier_st *notifier, struct CNqueue_st *queue) {
  struct placement *placement = latest_placement(notifier);
  if (placement == NULL || placement_reached(placement)) {
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
  return rt_queue_submit(queue, &op->op);
}

cnrtRet_t rt_notifier_query(struct CNnotifier_st *notifier) {
  struct placement *placement = latest_placement(notifier);
  const bool reached = placement == NULL || placement_reached(placement);
  placement_release(placement);
  return reached ? cnrtSuccess : cnrtErrorNotReady;
}

cnrtRet_t rt_notifier_wait(struct CNnotifier_st *notifier) {
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
