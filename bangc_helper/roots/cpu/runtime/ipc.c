/* SPDX-License-Identifier: MIT
 *
 * Device memory of other processes. A handle says where an allocation lies: process, file and
 * offset of its heap (shared_heap.h). The heap of a process is mapped as a whole when its first
 * handle is opened and stays: opening further handles is a matter of looking, and what its owner
 * frees goes back to the system all the same.
 */
#include <unistd.h>

#include "cnrt_external.h"
#include "device_access.h"
#include "peer_file.h"
#include "queue.h"
#include "settings.h"
#include "shared_heap.h"
#include "memory.h"

/* Bits of a handle, from the highest down. */
enum { PROCESS_BITS = 22, FILE_BITS = 10, OFFSET_BITS = 24, SERIAL_BITS = 8 };

struct address {
  int process;
  int file;
  size_t offset;
  uint64_t serial; /* its lowest bits */
};

static cnrtIpcMemHandle encode(const struct address *address) {
  uint64_t bits = (uint64_t)address->process;
  bits = bits << FILE_BITS | (uint64_t)address->file;
  bits = bits << OFFSET_BITS | address->offset / RT_HEAP_UNIT;
  bits = bits << SERIAL_BITS | (address->serial & ((1u << SERIAL_BITS) - 1));
  return (cnrtIpcMemHandle)(uintptr_t)bits;
}

static struct address decode(cnrtIpcMemHandle handle) {
  uint64_t bits = (uint64_t)(uintptr_t)handle;
  struct address address;
  address.serial = bits & ((1u << SERIAL_BITS) - 1);
  bits >>= SERIAL_BITS;
  address.offset = (size_t)(bits & ((1u << OFFSET_BITS) - 1)) * RT_HEAP_UNIT;
  bits >>= OFFSET_BITS;
  address.file = (int)(bits & ((1u << FILE_BITS) - 1));
  address.process = (int)(bits >> FILE_BITS);
  return address;
}

/* ---- Handing out ---- */

/* Programs of a job have their memory in the heap, or there is no room for it. Elsewhere it moves
 * there when somebody asks, with no work under way. */
static bool offer(struct rt_pages *pages, void *argument) {
  const bool is_there = pages->heap_offset != 0 ||
                        (!rt_heap_is_default() && rt_heap_move(pages, rt_whole_pages(pages->size)));
  if (is_there) {
    const struct address address = {(int)getpid(), rt_heap_file(), pages->heap_offset,
                                    rt_heap_serial(pages)};
    *(cnrtIpcMemHandle *)argument = encode(&address);
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

/* The allocation of a handle; its size, or 0 when there is none. */
static size_t find_allocation(const struct address *address, char **start) {
  const size_t page = rt_page_bytes();
  struct rt_peer_file heap;
  if (!rt_peer_file(address->process, address->file, &heap) || address->offset < page ||
      address->offset >= heap.size) {
    return 0;
  }
  const struct rt_heap_header *header =
      (const struct rt_heap_header *)(heap.start + address->offset - page);
  if (header->magic != RT_HEAP_MAGIC || header->size > heap.size - address->offset ||
      (header->serial & ((1u << SERIAL_BITS) - 1)) != address->serial) {
    return 0;
  }
  *start = heap.start + address->offset;
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
  const struct address address = decode(handle);
  const size_t size = find_allocation(&address, &start);
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
