/* SPDX-License-Identifier: MIT
 *
 * Notifiers of several processes: a page of memory that all of them map and in which they record
 * placements. The page is in an unnamed file of the process that created the notifier. Placements
 * are numbered from 1, and a wait is for a number.
 */
#ifndef RUNTIME_SHARED_NOTIFIER_H_
#define RUNTIME_SHARED_NOTIFIER_H_

#include "common.h"

struct rt_shared_notifier;

/* True if this process can have shared notifiers. */
bool rt_shared_notifiers_exist(void);
/* A new one, NULL when there is no room; and the one of a handle, NULL when there is none. */
struct rt_shared_notifier *rt_shared_notifier_create(void);
struct rt_shared_notifier *rt_shared_notifier_open(const cnrtIpcNotifierHandle *handle);
struct rt_shared_notifier *rt_shared_notifier_retain(struct rt_shared_notifier *notifier);
void rt_shared_notifier_release(struct rt_shared_notifier *notifier);
void rt_shared_notifier_describe(const struct rt_shared_notifier *notifier,
                                 cnrtIpcNotifierHandle *handle);

/* The number of a new placement of this process; 0, which is always reached, when the process that
 * created the notifier has destroyed it. */
uint32_t rt_shared_notifier_place(struct rt_shared_notifier *notifier);
/* Wakes all processes that wait for it. */
void rt_shared_notifier_reach(struct rt_shared_notifier *notifier, uint32_t number);

/* The number of the latest placement of any process, 0 when there is none. */
uint32_t rt_shared_notifier_latest(const struct rt_shared_notifier *notifier);
/* cnrtSuccess if a placement was reached, cnrtErrorNotReady if not yet, cnrtErrorSys if its process
 * ended before. */
cnrtRet_t rt_shared_notifier_query(struct rt_shared_notifier *notifier, uint32_t number);
/* Sleeps until that is known; cnrtErrorNotReady when this process ends first. */
cnrtRet_t rt_shared_notifier_wait(struct rt_shared_notifier *notifier, uint32_t number);

#endif /* RUNTIME_SHARED_NOTIFIER_H_ */
