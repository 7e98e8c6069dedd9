/* SPDX-License-Identifier: MIT
 *
 * A placement is one use of a notifier in a queue. Whoever waits, waits for the placement that was
 * the latest when he asked, whatever happens to the notifier meanwhile. Notifiers of several
 * processes have a board, which all their placements carry; such a notifier has one from the
 * beginning, which counts as reached.
 */
#include <stdlib.h>

#include "board.h"
#include "queue.h"
#include "queue_time.h"
#include "service.h"
#include "notifiers.h"

struct waiting_op;

struct placement {
  pthread_mutex_t lock;
  _Atomic int references;
  _Atomic uint32_t reached; /* sleepers wait on it */
  uint64_t time_ns;
  struct waiting_op *waiting;
  struct rt_board *board; /* NULL: of this process only */
  uint32_t number;        /* on the board; 0: in another process, or none */
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
  struct rt_board *board;
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
    rt_board_release(placement->board);
    pthread_mutex_destroy(&placement->lock);
    free(placement);
  }
}

static bool placement_reached(struct placement *placement) {
  return atomic_load_explicit(&placement->reached, memory_order_acquire) != 0;
}

static void tell_others(struct placement *placement) {
  if (placement->board != NULL) {
    rt_board_reach(placement->board, placement->number);
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
  tell_others(placement);
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

/* Whether the latest placement of a notifier is another process's. */
static bool is_foreign(const struct placement *placement) {
  const uint32_t latest =
      placement != NULL && placement->board != NULL ? rt_board_latest(placement->board) : 0;
  return latest != 0 && latest != placement->number;
}

static void wait_for_foreign(struct rt_service_job *job) {
  struct foreign_op *op = (struct foreign_op *)((char *)job - offsetof(struct foreign_op, job));
  const cnrtRet_t result = rt_board_wait(op->board, op->number);
  if (result == cnrtErrorSys) {
    rt_warn("a queue waited for a notifier of a process that has ended");
  }
  if (result != cnrtErrorNotReady) { /* else nobody is there any more */
    rt_op_complete(&op->op, result);
  }
}

static enum rt_op_state start_foreign(struct rt_op *base) {
  struct foreign_op *op = (struct foreign_op *)base;
  if (rt_board_query(op->board, op->number) == cnrtSuccess) {
    return RT_OP_DONE;
  }
  op->job.run = wait_for_foreign;
  rt_service_post(&op->job);
  return RT_OP_PENDING;
}

static void destroy_foreign(struct rt_op *base) {
  struct foreign_op *op = (struct foreign_op *)base;
  rt_board_release(op->board);
  free(op);
}

static cnrtRet_t queue_wait_for_foreign(struct rt_board *board, struct CNqueue_st *queue) {
  struct foreign_op *op = calloc(1, sizeof(*op));
  if (op == NULL) {
    return cnrtErrorSysNoMem;
  }
  op->op.start = start_foreign;
  op->op.destroy = destroy_foreign;
  op->board = rt_board_retain(board);
  op->number = rt_board_latest(board);
  rt_queue_submit(queue, &op->op);
  return cnrtSuccess;
}

/* ---- Notifiers ---- */

/* The beginning of a notifier with a board, which it takes; NULL without memory. */
static struct placement *begin_with(struct rt_board *board) {
  struct placement *placement = placement_create();
  if (placement != NULL) {
    placement->board = board;
    atomic_init(&placement->reached, 1);
  }
  return placement;
}

cnrtRet_t rt_notifier_begin(struct CNnotifier_st *notifier) {
  if ((notifier->flags & CNRT_NOTIFIER_INTERPROCESS) == 0) {
    return cnrtSuccess; /* never placed */
  }
  struct rt_board *board = rt_board_create();
  notifier->latest = board != NULL ? begin_with(board) : NULL;
  if (notifier->latest == NULL) {
    rt_board_release(board);
    return cnrtErrorSysNoMem;
  }
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
  if (earlier != NULL && earlier->board != NULL) {
    placement->board = rt_board_retain(earlier->board);
    placement->number = rt_board_place(placement->board);
  }
  notifier->latest = placement;
  notifier->placed = true;
  pthread_mutex_unlock(&notifier->lock);
  placement_release(earlier);
  rt_queue_submit_brief(queue, &op->op);
  return cnrtSuccess;
}

cnrtRet_t rt_notifier_queue_wait(struct CNnotifier_st *notifier, struct CNqueue_st *queue) {
  struct placement *placement = latest_placement(notifier);
  if (is_foreign(placement)) {
    const cnrtRet_t error = queue_wait_for_foreign(placement->board, queue);
    placement_release(placement);
    return error;
  }
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

static cnrtRet_t query(struct placement *placement) {
  if (is_foreign(placement)) {
    return rt_board_query(placement->board, rt_board_latest(placement->board));
  }
  return placement == NULL || placement_reached(placement) ? cnrtSuccess : cnrtErrorNotReady;
}

cnrtRet_t rt_notifier_query(struct CNnotifier_st *notifier) {
  struct placement *placement = latest_placement(notifier);
  const cnrtRet_t answer = query(placement);
  placement_release(placement);
  return answer;
}

static cnrtRet_t wait(struct placement *placement) {
  if (is_foreign(placement)) {
    return rt_board_wait(placement->board, rt_board_latest(placement->board));
  }
  while (placement != NULL && !placement_reached(placement)) {
    rt_futex_wait(&placement->reached, 0, 0);
  }
  return cnrtSuccess;
}

cnrtRet_t rt_notifier_wait(struct CNnotifier_st *notifier) {
  struct placement *placement = latest_placement(notifier);
  const cnrtRet_t error = wait(placement);
  placement_release(placement);
  return error;
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

/* ---- Handles ---- */

bool rt_notifiers_may_be_shared(void) {
  return rt_boards_exist();
}

RT_EXPORT cnrtRet_t cnrtIpcGetNotifierHandle(cnrtIpcNotifierHandle *handle,
                                             cnrtNotifier_t notifier) {
  if (handle == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  struct CNnotifier_st *found = rt_notifier_acquire(notifier);
  if (found == NULL) {
    return rt_fail(cnrtErrorInvalidResourceHandle);
  }
  struct placement *placement = latest_placement(found);
  const bool is_shared = placement != NULL && placement->board != NULL;
  if (is_shared) {
    rt_board_describe(placement->board, handle);
  }
  placement_release(placement);
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
  if (rt_settings()->shared_memory == RT_SHARED_MEMORY_OFF) {
    return rt_fail(cnrtErrorNotSupport);
  }
  struct rt_board *board = rt_board_open(&handle);
  if (board == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  struct placement *placement = begin_with(board);
  if (placement == NULL) {
    rt_board_release(board);
    return rt_fail(cnrtErrorSysNoMem);
  }
  const unsigned flags = CNRT_NOTIFIER_INTERPROCESS | CNRT_NOTIFIER_DISABLE_TIMING_ALL;
  const cnrtRet_t error = rt_notifier_adopt(device, flags, placement, pNotifier);
  if (error != cnrtSuccess) {
    placement_release(placement);
  }
  return rt_fail(error);
}
