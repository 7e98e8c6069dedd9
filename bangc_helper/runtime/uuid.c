/* SPDX-License-Identifier: MIT
 *
 * Unique identifiers of devices as text.
 */
#include "uuid.h"

#include <stdio.h>
#include <strings.h>

#include "root.h"

void rt_device_uuid_text(const struct rt_device *device, char text[RT_UUID_TEXT_SIZE]) {
  cnrtUUID_t uuid = {{0}};
  rt_device_uuid(device, &uuid);
  int written = 0;
  for (unsigned i = 0; i < sizeof(uuid.uuid); ++i) {
    const bool begins_group = i == 4 || i == 6 || i == 8 || i == 10;
    written += snprintf(text + written, RT_UUID_TEXT_SIZE - (size_t)written, "%s%02x",
                        begins_group ? "-" : "", (unsigned char)uuid.uuid[i]);
  }
}

struct rt_device *rt_device_by_uuid(const char *text) {
  for (unsigned i = 0; i < rt_device_count(); ++i) {
    char own[RT_UUID_TEXT_SIZE];
    rt_device_uuid_text(rt_device((int)i), own);
    if (strcasecmp(text, own) == 0) {
      return rt_device((int)i);
    }
  }
  return NULL;
}
