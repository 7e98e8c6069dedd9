/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdio.h>
#include <string.h>

enum { PCI_BUS_BASE = 0x10 };

static struct rt_device devices[RT_MAX_DEVICES];
static __thread int chosen_device = -1;

static void create_devices(void) {
  const struct rt_settings *settings = rt_settings();
  for (unsigned i = 0; i < settings->devices; ++i) {
    devices[i].ordinal = (int)i;
    pthread_mutex_init(&devices[i].queue_lock, NULL);
    pthread_mutex_init(&devices[i].cluster_lock, NULL);
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

void rt_set_current_device(int ordinal) {
  chosen_device = ordinal;
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
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned slot = 0;
  unsigned function = 0;
  int used = 0;
  if (sscanf(text, "%x:%x:%x.%x%n", &domain, &bus, &slot, &function, &used) != 4 ||
      text[used] != '\0' || domain != 0 || slot != 0 || function != 0 || bus < PCI_BUS_BASE) {
    return NULL;
  }
  return rt_device((int)(bus - PCI_BUS_BASE));
}

RT_EXPORT cnrtRet_t cnrtGetDeviceCount(unsigned int *pCount) {
  if (pCount == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *pCount = rt_settings()->devices;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtGetDevice(int *pOrdinal) {
  if (pOrdinal == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *pOrdinal = rt_current_device()->ordinal;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtSetDevice(int ordinal) {
  if (rt_device(ordinal) == NULL) {
    return rt_fail(cnrtErrorDeviceInvalid);
  }
  rt_set_current_device(ordinal);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtDeviceGetPCIBusId(char *pciBusId, int len, int device) {
  const struct rt_device *found = rt_device(device);
  if (found == NULL) {
    return rt_fail(cnrtErrorDeviceInvalid);
  }
  return rt_device_pci(pciBusId, len, found) ? cnrtSuccess : rt_fail(cnrtErrorArgsInvalid);
}

RT_EXPORT cnrtRet_t cnrtDeviceGetByPCIBusId(int *device, const char *pciBusId) {
  if (device == NULL || pciBusId == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const struct rt_device *found = rt_device_by_pci(pciBusId);
  if (found == NULL) {
    return rt_fail(cnrtErrorDeviceInvalid);
  }
  *device = found->ordinal;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtGetPeerAccessibility(unsigned int *canAccess, int ordinal,
                                             int peerOrdinal) {
  if (canAccess == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  if (rt_device(ordinal) == NULL || rt_device(peerOrdinal) == NULL) {
    return rt_fail(cnrtErrorDeviceInvalid);
  }
  *canAccess = ordinal != peerOrdinal;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtDeviceGetQueuePriorityRange(int *pMinPriority, int *pMaxPriority) {
  if (pMinPriority == NULL || pMaxPriority == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *pMinPriority = 7;
  *pMaxPriority = 0;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtSetDeviceFlag(unsigned int flags) {
  if (flags >= cnrtDeviceFlagsMaxNum) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  atomic_store(&rt_current_device()->flags, flags);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtGetDeviceFlag(unsigned int *pFlags) {
  if (pFlags == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *pFlags = atomic_load(&rt_current_device()->flags);
  return cnrtSuccess;
}
