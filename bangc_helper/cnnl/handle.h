/* SPDX-License-Identifier: MIT
 *
 * Handles, and operations in their queues.
 */
#ifndef CNNL_HANDLE_H_
#define CNNL_HANDLE_H_

#include "common.h"

struct cnnlContext {
  cnrtQueue_t queue;
};

/* What an operation does when the queue reaches it. The result becomes the queue's error. */
typedef cnrtRet_t (*cnnl_run_t)(void *arguments);

/* Puts an operation with a copy of its arguments into the handle's queue. `work`, roughly the
 * number of elements it touches, decides whether it gets a thread of its own. */
cnnlStatus_t cnnl_submit(const char *function, cnnlHandle_t handle, cnnl_run_t run,
                         const void *arguments, size_t bytes, int64_t work);

/* For workspace queries: no operation here needs one. */
cnnlStatus_t cnnl_no_workspace(const char *function, cnnlHandle_t handle, size_t *size);

#endif /* CNNL_HANDLE_H_ */
