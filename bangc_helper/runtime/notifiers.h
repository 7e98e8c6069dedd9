/* SPDX-License-Identifier: MIT
 *
 * Notifiers, of which a root knows the latest placement.
 */
#ifndef RUNTIME_NOTIFIERS_H_
#define RUNTIME_NOTIFIERS_H_

#include "root.h"

/* Retains the notifier of a handle; NULL for an invalid handle. */
struct CNnotifier_st *rt_notifier_acquire(cnrtNotifier_t handle);
void rt_notifier_release(struct CNnotifier_st *notifier);

/* Number of the latest placement if another process made it, else 0. */
uint32_t rt_notifier_foreign_number(struct CNnotifier_st *notifier);

/* Destroys all notifiers of a device. */
void rt_notifiers_reset(const struct rt_device *device);

#endif /* RUNTIME_NOTIFIERS_H_ */
