/* SPDX-License-Identifier: MIT
 *
 * The time that notifiers carry. On the CPU it is the host's clock; a root that plays another
 * device gives every queue a clock of its own, which operations advance.
 */
#ifndef RUNTIME_QUEUE_TIME_H_
#define RUNTIME_QUEUE_TIME_H_

#include "common.h"

struct CNqueue_st;

/* Called in the order of the queue's operations, by the threads that complete them. */

/* The time when all previous operations were done. */
uint64_t rt_queue_time_ns(const struct CNqueue_st *queue);
/* A copy, or a fill (source NULL), starts. */
void rt_queue_time_transfer(struct CNqueue_st *queue, const void *target, const void *source,
                            size_t bytes);
/* The queue has waited for a notifier that was reached at this time. */
void rt_queue_time_meet(struct CNqueue_st *queue, uint64_t time_ns);
/* True if a queue must also wait for a notifier that was reached before the wait was submitted. */
bool rt_queue_time_is_its_own(void);

#endif /* RUNTIME_QUEUE_TIME_H_ */
