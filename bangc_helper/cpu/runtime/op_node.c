/* SPDX-License-Identifier: MIT
 *
 * Operations that are no more than their bytes: copied for a queue, or kept by a capture.
 */
#include <stdlib.h>
#include <string.h>

#include "queue.h"

static void destroy_copy(struct rt_op *op) {
  free(op);
}

cnrtRet_t rt_queue_submit_copy(struct CNqueue_st *queue, const struct rt_op *wanted, size_t bytes) {
  struct rt_op *op = malloc(bytes);
  if (op == NULL) {
    return cnrtErrorSysNoMem;
  }
  memcpy(op, wanted, bytes);
  op->destroy = destroy_copy;
  return op->brief ? rt_queue_submit_brief(queue, op) : rt_queue_submit(queue, op);
}

/* The operation follows it in memory. */
struct op_node {
  struct CNtaskTopoNode_st node;
  size_t bytes;
  max_align_t op[];
};

static cnrtRet_t submit_node(struct CNtaskTopoNode_st *node, struct CNqueue_st *queue) {
  const struct op_node *kept = (const struct op_node *)node;
  return rt_queue_submit_copy(queue, (const struct rt_op *)kept->op, kept->bytes);
}

static void end_node(struct CNtaskTopoNode_st *node) {
  free(node);
}

static cnrtRet_t capture(struct CNqueue_st *queue, const struct rt_op *wanted, size_t bytes,
                         cnrtTaskTopoNodeType_t type) {
  struct op_node *node = calloc(1, sizeof(*node) + bytes);
  if (node == NULL) {
    return cnrtErrorSysNoMem;
  }
  node->node = (struct CNtaskTopoNode_st){.type = type, .submit = submit_node, .end = end_node};
  node->bytes = bytes;
  memcpy(node->op, wanted, bytes);
  return rt_capture_node(queue, &node->node);
}

cnrtRet_t rt_queue_submit_or_capture(cnrtQueue_t handle, const struct rt_op *wanted, size_t bytes,
                                     cnrtTaskTopoNodeType_t type) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *queue = rt_queue_acquire(handle, &error);
  if (queue == NULL) {
    return error;
  }
  error = rt_queue_is_captured(queue) ? capture(queue, wanted, bytes, type)
                                      : rt_queue_submit_copy(queue, wanted, bytes);
  rt_queue_release(queue);
  return error;
}
