/* SPDX-License-Identifier: MIT
 *
 * Operations recorded by a capture.
 */
#ifndef SM90_OP_NODE_H_
#define SM90_OP_NODE_H_

#include "queue.h"

/* Same as rt_queue_submit for an operation that owns nothing (it has no `end`), except that a
 * captured queue gets a node instead. `name` is that of a kernel, or NULL. */
cnrtRet_t rt_queue_submit_or_capture(struct CNqueue_st *queue, struct rt_op *op,
                                     cnrtTaskTopoNodeType_t type, const char *name);

#endif /* SM90_OP_NODE_H_ */
