/* SPDX-License-Identifier: MIT
 *
 * Device memory that the host cannot touch, as on hardware: the setting MLUOP_CPU_HOST_ACCESS=0
 * puts a memory protection key on it, which only tasks and the runtime's copies open.
 */
#ifndef RUNTIME_DEVICE_ACCESS_H_
#define RUNTIME_DEVICE_ACCESS_H_

#include <stddef.h>

/* Protects fresh pages of a device, if the setting asks for it and the CPU can. */
void rt_device_access_protect(void *start, size_t bytes);

/* Gives the calling thread access to device memory; returns the value for `close`. */
int rt_device_access_open(void);
void rt_device_access_close(int previous);

#endif /* RUNTIME_DEVICE_ACCESS_H_ */
