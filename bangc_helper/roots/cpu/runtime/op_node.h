/* SPDX-License-Identifier: MIT
 *
 * Operations that are plain bytes: copied for a queue, or kept by a capture. The functions are
 * inline, since a small copy takes hardly longer than a call.
 */
#ifndef RUNTIME_OP_NODE_H_
#define RUNTIME_OP_NODE_H_

#include <stdlib.h>
#include <string.h>

#include "queue.h"

/* Ends a copy. */
void rt_op_free(struct rt_op *op);
/* Adds a node for the operation to the capture of a queue. */
cnrtRet_t rt_op_capture(struct CNqueue_st *queue, const struct rt_op *wanted, size_t bytes,
                        cnrtTaskTopoNodeType_t type);

/* Submits a copy of the operation, as a brief one if it is. */
static inline cnrtRet_t rt_op_submit(struct CNqueue_st *queue, const struct rt_op *wanted,
                                     size_t bytes) {
  struct rt_op *op = malloc(bytes);
  if (op == NULL) {
    return cnrtErrorSysNoMem;
  }
  memcpy(op, wanted, bytes);
  op->destroy = rt_op_free;
  if (op->brief) {
    rt_queue_submit_brief(queue, op);
  } else {
    rt_queue_submit(queue, op);
  }
  return cnrtSuccess;
}

/* As rt_op_submit, but adds a node if the queue is captured. */
static inline cnrtRet_t rt_op_submit_or_capture(cnrtQueue_t handle, const struct rt_op *wanted,
                                                size_t bytes, cnrtTaskTopoNodeType_t type) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *queue = rt_queue_acquire(handle, &error);
  if (queue == NULL) {
    return error;
  }
  error = rt_queue_is_captured(queue) ? rt_op_capture(queue, wanted, bytes, type)
                                      : rt_op_submit(queue, wanted, bytes);
  rt_queue_release(queue);
  return error;
}

#endif /* RUNTIME_OP_NODE_H_ */
