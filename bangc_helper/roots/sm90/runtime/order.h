/* SPDX-License-Identifier: MIT
 *
 * The order of a queue's operations.
 */
#ifndef SM90_ORDER_H_
#define SM90_ORDER_H_

#include "queue.h"

/* An allocated copy of the operation; NULL if out of memory. */
struct rt_op *rt_op_keep(const struct rt_op *op);

/* Submits the operation, now or when the queue is no longer held. In the latter case the queue uses
 * a copy, and errors become the queue's. `op` is not needed afterwards. */
cnrtRet_t rt_queue_submit(struct CNqueue_st *queue, struct rt_op *op);

/* Ends what held the queue, with this result. The caller must have a reference. */
void rt_queue_go_on(struct CNqueue_st *queue, cnrtRet_t result);

/* True if the queue is held, or will be. */
bool rt_queue_has_holds(struct CNqueue_st *queue);

/* Waits until everything submitted so far is done; keeps the queue's own errors. */
cnrtRet_t rt_queue_finish(struct CNqueue_st *queue);

/* Stores an error for the next synchronisation. */
void rt_queue_set_error(struct CNqueue_st *queue, cnrtRet_t error);

#endif /* SM90_ORDER_H_ */
