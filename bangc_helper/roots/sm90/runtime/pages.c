/* SPDX-License-Identifier: MIT
 *
 * Every allocation is a CUDA allocation, so that CUDA's tools see the same bounds.
 */
#include <unistd.h>

#include "device.h"
#include "memory.h"
#include "offers.h"
#include "transfers.h"

/* Linux may kill a process that pins too much memory instead of failing the call. */
static bool host_has(size_t bytes) {
  return bytes / (size_t)sysconf(_SC_PAGESIZE) < (size_t)sysconf(_SC_PHYS_PAGES);
}

static cudaError_t take(enum rt_memory_kind kind, void **start, size_t bytes) {
  return kind == RT_MEMORY_HOST
             ? cudaHostAlloc(start, bytes, cudaHostAllocPortable | cudaHostAllocMapped)
             : cudaMalloc(start, bytes);
}

cnrtRet_t rt_pages_take(struct rt_device *device, enum rt_memory_kind kind,
                        struct rt_pages *pages) {
  void *start = NULL;
  const size_t bytes = pages->size != 0 ? pages->size : 1; /* at least 1, for a unique address */
  const cnrtRet_t entered = rt_device_enter(device);
  if (entered != cnrtSuccess) {
    return entered;
  }
  if (kind == RT_MEMORY_HOST && !host_has(bytes)) {
    return rt_no_memory(kind);
  }
  const cudaError_t error = take(kind, &start, bytes);
  pages->start = start;
  const cnrtRet_t code = rt_device_error(device, error);
  return code == cnrtErrorNoMem ? rt_no_memory(kind) : code;
}

void rt_pages_give_back(struct rt_device *device, enum rt_memory_kind kind,
                        const struct rt_pages *pages) {
  if (rt_device_enter(device) != cnrtSuccess) {
    return;
  }
  if (pages->heap_offset == 0 || offer_withdraw(device, pages)) {
    rt_cuda(kind == RT_MEMORY_HOST ? cudaFreeHost(pages->start) : cudaFree(pages->start));
  }
  offers_collect();
}

cnrtRet_t rt_pages_clear(void *start, size_t bytes) {
  return rt_fill(start, 0, 1, bytes);
}

bool rt_pages_host_reaches(void) {
  return false;
}
