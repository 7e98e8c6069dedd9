/* SPDX-License-Identifier: MIT
 *
 * Virtual devices: which exist, which one a host thread uses, and what belongs to each.
 */
#ifndef RUNTIME_DEVICE_H_
#define RUNTIME_DEVICE_H_

#include <pthread.h>

#include "common.h"
#include "settings.h"

enum {
  RT_NRAM_BYTES = 512 * 1024,
  RT_WRAM_BYTES = 512 * 1024,
  RT_SRAM_BYTES = 2 * 1024 * 1024,
  RT_MAX_DIM = 65535,
  RT_ISA_VERSION = 592,
};

struct rt_launch;

struct rt_device {
  int ordinal;

  /* Queues of the device, in a ring through `device_next`; guarded by queue_lock. */
  pthread_mutex_t queue_lock;
  struct CNqueue_st *queues;
  struct CNqueue_st *default_queue;

  /* Bytes in use; guarded by the memory registry. */
  uint64_t memory_used;

  /* Clusters not running a union group, and launches waiting for some; guarded by cluster_lock. */
  pthread_mutex_t cluster_lock;
  unsigned free_clusters;
  struct rt_launch *waiting_head;
  struct rt_launch *waiting_tail;

  _Atomic unsigned flags;
};

/* Device by number, NULL when there is none. */
struct rt_device *rt_device(int ordinal);
/* Device of the calling host thread. */
struct rt_device *rt_current_device(void);
/* Chooses the device of the calling host thread; the number must be valid. */
void rt_set_current_device(int ordinal);

/* One attribute; false when there is none of this number. */
bool rt_attribute(int *value, int attribute, const struct rt_device *device);
/* The name every device reports. */
const char *rt_device_name(void);
/* "domain:bus:device.function" of a device; false when it does not fit. */
bool rt_device_pci(char *text, int length, const struct rt_device *device);
/* The device with this PCI address, or NULL. */
struct rt_device *rt_device_by_pci(const char *text);

#endif /* RUNTIME_DEVICE_H_ */
