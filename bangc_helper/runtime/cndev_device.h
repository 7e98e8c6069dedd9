/* SPDX-License-Identifier: MIT
 *
 * What the functions of cndev.h ask first.
 */
#ifndef RUNTIME_CNDEV_DEVICE_H_
#define RUNTIME_CNDEV_DEVICE_H_

#include "cndev.h"
#include "root.h"

/* Between cndevInit and cndevRelease. */
bool rt_cndev_started(void);

/* Finds a device, after checking that the library was started and the arguments are given. */
cndevRet_t rt_cndev_find(const void *answer, cndevDevice_t device, struct rt_device **found);

#endif /* RUNTIME_CNDEV_DEVICE_H_ */
