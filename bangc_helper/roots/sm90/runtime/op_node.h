/* SPDX-License-Identifier: MIT
 *
 * Operations that a capture keeps.
 */
#ifndef SM90_OP_NODE_H_
#define SM90_OP_NODE_H_

#include "queue.h"

/* As rt_queue_submit for an operation that owns nothing (it has no `end`), but a queue that is
 * captured gets a node instead; `name` is that of a kernel, else NULL. */
cnrtRet_t rt_queue_submit_or_capture(struct CNqueue_st *queue, struct rt_op *op,
                                     cnrtTaskTopoNodeType_t type, const char *name);

#endif /* SM90_OP_NODE_H_ */
