/* SPDX-License-Identifier: MIT
 *
 * The queue that every thread has on a device without creating it.
 */
#ifndef RUNTIME_THREAD_QUEUE_H_
#define RUNTIME_THREAD_QUEUE_H_

#include "queues.h"

/* The calling thread's queue of the current device, retained; NULL with *error set when there is
 * none. */
struct CNqueue_st *rt_thread_queue_acquire(cnrtRet_t *error);

/* By the root: where a queue says which thread it belongs to, as thread_queue.c numbers them; 0:
 * none. */
uint64_t *rt_queue_owner(struct CNqueue_st *queue);

#endif /* RUNTIME_THREAD_QUEUE_H_ */
