/* SPDX-License-Identifier: MIT
 *
 * One lock guards all captures, the queues' parts in them and the marks of notifiers, since
 * captures are rare. Without a capture, a call only reads a pointer of its queue.
 */
#include "capture.h"

#include <stdlib.h>

#include "cnrt_external.h"
#include "thread_queue.h"

struct rt_capture {
  struct CNtaskTopo_st *topo;
  uint64_t id;
  cnrtQueueCaptureMode_t mode;
  pthread_t thread; /* the thread that began it */
  bool is_invalid;
  struct rt_branch *origin;   /* of the queue it was begun on */
  struct rt_branch *branches; /* all of them */
  struct rt_capture *next;
};

struct rt_branch {
  struct rt_capture *capture;
  struct CNqueue_st *queue; /* cannot be destroyed meanwhile */
  struct rt_nodes tips;     /* what the next node waits for */
  struct rt_branch *next;
};

struct rt_mark {
  uint64_t id; /* of the capture, which may be over */
  struct rt_nodes tips;
};

static struct {
  pthread_mutex_t lock;
  struct rt_capture *list;
  uint64_t last_id;
} captures = {.lock = PTHREAD_MUTEX_INITIALIZER};

_Atomic unsigned rt_strict_captures;

static __thread cnrtQueueCaptureMode_t thread_mode = cnrtQueueCaptureModeGlobal;

/* ---- Parts and marks; all of this under the lock ---- */

static struct rt_branch *branch_of(struct CNqueue_st *queue) {
  return atomic_load_explicit(rt_queue_branch(queue), memory_order_relaxed);
}

static struct rt_branch *add_branch(struct rt_capture *capture, struct CNqueue_st *queue) {
  struct rt_branch *branch = calloc(1, sizeof(*branch));
  if (branch != NULL) {
    branch->capture = capture;
    branch->queue = queue;
    branch->next = capture->branches;
    capture->branches = branch;
    atomic_store_explicit(rt_queue_branch(queue), branch, memory_order_relaxed);
  }
  return branch;
}

/* Removes a capture from its queues and ends it; the topology stays. */
static void end_capture(struct rt_capture *capture) {
  while (capture->branches != NULL) {
    struct rt_branch *branch = capture->branches;
    capture->branches = branch->next;
    atomic_store_explicit(rt_queue_branch(branch->queue), NULL, memory_order_relaxed);
    rt_nodes_clear(&branch->tips);
    free(branch);
  }
  struct rt_capture **place = &captures.list;
  while (*place != capture) {
    place = &(*place)->next;
  }
  *place = capture->next;
  if (capture->mode != cnrtQueueCaptureModeRelaxed) {
    atomic_fetch_sub(&rt_strict_captures, 1);
  }
  free(capture);
}

static struct rt_capture *find_capture(uint64_t id) {
  struct rt_capture *capture = captures.list;
  while (capture != NULL && capture->id != id) {
    capture = capture->next;
  }
  return capture;
}

static cnrtRet_t invalidate(struct rt_capture *capture, cnrtRet_t reason) {
  capture->is_invalid = true;
  return reason;
}

static struct rt_mark *mark_of(struct CNnotifier_st *notifier) {
  return atomic_load_explicit(&notifier->mark, memory_order_relaxed);
}

/* Records `mark` as the notifier's latest placement; NULL: not in a capture. */
static void set_mark(struct CNnotifier_st *notifier, struct rt_mark *mark) {
  struct rt_mark *earlier = mark_of(notifier);
  atomic_store_explicit(&notifier->mark, mark, memory_order_relaxed);
  if (earlier != NULL) {
    rt_nodes_clear(&earlier->tips);
    free(earlier);
  }
}

/* ---- Begin, end, state ---- */

static cnrtRet_t begin_locked(struct CNqueue_st *queue, struct rt_device *device,
                              cnrtQueueCaptureMode_t mode) {
  if (branch_of(queue) != NULL) {
    return cnrtErrorIllegalState;
  }
  struct rt_capture *capture = calloc(1, sizeof(*capture));
  if (capture == NULL) {
    return cnrtErrorSysNoMem;
  }
  capture->topo = rt_topo_begin(device);
  capture->origin = capture->topo != NULL ? add_branch(capture, queue) : NULL;
  if (capture->origin == NULL) {
    if (capture->topo != NULL) {
      rt_topo_drop(capture->topo);
    }
    free(capture);
    return cnrtErrorSysNoMem;
  }
  capture->id = ++captures.last_id;
  capture->mode = mode;
  capture->thread = pthread_self();
  capture->next = captures.list;
  captures.list = capture;
  if (mode != cnrtQueueCaptureModeRelaxed) {
    atomic_fetch_add(&rt_strict_captures, 1);
  }
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtQueueBeginCapture(cnrtQueue_t queue, cnrtQueueCaptureMode_t mode) {
  if (rt_queue_is_implicit(queue) || (unsigned)mode > cnrtQueueCaptureModeRelaxed) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found == NULL) {
    return rt_fail(error);
  }
  struct rt_device *device = rt_queue_device(queue, &error);
  if (device != NULL) {
    pthread_mutex_lock(&captures.lock);
    error = begin_locked(found, device, mode);
    pthread_mutex_unlock(&captures.lock);
  }
  rt_queue_release(found);
  return rt_fail(error);
}

static cnrtRet_t end_locked(struct CNqueue_st *queue, struct CNtaskTopo_st **topo) {
  struct rt_branch *branch = branch_of(queue);
  if (branch == NULL) {
    return cnrtErrorIllegalState;
  }
  struct rt_capture *capture = branch->capture;
  if (capture->origin != branch) {
    return cnrtErrorQueueCaptureUnmatched;
  }
  if (capture->mode != cnrtQueueCaptureModeRelaxed &&
      !pthread_equal(capture->thread, pthread_self())) {
    return cnrtErrorQueueCaptureWrongThread;
  }
  cnrtRet_t error = capture->is_invalid ? cnrtErrorQueueCaptureInvalidated : cnrtSuccess;
  for (struct rt_branch *b = capture->branches; b != NULL && error == cnrtSuccess; b = b->next) {
    if (!rt_topo_covers(capture->topo, &branch->tips, &b->tips)) {
      error = cnrtErrorQueueCaptureUnjoined;
    }
  }
  *topo = capture->topo;
  end_capture(capture);
  return error;
}

RT_EXPORT cnrtRet_t cnrtQueueEndCapture(cnrtQueue_t queue, cnrtTaskTopo_t *pTaskTopo) {
  cnrtRet_t error = cnrtErrorArgsInvalid;
  struct CNqueue_st *found = pTaskTopo != NULL ? rt_queue_acquire(queue, &error) : NULL;
  if (found == NULL) {
    return rt_fail(error);
  }
  struct CNtaskTopo_st *topo = NULL;
  pthread_mutex_lock(&captures.lock);
  error = end_locked(found, &topo);
  pthread_mutex_unlock(&captures.lock);
  rt_queue_release(found);
  *pTaskTopo = error == cnrtSuccess ? topo : NULL;
  if (error == cnrtSuccess) {
    rt_topo_hand_over(topo);
  } else if (topo != NULL) {
    rt_topo_drop(topo);
  }
  return rt_fail(error);
}

RT_EXPORT cnrtRet_t cnrtQueueIsCapturing(cnrtQueue_t queue, cnrtQueueCaptureStatus_t *pStatus) {
  return cnrtQueueGetCaptureInfo(queue, pStatus, NULL, NULL, NULL, NULL);
}

RT_EXPORT cnrtRet_t cnrtQueueGetCaptureInfo(cnrtQueue_t queue, cnrtQueueCaptureStatus_t *pStatus,
                                            uint64_t *idOut, cnrtTaskTopo_t *pTaskTopo,
                                            const cnrtTaskTopoNode_t **pDependenciesOut,
                                            size_t *pNumDependencies) {
  cnrtRet_t error = cnrtErrorArgsInvalid;
  struct CNqueue_st *found = pStatus != NULL ? rt_queue_acquire(queue, &error) : NULL;
  if (found == NULL) {
    return rt_fail(error);
  }
  pthread_mutex_lock(&captures.lock);
  const struct rt_branch *branch = branch_of(found);
  const bool active = branch != NULL && !branch->capture->is_invalid;
  *pStatus = active           ? cnrtQueueCaptureStatusActive
             : branch != NULL ? cnrtQueueCaptureStatusInvalidated
                              : cnrtQueueCaptureStatusNone;
  if (idOut != NULL) {
    *idOut = active ? branch->capture->id : 0;
  }
  if (pTaskTopo != NULL) {
    *pTaskTopo = active ? branch->capture->topo : NULL;
  }
  if (pDependenciesOut != NULL) {
    *pDependenciesOut = active ? branch->tips.list : NULL;
  }
  if (pNumDependencies != NULL) {
    *pNumDependencies = active ? branch->tips.count : 0;
  }
  pthread_mutex_unlock(&captures.lock);
  rt_queue_release(found);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtThreadExchangeQueueCaptureMode(cnrtQueueCaptureMode_t *mode) {
  if (mode == NULL || (unsigned)*mode > cnrtQueueCaptureModeRelaxed) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const cnrtQueueCaptureMode_t previous = thread_mode;
  thread_mode = *mode;
  *mode = previous;
  return cnrtSuccess;
}

/* ---- Nodes ---- */

/* The node waits for the tips of its queue and becomes the only tip. */
static cnrtRet_t add_node(struct rt_branch *branch, struct CNtaskTopoNode_st *node) {
  struct rt_nodes tip = {NULL, 0};
  if (branch == NULL) {
    return cnrtErrorIllegalState; /* another thread ended the capture meanwhile */
  }
  if (branch->capture->is_invalid) {
    return cnrtErrorQueueCaptureInvalidated;
  }
  if (!rt_nodes_add(&tip, node) || !rt_topo_append(branch->capture->topo, node)) {
    rt_nodes_clear(&tip);
    return invalidate(branch->capture, cnrtErrorSysNoMem);
  }
  node->before = branch->tips;
  branch->tips = tip;
  return cnrtSuccess;
}

cnrtRet_t rt_capture_node(struct CNqueue_st *queue, struct CNtaskTopoNode_st *node) {
  pthread_mutex_lock(&captures.lock);
  const cnrtRet_t error = add_node(branch_of(queue), node);
  pthread_mutex_unlock(&captures.lock);
  if (error != cnrtSuccess) {
    node->end(node);
  }
  return error;
}

/* ---- Calls that a capture forbids ---- */

cnrtRet_t rt_capture_refuse_captured(struct CNqueue_st *queue) {
  cnrtRet_t error = cnrtSuccess;
  pthread_mutex_lock(&captures.lock);
  struct rt_branch *branch = branch_of(queue);
  if (branch != NULL) {
    error = invalidate(branch->capture, cnrtErrorQueueCaptureUnsupported);
  }
  pthread_mutex_unlock(&captures.lock);
  return error;
}

RT_EXPORT cnrtRet_t cnrtxRefuseCapture(cnrtQueue_t queue) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *found = rt_queue_acquire(queue, &error);
  if (found != NULL) {
    error = rt_capture_refuse(found);
    rt_queue_release(found);
  }
  return rt_fail(error);
}

cnrtRet_t rt_capture_refuse_on(const struct rt_device *device) {
  cnrtRet_t error = cnrtSuccess;
  pthread_mutex_lock(&captures.lock);
  for (struct rt_capture *capture = captures.list; capture != NULL; capture = capture->next) {
    if (capture->topo->device == device) {
      error = invalidate(capture, cnrtErrorQueueCaptureUnsupported);
    }
  }
  pthread_mutex_unlock(&captures.lock);
  return error;
}

cnrtRet_t rt_capture_refuse_notifier(struct CNnotifier_st *notifier) {
  cnrtRet_t error = cnrtSuccess;
  if (mark_of(notifier) != NULL) {
    pthread_mutex_lock(&captures.lock);
    const struct rt_mark *mark = mark_of(notifier);
    struct rt_capture *capture = mark != NULL ? find_capture(mark->id) : NULL;
    error = mark != NULL ? cnrtErrorQueueCaptureUnsupported : cnrtSuccess;
    if (capture != NULL) {
      invalidate(capture, error);
    }
    pthread_mutex_unlock(&captures.lock);
  }
  return error;
}

/* Whether a capture forbids unsafe calls of this thread. */
static bool forbids(const struct rt_capture *capture) {
  const bool is_own = pthread_equal(capture->thread, pthread_self()) != 0;
  switch (thread_mode) {
    case cnrtQueueCaptureModeGlobal:
      return capture->mode == cnrtQueueCaptureModeGlobal ||
             (capture->mode == cnrtQueueCaptureModeThreadLocal && is_own);
    case cnrtQueueCaptureModeThreadLocal:
      return capture->mode != cnrtQueueCaptureModeRelaxed && is_own;
    default:
      return false;
  }
}

cnrtRet_t rt_capture_refuse_strict(void) {
  cnrtRet_t error = cnrtSuccess;
  pthread_mutex_lock(&captures.lock);
  for (struct rt_capture *capture = captures.list; capture != NULL; capture = capture->next) {
    if (forbids(capture)) {
      error = invalidate(capture, cnrtErrorQueueCaptureUnsupported);
    }
  }
  pthread_mutex_unlock(&captures.lock);
  return error;
}

/* ---- Notifiers ---- */

static cnrtRet_t place_locked(struct CNnotifier_st *notifier, struct rt_branch *branch) {
  if (branch->capture->is_invalid) {
    return cnrtErrorQueueCaptureInvalidated;
  }
  struct rt_mark *mark = calloc(1, sizeof(*mark));
  if (mark == NULL || !rt_nodes_unite(&mark->tips, &branch->tips)) {
    if (mark != NULL) {
      rt_nodes_clear(&mark->tips);
    }
    free(mark);
    return invalidate(branch->capture, cnrtErrorSysNoMem);
  }
  mark->id = branch->capture->id;
  set_mark(notifier, mark);
  return cnrtSuccess;
}

bool rt_capture_place(struct CNnotifier_st *notifier, struct CNqueue_st *queue, cnrtRet_t *result) {
  if (mark_of(notifier) == NULL && !rt_queue_is_captured(queue)) {
    return false;
  }
  pthread_mutex_lock(&captures.lock);
  struct rt_branch *branch = branch_of(queue);
  if (branch != NULL) {
    *result = place_locked(notifier, branch);
  } else {
    set_mark(notifier, NULL);
  }
  pthread_mutex_unlock(&captures.lock);
  return branch != NULL;
}

/* A queue outside a capture that waits for one of its notifiers joins the capture. */
static cnrtRet_t join(struct rt_capture *capture, struct CNqueue_st *queue, cnrtQueue_t handle,
                      const struct rt_nodes *tips) {
  cnrtRet_t error = cnrtSuccess;
  if (rt_queue_is_implicit(handle) || rt_queue_device(handle, &error) != capture->topo->device) {
    return invalidate(capture, cnrtErrorQueueCaptureUnsupported);
  }
  struct rt_branch *branch = add_branch(capture, queue);
  return branch != NULL && rt_nodes_unite(&branch->tips, tips)
             ? cnrtSuccess
             : invalidate(capture, cnrtErrorSysNoMem);
}

static cnrtRet_t wait_locked(const struct rt_mark *mark, struct rt_branch *branch,
                             struct CNqueue_st *queue, cnrtQueue_t handle) {
  struct rt_capture *capture = mark != NULL ? find_capture(mark->id) : NULL;
  if ((capture != NULL && capture->is_invalid) || (branch != NULL && branch->capture->is_invalid)) {
    return cnrtErrorQueueCaptureInvalidated;
  }
  if (branch == NULL && capture != NULL) {
    return join(capture, queue, handle, &mark->tips);
  }
  if (branch != NULL && branch->capture == capture) {
    return rt_nodes_unite(&branch->tips, &mark->tips) ? cnrtSuccess
                                                      : invalidate(capture, cnrtErrorSysNoMem);
  }
  /* Work inside a capture and work outside it, or in another capture, cannot wait for each other.
   */
  if (capture != NULL) {
    invalidate(capture, cnrtErrorQueueCaptureIsolation);
  }
  if (branch != NULL) {
    invalidate(branch->capture, cnrtErrorQueueCaptureIsolation);
  }
  return cnrtErrorQueueCaptureIsolation;
}

bool rt_capture_wait(struct CNnotifier_st *notifier, struct CNqueue_st *queue, cnrtQueue_t handle,
                     cnrtRet_t *result) {
  if (mark_of(notifier) == NULL && !rt_queue_is_captured(queue)) {
    return false;
  }
  pthread_mutex_lock(&captures.lock);
  const struct rt_mark *mark = mark_of(notifier);
  struct rt_branch *branch = branch_of(queue);
  const bool concerned = mark != NULL || branch != NULL;
  if (concerned) {
    *result = wait_locked(mark, branch, queue, handle);
  }
  pthread_mutex_unlock(&captures.lock);
  return concerned;
}

void rt_capture_forget(struct CNnotifier_st *notifier) {
  if (mark_of(notifier) != NULL) {
    pthread_mutex_lock(&captures.lock);
    set_mark(notifier, NULL);
    pthread_mutex_unlock(&captures.lock);
  }
}
