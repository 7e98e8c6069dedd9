/* SPDX-License-Identifier: MIT
 *
 * Queues that exist without being created: the default queue of a device, and one per thread on it.
 */
#ifndef RUNTIME_THREAD_QUEUE_H_
#define RUNTIME_THREAD_QUEUE_H_

#include "root.h"

/* Whether a handle means such a queue. */
static inline bool rt_queue_is_implicit(cnrtQueue_t handle) {
  return handle == NULL || handle == cnrtQueuePerThread || handle == cnrtQueueLegacy;
}

/* The calling thread's queue of the current device, retained; NULL with *error set when there is
 * none. */
struct CNqueue_st *rt_thread_queue_acquire(cnrtRet_t *error);

#endif /* RUNTIME_THREAD_QUEUE_H_ */
