/* SPDX-License-Identifier: MIT
 *
 * Operations recorded by a capture.
 */
#include "op_node.h"

#include <stdlib.h>

#include "order.h"

struct op_node {
  struct CNtaskTopoNode_st node;
  struct rt_op *op;
};

static cnrtRet_t submit_node(struct CNtaskTopoNode_st *node, struct CNqueue_st *queue) {
  return rt_queue_submit(queue, ((struct op_node *)node)->op);
}

static void end_node(struct CNtaskTopoNode_st *node) {
  free(((struct op_node *)node)->op);
  free(node);
}

static cnrtRet_t capture(struct CNqueue_st *queue, const struct rt_op *op,
                         cnrtTaskTopoNodeType_t type, const char *name) {
  struct op_node *node = calloc(1, sizeof(*node));
  struct rt_op *kept = node != NULL ? rt_op_keep(op) : NULL;
  if (kept == NULL) {
    free(node);
    return cnrtErrorSysNoMem;
  }
  node->node = (struct CNtaskTopoNode_st){
      .type = type, .name = name, .submit = submit_node, .end = end_node};
  node->op = kept;
  return rt_capture_node(queue, &node->node);
}

cnrtRet_t rt_queue_submit_or_capture(struct CNqueue_st *queue, struct rt_op *op,
                                     cnrtTaskTopoNodeType_t type, const char *name) {
  return rt_queue_is_captured(queue) ? capture(queue, op, type, name) : rt_queue_submit(queue, op);
}
