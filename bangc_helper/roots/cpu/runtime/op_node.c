/* SPDX-License-Identifier: MIT
 *
 * Operations that a capture keeps.
 */
#include "op_node.h"

void rt_op_free(struct rt_op *op) {
  free(op);
}

/* Followed in memory by the operation. */
struct op_node {
  struct CNtaskTopoNode_st node;
  size_t bytes;
  max_align_t op[];
};

static cnrtRet_t submit_node(struct CNtaskTopoNode_st *node, struct CNqueue_st *queue) {
  const struct op_node *kept = (const struct op_node *)node;
  return rt_op_submit(queue, (const struct rt_op *)kept->op, kept->bytes);
}

static void end_node(struct CNtaskTopoNode_st *node) {
  free(node);
}

cnrtRet_t rt_op_capture(struct CNqueue_st *queue, const struct rt_op *wanted, size_t bytes,
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
