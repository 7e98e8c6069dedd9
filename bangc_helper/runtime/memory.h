/* SPDX-License-Identifier: MIT
 *
 * Memory of devices and host memory for copies: who owns which address range.
 */
#ifndef RUNTIME_MEMORY_H_
#define RUNTIME_MEMORY_H_

#include "root.h"

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
/* As rt_memory_allocate on the current device, unless a capture forbids it. */
cnrtRet_t rt_memory_allocate_here(enum rt_memory_kind kind, size_t bytes, void **address);
/* Frees an allocation, given by its start, when the work pending now is done. `host`: host memory,
 * else device memory. */
cnrtRet_t rt_memory_free(void *address, bool host);
/* Finds the allocation an address lies in. */
bool rt_memory_find(const void *address, struct rt_memory_info *info);
/* Whether [address, address + bytes) lies in one allocation of a device. */
bool rt_memory_is_device(const void *address, size_t bytes);
/* Whether any byte of the range belongs to a device. */
bool rt_memory_touches_device(const void *address, size_t bytes);
/* Bytes a program holds of a device. */
uint64_t rt_memory_used(const struct rt_device *device);
/* Registers memory of another process that a device can reach, and removes it when it was detached
 * as often as attached. Detaching unattached memory is an error. */
cnrtRet_t rt_memory_attach(struct rt_device *device, char *start, size_t size);
bool rt_memory_detach(const void *start);
/* Registers a variable, and removes it. */
bool rt_memory_add_symbol(char *start, size_t size);
void rt_memory_remove_symbol(const void *start);
/* Sets the pool that counts an allocation, given by its start. returned(pool, bytes) is called
 * under the lock of the registry when the allocation is freed. */
void rt_memory_set_pool(const void *address, struct CNmemoryPool_st *pool,
                        void (*returned)(struct CNmemoryPool_st *pool, size_t bytes));
/* Frees everything of a device; its queues must be idle. */
void rt_memory_reset(const struct rt_device *device);

/* Calls change(pages, argument) for a device's allocation, given by its start, while nothing can
 * free it; *changed is the result. False when there is no such allocation. */
bool rt_memory_change(const void *address, bool (*change)(struct rt_pages *pages, void *argument),
                      void *argument, bool *changed);

/* The error for an allocation when there is not enough memory. */
static inline cnrtRet_t rt_no_memory(enum rt_memory_kind kind) {
  return kind == RT_MEMORY_HOST ? cnrtErrorSysNoMem : cnrtErrorNoMem;
}
#endif /* RUNTIME_MEMORY_H_ */
