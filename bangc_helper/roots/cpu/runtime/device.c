/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdio.h>

#include "memory.h"
#include "pci.h"

enum { PCI_BUS_BASE = 0x10 };

static struct rt_device devices[RT_MAX_DEVICES];
static __thread int chosen_device = -1;

static void create_devices(void) {
  const struct rt_settings *settings = rt_settings();
  for (unsigned i = 0; i < settings->devices; ++i) {
    devices[i].ordinal = (int)i;
    pthread_mutex_init(&devices[i].queue_lock, NULL);
    rt_brief_mutex_init(&devices[i].cluster_lock);
    devices[i].free_clusters = settings->clusters;
    atomic_init(&devices[i].flags, cnrtDeviceScheduleAuto);
  }
}

struct rt_device *rt_device(int ordinal) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, create_devices);
  if (ordinal < 0 || (unsigned)ordinal >= rt_settings()->devices) {
    return NULL;
  }
  return &devices[ordinal];
}

struct rt_device *rt_current_device(void) {
  if (chosen_device < 0) {
    chosen_device = (int)rt_settings()->default_device;
  }
  return rt_device(chosen_device);
}

cnrtRet_t rt_set_current_device(int ordinal) {
  chosen_device = ordinal;
  return cnrtSuccess;
}

unsigned rt_device_count(void) {
  return rt_settings()->devices;
}

int rt_device_ordinal(const struct rt_device *device) {
  return device->ordinal;
}

uint64_t rt_device_memory(const struct rt_device *device) {
  (void)device;
  return rt_settings()->memory_bytes;
}

cnrtRet_t rt_device_memory_info(struct rt_device *device, size_t *free_bytes, size_t *total) {
  *total = rt_settings()->memory_bytes;
  *free_bytes = *total - rt_memory_used(device);
  return cnrtSuccess;
}

bool rt_device_reaches(const struct rt_device *device, const struct rt_device *peer) {
  return device != peer;
}

void rt_device_set_flags(struct rt_device *device, unsigned flags) {
  atomic_store(&device->flags, flags);
}

unsigned rt_device_flags(const struct rt_device *device) {
  return atomic_load(&device->flags);
}

bool rt_device_pci(char *text, int length, const struct rt_device *device) {
  if (text == NULL || length <= 0) {
    return false;
  }
  const int needed =
      snprintf(text, (size_t)length, "0000:%02x:00.0", PCI_BUS_BASE + device->ordinal);
  return needed < length;
}

struct rt_device *rt_device_by_pci(const char *text) {
  struct rt_pci_address address;
  if (!rt_pci_parse(text, &address) || address.domain != 0 || address.device != 0 ||
      address.function != 0 || address.bus < PCI_BUS_BASE) {
    return NULL;
  }
  return rt_device((int)(address.bus - PCI_BUS_BASE));
}
