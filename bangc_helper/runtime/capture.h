/* SPDX-License-Identifier: MIT
 *
 * Captures of queues: an operation that is submitted to a captured queue is not done, but becomes a
 * node of a topology. A queue that waits for a notifier placed in a capture joins the capture.
 */
#ifndef RUNTIME_CAPTURE_H_
#define RUNTIME_CAPTURE_H_

#include "task_topo.h"

/* Where in a capture a notifier was placed. */
struct rt_mark;

static inline rt_queue_branch_t *rt_queue_branch(struct CNqueue_st *queue) {
  return (rt_queue_branch_t *)queue;
}

/* Whether operations of a queue are captured. */
static inline bool rt_queue_is_captured(struct CNqueue_st *queue) {
  return atomic_load_explicit(rt_queue_branch(queue), memory_order_relaxed) != NULL;
}

/* Captures that are not relaxed. */
extern _Atomic unsigned rt_strict_captures;

/* Adds a node for an operation of a captured queue. The capture owns it from now on; on failure it
 * is ended. */
cnrtRet_t rt_capture_node(struct CNqueue_st *queue, struct CNtaskTopoNode_st *node);

/* Calls that a capture forbids invalidate it: those on a captured queue, on a device with captured
 * queues, or on a notifier placed in a capture, and those that may wait for work of any queue. They
 * return cnrtErrorQueueCaptureUnsupported, or cnrtSuccess if no capture is concerned. */
cnrtRet_t rt_capture_refuse_captured(struct CNqueue_st *queue);
static inline cnrtRet_t rt_capture_refuse(struct CNqueue_st *queue) {
  return rt_queue_is_captured(queue) ? rt_capture_refuse_captured(queue) : cnrtSuccess;
}
cnrtRet_t rt_capture_refuse_on(const struct rt_device *device);
cnrtRet_t rt_capture_refuse_notifier(struct CNnotifier_st *notifier);
cnrtRet_t rt_capture_refuse_strict(void);
static inline cnrtRet_t rt_capture_refuse_unsafe(void) {
  const bool any = atomic_load_explicit(&rt_strict_captures, memory_order_relaxed) != 0;
  return any ? rt_capture_refuse_strict() : cnrtSuccess;
}

/* Places and waits for notifiers of captures without an operation. False if the queue is not
 * captured and the notifier was not placed in a capture. `handle` is the caller's handle of the
 * queue. */
bool rt_capture_place(struct CNnotifier_st *notifier, struct CNqueue_st *queue, cnrtRet_t *result);
bool rt_capture_wait(struct CNnotifier_st *notifier, struct CNqueue_st *queue, cnrtQueue_t handle,
                     cnrtRet_t *result);
/* The notifier ends. */
void rt_capture_forget(struct CNnotifier_st *notifier);

#endif /* RUNTIME_CAPTURE_H_ */
