/* SPDX-License-Identifier: MIT
 *
 * The order of a queue's operations.
 */
#ifndef SM90_ORDER_H_
#define SM90_ORDER_H_

#include "queue.h"

/* A copy of the operation in memory of its own; NULL when that is short. */
struct rt_op *rt_op_keep(const struct rt_op *op);

/* Submits the operation, now or when the queue may go on; in the latter case the queue works on a
 * copy, and errors become the queue's. `op` is no longer needed afterwards. */
cnrtRet_t rt_queue_submit(struct CNqueue_st *queue, struct rt_op *op);

/* What held the queue is over, with this result. Only a holder of a reference may call it. */
void rt_queue_go_on(struct CNqueue_st *queue, cnrtRet_t result);

/* Whether the queue is held, or will be. */
bool rt_queue_has_holds(struct CNqueue_st *queue);

/* Waits until everything submitted so far is done; its own errors stay. */
cnrtRet_t rt_queue_finish(struct CNqueue_st *queue);

/* Remembers an error for the next synchronisation. */
void rt_queue_set_error(struct CNqueue_st *queue, cnrtRet_t error);

#endif /* SM90_ORDER_H_ */
