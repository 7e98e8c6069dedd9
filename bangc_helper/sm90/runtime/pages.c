/* SPDX-License-Identifier: MIT
 *
 * Every allocation is one of CUDA's, so that its tools see the same limits as we do. Where a GPU is
 * several devices, device memory comes from a stream instead: CUDA's own way waits for all of them.
 */
#include <stdlib.h>
#include <unistd.h>

#include "device.h"
#include "memory.h"
#include "queue.h"
#include "service.h"
#include "transfer.h"

/* The system may kill a process that pins more than there is, instead of saying no. */
static bool host_has(size_t bytes) {
  return bytes / (size_t)sysconf(_SC_PAGESIZE) < (size_t)sysconf(_SC_PHYS_PAGES);
}

static cudaError_t take_in_stream(struct rt_device *device, void **start, size_t bytes) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *side = rt_queue_acquire_side(device, &error);
  if (side == NULL) {
    return cudaErrorMemoryAllocation;
  }
  cudaError_t result = cudaMallocAsync(start, bytes, side->stream);
  if (result == cudaSuccess) {
    result = cudaStreamSynchronize(side->stream);
  }
  rt_queue_release(side);
  return result;
}

/* After all work of this device, as CUDA does it for a GPU. */
static void free_in_stream(struct rt_device *device, void *start) {
  cnrtRet_t error = rt_device_wait_queues(device);
  struct CNqueue_st *side = rt_queue_acquire_side(device, &error);
  if (side != NULL) {
    rt_cuda(cudaFreeAsync(start, side->stream));
    rt_queue_release(side);
  }
}

static cudaError_t take(struct rt_device *device, enum rt_memory_kind kind, void **start,
                        size_t bytes) {
  if (kind == RT_MEMORY_HOST) {
    return cudaHostAlloc(start, bytes, cudaHostAllocPortable | cudaHostAllocMapped);
  }
  return device->is_shared ? take_in_stream(device, start, bytes) : cudaMalloc(start, bytes);
}

cnrtRet_t rt_pages_take(struct rt_device *device, enum rt_memory_kind kind,
                        struct rt_pages *pages) {
  void *start = NULL;
  const size_t bytes = pages->size != 0 ? pages->size : 1; /* an address of its own */
  const cnrtRet_t entered = rt_device_enter(device);
  if (entered != cnrtSuccess) {
    return entered;
  }
  if (kind == RT_MEMORY_HOST && !host_has(bytes)) {
    return rt_no_memory(kind);
  }
  const cudaError_t error = take(device, kind, &start, bytes);
  pages->start = start;
  const cnrtRet_t code = rt_device_error(device, error);
  return code == cnrtErrorNoMem ? rt_no_memory(kind) : code;
}

void rt_pages_give_back(struct rt_device *device, enum rt_memory_kind kind,
                        const struct rt_pages *pages) {
  if (rt_device_enter(device) != cnrtSuccess) {
    return;
  }
  if (kind == RT_MEMORY_HOST) {
    rt_cuda(cudaFreeHost(pages->start));
  } else if (device->is_shared) {
    free_in_stream(device, pages->start);
  } else {
    rt_cuda(cudaFree(pages->start));
  }
}

cnrtRet_t rt_pages_clear(void *start, size_t bytes) {
  return rt_fill(start, 0, 1, bytes);
}

/* ---- Freeing ---- */

struct late_call {
  struct rt_service_job job;
  void (*function)(void *argument);
  void *argument;
};

static void call_late(struct rt_service_job *job) {
  struct late_call *late = (struct late_call *)job; /* its first member */
  late->function(late->argument);
  free(late);
}

void rt_queues_call_after_pending(void (*function)(void *argument), void *argument) {
  /* CUDA itself waits for the device before it frees. A host function must not: the device waits
   * for it. */
  struct late_call *late = rt_host_function_queue() != NULL ? malloc(sizeof(*late)) : NULL;
  if (late == NULL) {
    function(argument);
    return;
  }
  late->job.run = call_late;
  late->function = function;
  late->argument = argument;
  rt_service_post(&late->job);
}
