/* SPDX-License-Identifier: MIT
 *
 * Threads of the runtime: how they are created, and how they end with the process.
 */
#ifndef RUNTIME_THREADS_H_
#define RUNTIME_THREADS_H_

#include <pthread.h>

#include "common.h"

/* Creates a thread with a task's stack and asynchronous signals blocked. The runtime joins it at
 * the end of the process. */
bool rt_thread_create(const char *name, void *(*body)(void *argument), void *argument);

/* Called by a thread of rt_thread_create that ends before the process. */
void rt_thread_forget(void);

/* True once the process ends: threads end when they have no work. */
bool rt_threads_stopping(void);

/* Registers a function that wakes sleeping threads when the process ends; it may be called several
 * times. */
void rt_threads_on_stop(void (*wake)(void));

/* To be called before using what a child of fork() does not have: threads, device memory, pending
 * work. Fails with a message in such a child. */
cnrtRet_t rt_fork_refuse(void);

#endif /* RUNTIME_THREADS_H_ */
