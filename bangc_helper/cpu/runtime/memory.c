/* SPDX-License-Identifier: MIT
 *
 * Every allocation is a mapping of its own with inaccessible pages around it, so that a kernel that
 * runs past the end faults instead of damaging a neighbour, and so that large sparse tensors cost
 * only what is touched.
 */
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "queue.h"

enum {
  PAGE = 4096,
  HUGE_PAGE = 2 << 20,
};

/* Above this, blocks are often touched sparsely, and huge pages would commit far more than needed.
 */
static const size_t huge_page_limit = (size_t)2 << 30;

struct allocation {
  char *start;
  size_t size;
  char *mapping;
  size_t mapping_size;
  int device;
  enum rt_memory_kind kind;
};

/* Allocations by ascending address. */
static struct {
  pthread_rwlock_t lock;
  struct allocation **items;
  size_t count;
  size_t capacity;
  /* Freed, but kept until the work that may use it is done; part of memory_used. */
  uint64_t releasing[RT_MAX_DEVICES];
} registry = {.lock = PTHREAD_RWLOCK_INITIALIZER};

/* Present in a process that runs with AddressSanitizer. */
extern void __asan_poison_memory_region(void const volatile *, size_t) __attribute__((weak));
extern void __asan_unpoison_memory_region(void const volatile *, size_t) __attribute__((weak));

static size_t round_up(size_t value, size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/* Index of the first allocation that starts after the address. */
static size_t upper_bound(const char *address) {
  size_t low = 0;
  size_t high = registry.count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (registry.items[middle]->start <= address) {
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
  const size_t offset = (size_t)(address - item->start);
  return offset < item->size || offset == 0 ? item : NULL;
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
  const size_t index = upper_bound(item->start);
  memmove(registry.items + index + 1, registry.items + index,
          (registry.count - index) * sizeof(*registry.items));
  registry.items[index] = item;
  ++registry.count;
  return true;
}

static void remove_locked(const struct allocation *item) {
  const size_t index = upper_bound(item->start) - 1;
  memmove(registry.items + index, registry.items + index + 1,
          (registry.count - index - 1) * sizeof(*registry.items));
  --registry.count;
  if (registry.count == 0) { /* nothing is left behind at the end of a program */
    free(registry.items);
    registry.items = NULL;
    registry.capacity = 0;
  }
}

/* Maps the pages of an allocation; false when the system refuses. */
static bool map_pages(struct allocation *item) {
  const size_t pages = round_up(item->size, PAGE);
  const bool huge = item->size >= 2 * (size_t)HUGE_PAGE;
  const size_t alignment = huge ? HUGE_PAGE : PAGE;
  item->mapping_size = round_up(pages, alignment) + 2 * alignment;
  void *mapping =
      mmap(NULL, item->mapping_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    return false;
  }
  item->mapping = mapping;
  item->start = (char *)round_up((size_t)item->mapping + PAGE, alignment);
  if (pages == 0) {
    return true; /* an address of its own, nothing to access */
  }
  if (mprotect(item->start, pages, PROT_READ | PROT_WRITE) != 0) {
    munmap(item->mapping, item->mapping_size);
    return false;
  }
  if (huge) {
    /* A hint: without huge pages everything works, only slower. */
    madvise(item->start, pages, item->size <= huge_page_limit ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }
  if (__asan_poison_memory_region != NULL) {
    __asan_poison_memory_region(item->start + item->size, pages - item->size);
  }
  return true;
}

static void unmap_pages(const struct allocation *item) {
  if (__asan_unpoison_memory_region != NULL) {
    __asan_unpoison_memory_region(item->start, round_up(item->size, PAGE));
  }
  munmap(item->mapping, item->mapping_size);
}

/* Takes bytes from a device's budget. A device whose freed memory is still in use by running
 * kernels gets it back first. */
static bool reserve_budget(struct rt_device *device, size_t bytes) {
  const uint64_t total = rt_settings()->memory_bytes;
  for (bool waited = false;; waited = true) {
    pthread_rwlock_wrlock(&registry.lock);
    const bool fits = bytes <= total && device->memory_used <= total - bytes;
    const bool worth_waiting = registry.releasing[device->ordinal] != 0;
    if (fits) {
      device->memory_used += bytes;
    }
    pthread_rwlock_unlock(&registry.lock);
    if (fits) {
      return true;
    }
    if (waited || !worth_waiting || bytes > total) {
      return false;
    }
    rt_queues_wait_all();
  }
}

static void return_budget(struct rt_device *device, size_t bytes) {
  pthread_rwlock_wrlock(&registry.lock);
  device->memory_used -= bytes;
  pthread_rwlock_unlock(&registry.lock);
}

cnrtRet_t rt_memory_allocate(struct rt_device *device, enum rt_memory_kind kind, size_t bytes,
                             void **address) {
  const bool host = kind == RT_MEMORY_HOST;
  const cnrtRet_t no_memory = host ? cnrtErrorSysNoMem : cnrtErrorNoMem;
  if (host && bytes > rt_settings()->memory_bytes) {
    return no_memory;
  }
  if (!host && !reserve_budget(device, bytes)) {
    return no_memory;
  }
  struct allocation *item = calloc(1, sizeof(*item));
  bool mapped = false;
  bool stored = false;
  if (item != NULL) {
    item->size = bytes;
    item->device = device->ordinal;
    item->kind = kind;
    mapped = map_pages(item);
  }
  if (mapped) {
    pthread_rwlock_wrlock(&registry.lock);
    stored = insert_locked(item);
    pthread_rwlock_unlock(&registry.lock);
  }
  if (!stored) {
    if (mapped) {
      unmap_pages(item);
    }
    free(item);
    if (!host) {
      return_budget(device, bytes);
    }
    return no_memory;
  }
  *address = item->start;
  return cnrtSuccess;
}

/* Last step of freeing: no queue can be using the pages any more. */
static void release_allocation(void *argument) {
  struct allocation *item = argument;
  unmap_pages(item);
  if (item->kind != RT_MEMORY_HOST) {
    pthread_rwlock_wrlock(&registry.lock);
    registry.releasing[item->device] -= item->size;
    rt_device(item->device)->memory_used -= item->size;
    pthread_rwlock_unlock(&registry.lock);
  }
  free(item);
}

static void begin_release_locked(struct allocation *item) {
  remove_locked(item);
  if (item->kind != RT_MEMORY_HOST) {
    registry.releasing[item->device] += item->size;
  }
}

cnrtRet_t rt_memory_free(void *address, bool host) {
  if (address == NULL) {
    return cnrtSuccess;
  }
  pthread_rwlock_wrlock(&registry.lock);
  struct allocation *item = find_locked(address);
  const bool right =
      item != NULL && item->start == address && (item->kind == RT_MEMORY_HOST) == host;
  if (right) {
    begin_release_locked(item);
  }
  pthread_rwlock_unlock(&registry.lock);
  if (!right) {
    return cnrtErrorArgsInvalid;
  }
  rt_queues_call_after_pending(release_allocation, item);
  return cnrtSuccess;
}

bool rt_memory_find(const void *address, struct rt_memory_info *info) {
  pthread_rwlock_rdlock(&registry.lock);
  const struct allocation *item = find_locked(address);
  if (item != NULL) {
    info->kind = item->kind;
    info->device = item->device;
    info->start = item->start;
    info->size = item->size;
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
  /* The last allocation that starts inside or before the range is the only candidate: allocations
   * do not overlap, and those before it end before it starts. */
  const size_t index = upper_bound(start + bytes - 1);
  bool touches = false;
  if (index > 0) {
    const struct allocation *item = registry.items[index - 1];
    touches = item->kind != RT_MEMORY_HOST && item->start + item->size > start;
  }
  pthread_rwlock_unlock(&registry.lock);
  return touches;
}

void rt_memory_reset(const struct rt_device *device) {
  for (;;) {
    struct allocation *item = NULL;
    pthread_rwlock_wrlock(&registry.lock);
    for (size_t i = 0; i < registry.count && item == NULL; ++i) {
      if (registry.items[i]->device == device->ordinal) {
        item = registry.items[i];
        begin_release_locked(item);
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
  const uint64_t used = device->memory_used - registry.releasing[device->ordinal];
  pthread_rwlock_unlock(&registry.lock);
  return used;
}

static cnrtRet_t allocate(void **pointer, size_t bytes, enum rt_memory_kind kind) {
  if (pointer == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *pointer = NULL;
  return rt_fail(rt_memory_allocate(rt_current_device(), kind, bytes, pointer));
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
  *total = rt_settings()->memory_bytes;
  *free = *total - rt_memory_used(rt_current_device());
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtPointerGetAttributes(cnrtPointerAttributes_t *attr, void *ptr) {
  if (attr == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  struct rt_memory_info info;
  memset(attr, 0, sizeof(*attr));
  if (!rt_memory_find(ptr, &info)) {
    attr->type = cnrtMemTypeUnregistered;
    attr->device = -1;
    attr->hostPointer = ptr;
    attr->cacheMode = cnrtUvaUnknown;
    return cnrtSuccess;
  }
  const bool host = info.kind == RT_MEMORY_HOST;
  attr->type = host ? cnrtMemTypeHost : cnrtMemTypeDevice;
  attr->device = info.device;
  attr->size = info.size;
  attr->devicePointer = ptr;
  attr->hostPointer = host ? ptr : NULL;
  attr->cacheMode = host ? cnrtUvaCached : cnrtUvaUnknown;
  attr->deviceBasePointer = host ? NULL : info.start;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtAcquireMemHandle(cnrtIpcMemHandle *handle, void *ptr) {
  (void)handle;
  (void)ptr;
  return rt_fail(cnrtErrorNotSupport);
}

RT_EXPORT cnrtRet_t cnrtMapMemHandle(void **pPtr, cnrtIpcMemHandle handle, int flag) {
  (void)pPtr;
  (void)handle;
  (void)flag;
  return rt_fail(cnrtErrorNotSupport);
}

RT_EXPORT cnrtRet_t cnrtUnMapMemHandle(void *ptr) {
  (void)ptr;
  return rt_fail(cnrtErrorNotSupport);
}
