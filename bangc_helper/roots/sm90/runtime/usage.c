/* SPDX-License-Identifier: MIT
 *
 * The CUDA runtime does not report how busy a GPU is; the NUMA node comes from sysfs.
 */
#include <ctype.h>
#include <stdio.h>

#include "device.h"

bool rt_device_usage(struct rt_device *device, int *percent) {
  (void)device;
  (void)percent;
  return false;
}

bool rt_process_usage(struct rt_device *device, int *percent) {
  (void)device;
  (void)percent;
  return false;
}

void rt_usage_start(void) {}

bool rt_device_numa_node(const struct rt_device *device, int *node) {
  char address[32];
  char path[96];
  if (!rt_device_pci(address, sizeof(address), device)) {
    return false;
  }
  for (char *letter = address; *letter != '\0'; ++letter) {
    *letter = (char)tolower((unsigned char)*letter); /* file names are in lower case */
  }
  snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/numa_node", address);
  FILE *file = fopen(path, "re");
  if (file == NULL) {
    return false;
  }
  const bool known = fscanf(file, "%d", node) == 1;
  fclose(file);
  return known;
}
