/* SPDX-License-Identifier: MIT
 *
 * Contexts of the driver interface: a device plus a configuration.
 */
#ifndef RUNTIME_DRIVER_CONTEXT_H_
#define RUNTIME_DRIVER_CONTEXT_H_

#include "root.h"

/* The one context of a device that CNRT uses. */
CNcontext rt_shared_context(const struct rt_device *device);
/* The device of a context, NULL when there is no such context. */
struct rt_device *rt_context_device(CNcontext context);

#endif /* RUNTIME_DRIVER_CONTEXT_H_ */
