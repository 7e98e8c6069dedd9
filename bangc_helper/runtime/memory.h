/* SPDX-License-Identifier: MIT
 *
 * Memory of devices and host memory for copies: who owns which address range.
 */
#ifndef RUNTIME_MEMORY_H_
#define RUNTIME_MEMORY_H_

#include "common.h"
#include "devices.h"

enum rt_memory_kind {
  RT_MEMORY_DEVICE,
  RT_MEMORY_CONSTANT, /* kernels only read it */
  RT_MEMORY_HOST,
  RT_MEMORY_PEER,   /* of a device of another process */
  RT_MEMORY_SYMBOL, /* a variable of kernels that is the host's as well */
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
/* As rt_memory_allocate on the current device, unless a capture forbids it. */
cnrtRet_t rt_memory_allocate_here(enum rt_memory_kind kind, size_t bytes, void **address);
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
/* Makes memory of another process known as memory that a device reaches, and forgets it when it was
 * detached as often. Detaching what is not attached is refused. */
cnrtRet_t rt_memory_attach(struct rt_device *device, char *start, size_t size);
bool rt_memory_detach(const void *start);
/* Makes a variable known, and unknown again. */
bool rt_memory_add_symbol(char *start, size_t size);
void rt_memory_remove_symbol(const void *start);
/* Says which pool counts an allocation, by its start. It is told when that is freed. */
void rt_memory_set_pool(const void *address, struct CNmemoryPool_st *pool);
/* By the pools: memory was freed. */
void rt_pool_returned(struct CNmemoryPool_st *pool, size_t bytes);
/* Frees everything of a device; its queues must be idle. */
void rt_memory_reset(const struct rt_device *device);

/* ---- What a root does for it ---- */

/* The pages of one allocation. */
struct rt_pages {
  char *start;
  size_t size; /* as the program asked */
  /* What belongs to them beyond that, where a root needs it. */
  char *mapping;
  size_t mapping_size;
  size_t heap_offset; /* in what other processes may map; 0: it is not there */
};

/* Calls change(pages, argument) for the allocation of a device that begins at an address, while
 * nobody can free it; *changed is its answer. False when there is no such allocation. */
bool rt_memory_change(const void *address, bool (*change)(struct rt_pages *pages, void *argument),
                      void *argument, bool *changed);

/* Takes memory of pages->size bytes from the device and sets the rest of *pages. Size 0 still gives
 * an address of its own. */
cnrtRet_t rt_pages_take(struct rt_device *device, enum rt_memory_kind kind, struct rt_pages *pages);
/* What it returns when there is not enough. */
static inline cnrtRet_t rt_no_memory(enum rt_memory_kind kind) {
  return kind == RT_MEMORY_HOST ? cnrtErrorSysNoMem : cnrtErrorNoMem;
}
/* Gives it back; nothing uses it any more. */
void rt_pages_give_back(struct rt_device *device, enum rt_memory_kind kind,
                        const struct rt_pages *pages);
/* Fills pages that were just taken with zeros, unless they are zero anyway. */
cnrtRet_t rt_pages_clear(void *start, size_t bytes);
/* Whether the host reads and writes the memory of devices as its own. */
bool rt_pages_host_reaches(void);
/* Calls function(argument) once everything submitted so far to any queue is done; maybe at once. */
void rt_queues_call_after_pending(void (*function)(void *argument), void *argument);

#endif /* RUNTIME_MEMORY_H_ */
