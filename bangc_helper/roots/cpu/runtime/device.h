/* SPDX-License-Identifier: MIT
 *
 * Virtual devices: what belongs to each.
 */
#ifndef RUNTIME_DEVICE_H_
#define RUNTIME_DEVICE_H_

#include <pthread.h>

#include "root.h"
#include "settings.h"

enum {
  RT_NRAM_BYTES = 512 * 1024,
  RT_WRAM_BYTES = 512 * 1024,
  RT_SRAM_BYTES = 2 * 1024 * 1024,
};

struct rt_launch;

struct rt_device {
  int ordinal;

  /* Queues of the device, in a ring through `device_next`; guarded by queue_lock. */
  pthread_mutex_t queue_lock;
  struct CNqueue_st *queues;
  struct CNqueue_st *default_queue;

  /* Bytes in use, including freed ones that running kernels may still use. */
  uint64_t memory_used;

  /* Clusters that are free, and launches that wait for clusters; guarded by cluster_lock. */
  pthread_mutex_t cluster_lock;
  unsigned free_clusters;
  struct rt_launch *waiting_head;
  struct rt_launch *waiting_tail;

  _Atomic unsigned flags;
};

#endif /* RUNTIME_DEVICE_H_ */
