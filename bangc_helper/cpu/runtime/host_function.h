/* SPDX-License-Identifier: MIT
 *
 * Functions of the host in queues, and operations that something outside the runtime completes.
 * They may block, so they run on service threads that come and go with demand.
 */
#ifndef RUNTIME_HOST_FUNCTION_H_
#define RUNTIME_HOST_FUNCTION_H_

#include "common.h"

/* Queue whose host function the calling thread is running, or NULL. */
const struct CNqueue_st *rt_host_function_queue(void);

#endif /* RUNTIME_HOST_FUNCTION_H_ */
