/* SPDX-License-Identifier: MIT
 *
 * The registry of allocations, so that a wrong address gets an error instead of a crash.
 */
#include "memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "cnrt_external.h"
#include "threads.h"

struct allocation {
  struct rt_pages pages;
  int device;
  enum rt_memory_kind kind;
  unsigned attached;            /* RT_MEMORY_PEER: number of attachments */
  struct CNmemoryPool_st *pool; /* the pool that counts it; NULL: none */
  void (*returned)(struct CNmemoryPool_st *pool, size_t bytes);
};

/* True if it uses memory of this process's devices. */
static bool is_held(const struct allocation *item) {
  return item->kind == RT_MEMORY_DEVICE || item->kind == RT_MEMORY_CONSTANT;
}

/* Allocations by ascending address. */
static struct {
  pthread_rwlock_t lock;
  struct allocation **items;
  size_t count;
  size_t capacity;
  uint64_t used[RT_MAX_DEVICES]; /* bytes of device memory a program holds */
} registry = {.lock = PTHREAD_RWLOCK_INITIALIZER};

/* Index of the first allocation that starts after the address. */
static size_t upper_bound(const char *address) {
  size_t low = 0;
  size_t high = registry.count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (registry.items[middle]->pages.start <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static struct allocation *find_locked(const char *address) {
  const size_t index = upper_bound(address);
  if (index == 0) {
    return NULL;
  }
  struct allocation *item = registry.items[index - 1];
  const size_t offset = (size_t)(address - item->pages.start);
  return offset < item->pages.size || offset == 0 ? item : NULL;
}

static bool insert_locked(struct allocation *item) {
  if (registry.count == registry.capacity) {
    const size_t capacity = registry.capacity == 0 ? 64 : registry.capacity * 2;
    struct allocation **items = realloc(registry.items, capacity * sizeof(*items));
    if (items == NULL) {
      return false;
    }
    registry.items = items;
    registry.capacity = capacity;
  }
  const size_t index = upper_bound(item->pages.start);
  memmove(registry.items + index + 1, registry.items + index,
          (registry.count - index) * sizeof(*registry.items));
  registry.items[index] = item;
  ++registry.count;
  if (is_held(item)) {
    registry.used[item->device] += item->pages.size;
  }
  return true;
}

static void remove_locked(const struct allocation *item) {
  const size_t index = upper_bound(item->pages.start) - 1;
  memmove(registry.items + index, registry.items + index + 1,
          (registry.count - index - 1) * sizeof(*registry.items));
  --registry.count;
  if (is_held(item)) {
    registry.used[item->device] -= item->pages.size;
  }
  if (item->pool != NULL) {
    item->returned(item->pool, item->pages.size);
  }
  if (registry.count == 0) { /* so that leak checkers find nothing at the end of a program */
    free(registry.items);
    registry.items = NULL;
    registry.capacity = 0;
  }
}

cnrtRet_t rt_memory_allocate(struct rt_device *device, enum rt_memory_kind kind, size_t bytes,
                             void **address) {
  cnrtRet_t error = rt_fork_refuse();
  if (error != cnrtSuccess) {
    return error;
  }
  struct allocation *item = calloc(1, sizeof(*item));
  if (item == NULL) {
    return rt_no_memory(kind);
  }
  item->pages.size = bytes;
  item->device = rt_device_ordinal(device);
  item->kind = kind;
  error = rt_pages_take(device, kind, &item->pages);
  if (error != cnrtSuccess) {
    free(item);
    return error;
  }
  pthread_rwlock_wrlock(&registry.lock);
  const bool stored = insert_locked(item);
  pthread_rwlock_unlock(&registry.lock);
  if (!stored) {
    rt_pages_give_back(device, kind, &item->pages);
    free(item);
    return rt_no_memory(kind);
  }
  *address = item->pages.start;
  return cnrtSuccess;
}

/* Last step of freeing: no queue uses the pages any more. */
static void release_allocation(void *argument) {
  struct allocation *item = argument;
  if (item->kind != RT_MEMORY_PEER) {
    rt_pages_give_back(rt_device(item->device), item->kind, &item->pages);
  }
  free(item);
}

cnrtRet_t rt_memory_free(void *address, bool host) {
  if (address == NULL) {
    return cnrtSuccess;
  }
  pthread_rwlock_wrlock(&registry.lock);
  struct allocation *item = find_locked(address);
  const bool right = item != NULL && item->pages.start == address &&
                     (host ? item->kind == RT_MEMORY_HOST : is_held(item));
  if (right) {
    remove_locked(item);
  }
  pthread_rwlock_unlock(&registry.lock);
  if (!right) {
    return cnrtErrorArgsInvalid;
  }
  rt_queues_call_after_pending(release_allocation, item);
  return cnrtSuccess;
}

bool rt_memory_change(const void *address, bool (*change)(struct rt_pages *pages, void *argument),
                      void *argument, bool *changed) {
  pthread_rwlock_wrlock(&registry.lock);
  struct allocation *item = find_locked(address);
  const bool found = item != NULL && item->pages.start == address && item->kind == RT_MEMORY_DEVICE;
  if (found) {
    *changed = change(&item->pages, argument);
  }
  pthread_rwlock_unlock(&registry.lock);
  return found;
}

cnrtRet_t rt_memory_attach(struct rt_device *device, char *start, size_t size) {
  pthread_rwlock_wrlock(&registry.lock);
  struct allocation *item = find_locked(start);
  if (item != NULL && item->pages.start == start) {
    item->pages.size = size; /* its owner may have replaced it by another allocation */
  } else {
    item = calloc(1, sizeof(*item));
    if (item != NULL) {
      item->pages.start = start;
      item->pages.size = size;
      item->device = rt_device_ordinal(device);
      item->kind = RT_MEMORY_PEER;
      if (!insert_locked(item)) {
        free(item);
        item = NULL;
      }
    }
  }
  if (item != NULL) {
    ++item->attached;
  }
  pthread_rwlock_unlock(&registry.lock);
  return item != NULL ? cnrtSuccess : rt_no_memory(RT_MEMORY_PEER);
}

bool rt_memory_detach(const void *start) {
  pthread_rwlock_wrlock(&registry.lock);
  struct allocation *item = start != NULL ? find_locked(start) : NULL;
  const bool right = item != NULL && item->pages.start == start && item->kind == RT_MEMORY_PEER;
  if (right && --item->attached == 0) {
    remove_locked(item);
    free(item);
  }
  pthread_rwlock_unlock(&registry.lock);
  return right;
}

bool rt_memory_add_symbol(char *start, size_t size) {
  struct allocation *item = calloc(1, sizeof(*item));
  if (item == NULL) {
    return false;
  }
  item->pages.start = start;
  item->pages.size = size;
  item->kind = RT_MEMORY_SYMBOL;
  pthread_rwlock_wrlock(&registry.lock);
  const bool stored = insert_locked(item);
  pthread_rwlock_unlock(&registry.lock);
  if (!stored) {
    free(item);
  }
  return stored;
}

void rt_memory_remove_symbol(const void *start) {
  pthread_rwlock_wrlock(&registry.lock);
  struct allocation *item = find_locked(start);
  if (item != NULL && item->pages.start == start && item->kind == RT_MEMORY_SYMBOL) {
    remove_locked(item);
    free(item);
  }
  pthread_rwlock_unlock(&registry.lock);
}

void rt_memory_set_pool(const void *address, struct CNmemoryPool_st *pool,
                        void (*returned)(struct CNmemoryPool_st *pool, size_t bytes)) {
  pthread_rwlock_wrlock(&registry.lock);
  struct allocation *item = find_locked(address);
  item->pool = pool;
  item->returned = returned;
  pthread_rwlock_unlock(&registry.lock);
}

bool rt_memory_find(const void *address, struct rt_memory_info *info) {
  pthread_rwlock_rdlock(&registry.lock);
  const struct allocation *item = find_locked(address);
  if (item != NULL) {
    info->kind = item->kind;
    info->device = item->device;
    info->start = item->pages.start;
    info->size = item->pages.size;
  }
  pthread_rwlock_unlock(&registry.lock);
  return item != NULL;
}

bool rt_memory_is_device(const void *address, size_t bytes) {
  struct rt_memory_info info;
  if (!rt_memory_find(address, &info) || info.kind == RT_MEMORY_HOST) {
    return false;
  }
  return bytes <= info.size - (size_t)((const char *)address - info.start);
}

bool rt_memory_touches_device(const void *address, size_t bytes) {
  const char *start = address;
  if (bytes == 0) {
    return false;
  }
  pthread_rwlock_rdlock(&registry.lock);
  /* Allocations do not overlap, so only the last one that starts inside or before the range can
   * contain it. */
  const size_t index = upper_bound(start + bytes - 1);
  bool touches = false;
  if (index > 0) {
    const struct allocation *item = registry.items[index - 1];
    touches = item->kind != RT_MEMORY_HOST && item->kind != RT_MEMORY_SYMBOL &&
              item->pages.start + item->pages.size > start;
  }
  pthread_rwlock_unlock(&registry.lock);
  return touches;
}

void rt_memory_reset(const struct rt_device *device) {
  for (;;) {
    struct allocation *item = NULL;
    pthread_rwlock_wrlock(&registry.lock);
    for (size_t i = 0; i < registry.count && item == NULL; ++i) {
      if (registry.items[i]->kind != RT_MEMORY_SYMBOL &&
          registry.items[i]->device == rt_device_ordinal(device)) {
        item = registry.items[i];
        remove_locked(item);
      }
    }
    pthread_rwlock_unlock(&registry.lock);
    if (item == NULL) {
      return;
    }
    release_allocation(item);
  }
}

uint64_t rt_memory_used(const struct rt_device *device) {
  pthread_rwlock_rdlock(&registry.lock);
  const uint64_t used = registry.used[rt_device_ordinal(device)];
  pthread_rwlock_unlock(&registry.lock);
  return used;
}

RT_EXPORT bool cnrtxIsDeviceMemory(const void *address, size_t bytes) {
  return rt_memory_is_device(address, bytes);
}

cnrtRet_t rt_memory_allocate_here(enum rt_memory_kind kind, size_t bytes, void **address) {
  const cnrtRet_t unsafe = rt_capture_refuse_unsafe();
  struct rt_device *device = rt_current_device();
  if (unsafe != cnrtSuccess || device == NULL) {
    return unsafe != cnrtSuccess ? unsafe : cnrtErrorNoDevice;
  }
  return rt_memory_allocate(device, kind, bytes, address);
}

static cnrtRet_t allocate(void **pointer, size_t bytes, enum rt_memory_kind kind) {
  if (pointer == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *pointer = NULL;
  return rt_fail(rt_memory_allocate_here(kind, bytes, pointer));
}

RT_EXPORT cnrtRet_t cnrtMalloc(void **pPtr, size_t bytes) {
  return allocate(pPtr, bytes, RT_MEMORY_DEVICE);
}

RT_EXPORT cnrtRet_t cnrtMallocConstant(void **pPtr, size_t bytes) {
  return allocate(pPtr, bytes, RT_MEMORY_CONSTANT);
}

RT_EXPORT cnrtRet_t cnrtHostMalloc(void **pPtr, size_t bytes) {
  return allocate(pPtr, bytes, RT_MEMORY_HOST);
}

RT_EXPORT cnrtRet_t cnrtFree(void *ptr) {
  return rt_fail(rt_memory_free(ptr, false));
}

RT_EXPORT cnrtRet_t cnrtFreeHost(void *ptr) {
  return rt_fail(rt_memory_free(ptr, true));
}

RT_EXPORT cnrtRet_t cnrtMemGetInfo(size_t *free, size_t *total) {
  if (free == NULL || total == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  struct rt_device *device = rt_current_device();
  return rt_fail(device != NULL ? rt_device_memory_info(device, free, total) : cnrtErrorNoDevice);
}

RT_EXPORT cnrtRet_t cnrtPointerGetAttributes(cnrtPointerAttributes_t *attr, const void *ptr) {
  if (attr == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  struct rt_memory_info info;
  memset(attr, 0, sizeof(*attr));
  if (!rt_memory_find(ptr, &info)) {
    attr->type = cnrtMemTypeUnregistered;
    attr->device = -1;
    attr->hostPointer = (void *)(uintptr_t)ptr;
    attr->cacheMode = cnrtUvaUnknown;
    return cnrtSuccess;
  }
  const bool host = info.kind == RT_MEMORY_HOST;
  attr->type = host ? cnrtMemTypeHost : cnrtMemTypeDevice;
  attr->device = info.device;
  attr->size = info.size;
  attr->devicePointer = (void *)(uintptr_t)ptr;
  attr->hostPointer = host ? (void *)(uintptr_t)ptr : NULL;
  attr->cacheMode = host ? cnrtUvaCached : cnrtUvaUnknown;
  attr->deviceBasePointer = host ? NULL : info.start;
  return cnrtSuccess;
}
