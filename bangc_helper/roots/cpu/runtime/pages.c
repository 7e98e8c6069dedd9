/* SPDX-License-Identifier: MIT
 *
 * Every allocation is a mapping of its own with inaccessible pages around it, so that a kernel that
 * runs past the end faults instead of damaging a neighbour, and so that large sparse tensors cost
 * only what is touched.
 */
#include <sys/mman.h>

#include "device.h"
#include "device_access.h"
#include "memory.h"
#include "memory_watch.h"
#include "queue.h"
#include "shared_heap.h"

enum { HUGE_PAGE = 2 << 20 };

/* Larger blocks are often used sparsely, and huge pages would commit far more memory than needed.
 */
static const size_t huge_page_limit = (size_t)2 << 30;

/* Guards memory_used of all devices. */
static pthread_mutex_t budget_lock = PTHREAD_MUTEX_INITIALIZER;

/* Present in a process that runs with AddressSanitizer. */
extern void __asan_poison_memory_region(void const volatile *, size_t) __attribute__((weak));
extern void __asan_unpoison_memory_region(void const volatile *, size_t) __attribute__((weak));

static size_t round_up(size_t value, size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/* Maps the pages; false when the system refuses. `shared`: if possible so that other processes may
 * map them. */
static bool map(struct rt_pages *pages, bool shared) {
  const size_t page = rt_page_bytes();
  const size_t bytes = rt_whole_pages(pages->size);
  const bool huge = pages->size >= 2 * (size_t)HUGE_PAGE;
  const size_t alignment = huge ? HUGE_PAGE : page;
  pages->mapping_size = round_up(bytes, alignment) + 2 * alignment;
  void *mapping = mmap(NULL, pages->mapping_size, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    return false;
  }
  pages->mapping = mapping;
  pages->start = (char *)round_up((size_t)pages->mapping + page, alignment);
  if (bytes == 0) {
    return true; /* an address without accessible memory */
  }
  if (!(shared && rt_heap_map(pages, bytes, alignment)) &&
      mprotect(pages->start, bytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(pages->mapping, pages->mapping_size);
    return false;
  }
  if (huge) {
    /* A hint: without huge pages everything works, only slower. */
    madvise(pages->start, bytes, pages->size <= huge_page_limit ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }
  if (__asan_poison_memory_region != NULL) {
    __asan_poison_memory_region(pages->start + pages->size, bytes - pages->size);
  }
  return true;
}

/* Takes bytes from a device's budget. Memory that was freed but is still used by running kernels is
 * waited for first. */
static bool reserve_budget(struct rt_device *device, size_t bytes) {
  const uint64_t total = rt_settings()->memory_bytes;
  for (bool waited = false;; waited = true) {
    pthread_mutex_lock(&budget_lock);
    const bool fits = bytes <= total && device->memory_used <= total - bytes;
    const bool worth_waiting = device->memory_used > rt_memory_used(device);
    if (fits) {
      device->memory_used += bytes;
    }
    pthread_mutex_unlock(&budget_lock);
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
  pthread_mutex_lock(&budget_lock);
  device->memory_used -= bytes;
  pthread_mutex_unlock(&budget_lock);
}

cnrtRet_t rt_pages_take(struct rt_device *device, enum rt_memory_kind kind,
                        struct rt_pages *pages) {
  if (kind == RT_MEMORY_HOST) {
    const bool mapped = pages->size <= rt_settings()->memory_bytes && map(pages, false);
    return mapped ? cnrtSuccess : rt_no_memory(kind);
  }
  if (!reserve_budget(device, pages->size)) {
    return rt_no_memory(kind);
  }
  if (!map(pages, kind == RT_MEMORY_DEVICE && rt_heap_is_default())) {
    return_budget(device, pages->size);
    return rt_no_memory(kind);
  }
  rt_device_access_protect(pages->start, rt_whole_pages(pages->size));
  rt_memory_watch_taken(pages->start, pages->size);
  return cnrtSuccess;
}

void rt_pages_give_back(struct rt_device *device, enum rt_memory_kind kind,
                        const struct rt_pages *pages) {
  if (kind != RT_MEMORY_HOST) {
    rt_memory_watch_freed(pages->start, pages->size);
  }
  if (__asan_unpoison_memory_region != NULL) {
    __asan_unpoison_memory_region(pages->start, rt_whole_pages(pages->size));
  }
  munmap(pages->mapping, pages->mapping_size);
  if (pages->heap_offset != 0) {
    rt_heap_give_back(pages, rt_whole_pages(pages->size));
  }
  if (kind != RT_MEMORY_HOST) {
    return_budget(device, pages->size);
  }
}

cnrtRet_t rt_pages_clear(void *start, size_t bytes) {
  (void)start;
  (void)bytes;
  return cnrtSuccess; /* fresh pages are zero */
}

bool rt_pages_host_reaches(void) {
  return rt_settings()->host_access;
}
