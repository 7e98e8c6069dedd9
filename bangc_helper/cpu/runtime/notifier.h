/* SPDX-License-Identifier: MIT
 *
 * Notifiers: points of a queue that carry a time and can be waited for.
 */
#ifndef RUNTIME_NOTIFIER_H_
#define RUNTIME_NOTIFIER_H_

#include "common.h"
#include "device.h"

/* Ends a program's hold on all notifiers of a device. */
void rt_notifiers_reset(const struct rt_device *device);

#endif /* RUNTIME_NOTIFIER_H_ */
