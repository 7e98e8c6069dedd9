/* SPDX-License-Identifier: MIT
 *
 * Unique identifiers of devices as text.
 */
#ifndef RUNTIME_UUID_H_
#define RUNTIME_UUID_H_

#include "root.h"

enum { RT_UUID_TEXT_SIZE = 37 };

/* An identifier as groups of hexadecimal digits; and the device with an identifier, or NULL. */
void rt_device_uuid_text(const struct rt_device *device, char text[RT_UUID_TEXT_SIZE]);
struct rt_device *rt_device_by_uuid(const char *text);

#endif /* RUNTIME_UUID_H_ */
