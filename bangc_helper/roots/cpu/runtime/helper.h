/* SPDX-License-Identifier: MIT
 *
 * Helpers: threads of the program that run tasks of a queue while they wait for it. Where the CPUs
 * are few, a thread that waits would otherwise have to make room for a thread of the runtime, and
 * be woken again: two switches that a short kernel does not earn.
 */
#ifndef RUNTIME_HELPER_H_
#define RUNTIME_HELPER_H_

#include "common.h"

struct CNqueue_st;
struct rt_slot;

/* Runs tasks of the queue on the calling thread as long as there are some that nobody has started;
 * false when it ran none. */
bool rt_help(struct CNqueue_st *queue);

/* The cluster slot whose shared RAM the calling thread uses when it helps; NULL before that. */
struct rt_slot *rt_helper_slot(void);

#endif /* RUNTIME_HELPER_H_ */
