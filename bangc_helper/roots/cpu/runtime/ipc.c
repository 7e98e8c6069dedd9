/* SPDX-License-Identifier: MIT
 *
 * Device memory of other processes. A handle holds the place of an allocation: process, file and
 * offset in its heap (shared_heap.h). The heap of a process is mapped as a whole when its first
 * handle is opened and stays mapped, so later handles only need a look-up. Memory that the owner
 * frees is still returned to the system.
 */
#include <unistd.h>

#include "cnrt_external.h"
#include "device_access.h"
#include "ipc_handle.h"
#include "memory.h"
#include "peer_file.h"
#include "queue.h"
#include "settings.h"
#include "shared_heap.h"

/* ---- Handing out ---- */

/* The memory of programs of a job is in the heap, if there is room. For other programs it moves
 * there on request, when no work is in flight. */
static bool offer(struct rt_pages *pages, void *argument) {
  const bool is_there = pages->heap_offset != 0 ||
                        (!rt_heap_is_default() && rt_heap_move(pages, rt_whole_pages(pages->size)));
  if (is_there) {
    const struct rt_ipc_place place = {(int)getpid(), rt_heap_file(),
                                       pages->heap_offset / RT_HEAP_UNIT, rt_heap_serial(pages)};
    *(cnrtIpcMemHandle *)argument = rt_ipc_encode(&place);
  }
  return is_there;
}

RT_EXPORT bool cnrtxSharesMemory(void) {
  return rt_heap_is_default() && rt_heap_file() >= 0;
}

RT_EXPORT cnrtRet_t cnrtAcquireMemHandle(cnrtIpcMemHandle *handle, void *ptr) {
  struct rt_memory_info info;
  if (handle == NULL || !rt_memory_find(ptr, &info) || info.kind != RT_MEMORY_DEVICE ||
      info.start != ptr || info.size == 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  if (rt_heap_file() < 0) {
    return rt_fail(cnrtErrorNotSupport);
  }
  if (!rt_heap_is_default()) {
    rt_queues_wait_all();
  }
  bool is_offered = false;
  const bool found = rt_memory_change(ptr, offer, handle, &is_offered);
  return rt_fail(!found ? cnrtErrorArgsInvalid : is_offered ? cnrtSuccess : cnrtErrorNotSupport);
}

/* ---- Heaps of other processes ---- */

/* Size of the allocation of a handle, 0 when there is none. */
static size_t find_allocation(const struct rt_ipc_place *place, char **start) {
  const size_t page = rt_page_bytes();
  const size_t offset = place->unit * RT_HEAP_UNIT;
  struct rt_peer_file heap;
  if (!rt_peer_file(place->process, place->file, &heap) || offset < page || offset >= heap.size) {
    return 0;
  }
  const struct rt_heap_header *header = (const struct rt_heap_header *)(heap.start + offset - page);
  if (header->magic != RT_HEAP_MAGIC || header->size > heap.size - offset ||
      !rt_ipc_is_current(place, header->serial)) {
    return 0;
  }
  *start = heap.start + offset;
  return (size_t)header->size;
}

RT_EXPORT cnrtRet_t cnrtMapMemHandle(void **pPtr, cnrtIpcMemHandle handle, int flag) {
  struct rt_device *device = rt_current_device();
  char *start = NULL;
  if (pPtr == NULL || handle == NULL || flag != 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  if (device == NULL) {
    return rt_fail(cnrtErrorNoDevice);
  }
  if (rt_settings()->shared_memory == RT_SHARED_MEMORY_OFF) {
    return rt_fail(cnrtErrorNotSupport);
  }
  const struct rt_ipc_place place = rt_ipc_decode(handle);
  const size_t size = find_allocation(&place, &start);
  if (size == 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  rt_device_access_protect(start, rt_whole_pages(size));
  const cnrtRet_t error = rt_memory_attach(device, start, size);
  if (error == cnrtSuccess) {
    *pPtr = start;
  }
  return rt_fail(error);
}

RT_EXPORT cnrtRet_t cnrtUnMapMemHandle(void *ptr) {
  return rt_fail(rt_memory_detach(ptr) ? cnrtSuccess : cnrtErrorArgsInvalid);
}
