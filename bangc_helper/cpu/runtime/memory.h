/* SPDX-License-Identifier: MIT
 *
 * Memory of devices and host memory for copies: who owns which address range.
 */
#ifndef RUNTIME_MEMORY_H_
#define RUNTIME_MEMORY_H_

#include "common.h"
#include "device.h"

enum rt_memory_kind {
  RT_MEMORY_DEVICE,
  RT_MEMORY_CONSTANT, /* kernels only read it */
  RT_MEMORY_HOST,
};

/* What the registry says about an address. */
struct rt_memory_info {
  enum rt_memory_kind kind;
  int device;
  char *start;
  size_t size;
};

/* Memory of a device, or host memory that belongs to it. */
cnrtRet_t rt_memory_allocate(struct rt_device *device, enum rt_memory_kind kind, size_t bytes,
                             void **address);
/* Frees an allocation by its start once the work pending now is done. `host` tells which kind is
 * meant. */
cnrtRet_t rt_memory_free(void *address, bool host);
/* Finds the allocation an address lies in. */
bool rt_memory_find(const void *address, struct rt_memory_info *info);
/* Whether [address, address + bytes) lies in one allocation of a device. */
bool rt_memory_is_device(const void *address, size_t bytes);
/* Whether any byte of the range belongs to a device. */
bool rt_memory_touches_device(const void *address, size_t bytes);
/* Bytes a program holds of a device. */
uint64_t rt_memory_used(const struct rt_device *device);
/* Frees everything of a device; its queues must be idle. */
void rt_memory_reset(const struct rt_device *device);

#endif /* RUNTIME_MEMORY_H_ */
