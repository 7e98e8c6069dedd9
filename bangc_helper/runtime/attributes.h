/* SPDX-License-Identifier: MIT
 *
 * Attributes of devices.
 */
#ifndef RUNTIME_ATTRIBUTES_H_
#define RUNTIME_ATTRIBUTES_H_

#include "root.h"

/* One attribute; false when there is none of this number. */
bool rt_attribute(int *value, int attribute, const struct rt_device *device);

/* An attribute every device has, such as the number of its clusters. */
static inline int rt_device_value(const struct rt_device *device, cnrtDeviceAttr_t attribute) {
  int value = 0;
  rt_attribute(&value, (int)attribute, device);
  return value;
}

#endif /* RUNTIME_ATTRIBUTES_H_ */
