/* SPDX-License-Identifier: MIT
 *
 * Device functions, prepared for a device at their first launch.
 */
#ifndef SM90_FUNCTION_H_
#define SM90_FUNCTION_H_

#include "bang_sm90.h"
#include "device.h"

/* Allows the function the on-chip memory it needs; CN_INVOKE_ERROR_OUT_OF_RESOURCES if the device
 * has less. The device must be current. */
cnrtRet_t rt_function_prepare(const bangSm90Kernel *kernel, const struct rt_device *device);

/* How many hardware clusters of `blocks` blocks the device holds at a time; 0 if none fits. */
unsigned rt_function_resident_clusters(const bangSm90Kernel *kernel, const struct rt_device *device,
                                       unsigned blocks);

/* Drops what was set on a device, before its reset. */
void rt_functions_forget(const struct rt_device *device);

#endif /* SM90_FUNCTION_H_ */
