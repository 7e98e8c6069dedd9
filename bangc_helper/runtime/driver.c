/* SPDX-License-Identifier: MIT
 *
 * Devices and memory of the driver interface.
 */
#include "driver.h"

#include <stdio.h>
#include <string.h>

#include "root.h"
#include "driver_context.h"
#include "memory.h"
#include "attributes.h"
#include "uuid.h"

static struct rt_device *device_of(CNdev dev) {
  return dev < RT_MAX_DEVICES ? rt_device((int)dev) : NULL;
}

/* The error for a number that names no device. */
static CNresult no_such_device(void) {
  return rt_device_count() != 0 ? CN_ERROR_INVALID_DEVICE : CN_ERROR_NO_DEVICE;
}

RT_EXPORT CNresult cnInit(unsigned int flags) {
  return flags == 0 ? CN_SUCCESS : CN_ERROR_INVALID_VALUE;
}

RT_EXPORT CNresult cnGetExportFunction(const char *name, const void **func) {
  if (name == NULL || func == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  *func = NULL;
  return CN_ERROR_NOT_FOUND;
}

/* ---- Devices ---- */

RT_EXPORT CNresult cnDeviceGetCount(int *count) {
  if (count == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  *count = (int)rt_device_count();
  return *count != 0 ? CN_SUCCESS : CN_ERROR_NO_DEVICE;
}

RT_EXPORT CNresult cnDeviceGet(CNdev *device, int ordinal) {
  if (device == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  if (rt_device(ordinal) == NULL) {
    return no_such_device();
  }
  *device = (CNdev)ordinal;
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnDeviceGetName(char *name, unsigned int len, CNdev dev) {
  if (name == NULL || len == 0) {
    return CN_ERROR_INVALID_VALUE;
  }
  const struct rt_device *device = device_of(dev);
  if (device == NULL) {
    return no_such_device();
  }
  snprintf(name, len, "%s", rt_device_name(device));
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnDeviceGetAttribute(int *pi, CNdevice_attribute attrib, CNdev dev) {
  const struct rt_device *device = device_of(dev);
  if (pi == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  if (device == NULL) {
    return no_such_device();
  }
  return rt_attribute(pi, (int)attrib, device) ? CN_SUCCESS : CN_ERROR_INVALID_VALUE;
}

RT_EXPORT CNresult cnDeviceTotalMem(cn_uint64_t *bytes, CNdev dev) {
  if (bytes == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  const struct rt_device *device = device_of(dev);
  if (device == NULL) {
    return no_such_device();
  }
  *bytes = rt_device_memory(device);
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnDeviceGetPCIBusId(char *pciBusId, int len, CNdev dev) {
  const struct rt_device *device = device_of(dev);
  if (device == NULL) {
    return no_such_device();
  }
  return rt_device_pci(pciBusId, len, device) ? CN_SUCCESS : CN_ERROR_INVALID_VALUE;
}

RT_EXPORT CNresult cnDeviceGetByPCIBusId(CNdev *dev, const char *pciBusId) {
  if (dev == NULL || pciBusId == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  const struct rt_device *device = rt_device_by_pci(pciBusId);
  if (device == NULL) {
    return no_such_device();
  }
  *dev = (CNdev)rt_device_ordinal(device);
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnDeviceCanPeerAble(int *canPeer, CNdev devSrc, CNdev devDst) {
  if (canPeer == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  const struct rt_device *device = device_of(devSrc);
  const struct rt_device *peer = device_of(devDst);
  if (device == NULL || peer == NULL) {
    return no_such_device();
  }
  *canPeer = rt_device_reaches(device, peer);
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnDeviceGetUuid(CNuuid *uuid, CNdev dev) {
  if (uuid == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  const struct rt_device *device = device_of(dev);
  if (device == NULL) {
    return no_such_device();
  }
  cnrtUUID_t own = {{0}};
  rt_device_uuid(device, &own);
  memcpy(uuid->uuid, own.uuid, sizeof(uuid->uuid));
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnDeviceGetUuidStr(char *uuid_str, int len, CNdev dev) {
  if (uuid_str == NULL || len < RT_UUID_TEXT_SIZE - 1) {
    return CN_ERROR_INVALID_VALUE;
  }
  const struct rt_device *device = device_of(dev);
  if (device == NULL) {
    return no_such_device();
  }
  char text[RT_UUID_TEXT_SIZE];
  rt_device_uuid_text(device, text);
  memcpy(uuid_str, text, len >= RT_UUID_TEXT_SIZE ? RT_UUID_TEXT_SIZE : RT_UUID_TEXT_SIZE - 1);
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnDeviceGetByUuidStr(CNdev *dev, const char *uuid_str) {
  if (dev == NULL || uuid_str == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  const struct rt_device *device = rt_device_by_uuid(uuid_str);
  if (device == NULL) {
    return no_such_device();
  }
  *dev = (CNdev)rt_device_ordinal(device);
  return CN_SUCCESS;
}

/* ---- Memory ---- */

static CNresult allocate(CNaddr *address, cn_uint64_t bytes, enum rt_memory_kind kind) {
  void *pointer = NULL;
  if (address == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  *address = 0;
  const cnrtRet_t error = rt_memory_allocate_here(kind, bytes, &pointer);
  if (error == cnrtSuccess) {
    *address = (CNaddr)(uintptr_t)pointer;
  }
  return rt_driver_code(error);
}

RT_EXPORT CNresult cnMalloc(CNaddr *pmluAddr, cn_uint64_t bytes) {
  return allocate(pmluAddr, bytes, RT_MEMORY_DEVICE);
}

RT_EXPORT CNresult cnZmalloc(CNaddr *pmluAddr, cn_uint64_t bytes) {
  const CNresult error = allocate(pmluAddr, bytes, RT_MEMORY_DEVICE);
  return error != CN_SUCCESS ? error
                             : rt_driver_code(rt_pages_clear(rt_driver_pointer(*pmluAddr), bytes));
}

RT_EXPORT CNresult cnMallocConstant(CNaddr *pmluAddr, cn_uint64_t bytes) {
  return allocate(pmluAddr, bytes, RT_MEMORY_CONSTANT);
}

RT_EXPORT CNresult cnMallocPeerAble(CNaddr *pmluAddr, cn_uint64_t bytes) {
  return cnMalloc(pmluAddr, bytes); /* devices reach each other's memory anyway */
}

/* Whether the current device has a memory node of this number. */
static bool has_node(int node) {
  const struct rt_device *device = rt_current_device();
  return device != NULL && node >= 0 &&
         node < rt_device_value(device, cnrtAttrGlobalMemoryNodeCount);
}

RT_EXPORT CNresult cnMallocNode(CNaddr *pmluAddr, cn_uint64_t bytes, int node) {
  return has_node(node) ? cnMalloc(pmluAddr, bytes) : CN_ERROR_INVALID_VALUE;
}

RT_EXPORT CNresult cnZmallocNode(CNaddr *pmluAddr, cn_uint64_t bytes, int node) {
  return has_node(node) ? cnZmalloc(pmluAddr, bytes) : CN_ERROR_INVALID_VALUE;
}

RT_EXPORT CNresult cnMallocNodeConstant(CNaddr *pmluAddr, cn_uint64_t bytes, int node) {
  return has_node(node) ? cnMallocConstant(pmluAddr, bytes) : CN_ERROR_INVALID_VALUE;
}

RT_EXPORT CNresult cnFree(CNaddr mluAddr) {
  const cnrtRet_t error = rt_memory_free(rt_driver_pointer(mluAddr), false);
  return error == cnrtErrorArgsInvalid ? CN_MEMORY_ERROR_INVALID_ADDRESS : rt_driver_code(error);
}

RT_EXPORT CNresult cnMallocHost(void **pMem, cn_uint64_t bytes) {
  return rt_driver_code(cnrtHostMalloc(pMem, bytes));
}

RT_EXPORT CNresult cnFreeHost(void *mem) {
  return rt_driver_code(cnrtFreeHost(mem));
}

RT_EXPORT CNresult cnMemGetInfo(cn_uint64_t *free, cn_uint64_t *total) {
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  if (free == NULL || total == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  const cnrtRet_t error = cnrtMemGetInfo(&free_bytes, &total_bytes);
  *free = free_bytes;
  *total = total_bytes;
  return rt_driver_code(error);
}

RT_EXPORT CNresult cnMemGetNodeInfo(cn_uint64_t *free, cn_uint64_t *total, int node) {
  return has_node(node) ? cnMemGetInfo(free, total) : CN_ERROR_INVALID_VALUE;
}

RT_EXPORT CNresult cnMemGetAddressRange(CNaddr *pBase, cn_uint64_t *pBytes, CNaddr addr) {
  struct rt_memory_info info;
  if (!rt_memory_find(rt_driver_pointer(addr), &info)) {
    return CN_MEMORY_ERROR_INVALID_ADDRESS;
  }
  if (pBase != NULL) {
    *pBase = (CNaddr)(uintptr_t)info.start;
  }
  if (pBytes != NULL) {
    *pBytes = info.size;
  }
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnGetMemAttribute(void *data, CNmem_attribute attribute, CNaddr addr) {
  struct rt_memory_info info;
  if (data == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  const bool known = rt_memory_find(rt_driver_pointer(addr), &info);
  if (!known && attribute != CN_MEM_ATTRIBUTE_TYPE && attribute != CN_MEM_ATTRIBUTE_MAPPED) {
    return CN_MEMORY_ERROR_INVALID_ADDRESS;
  }
  const bool host = known && info.kind == RT_MEMORY_HOST;
  switch (attribute) {
    case CN_MEM_ATTRIBUTE_TYPE:
      *(enum CN_memory_type *)data = !known ? CN_MEMORYTYPE_UNKNOWN
                                     : host ? CN_MEMORYTYPE_HOST
                                            : CN_MEMORYTYPE_DEVICE;
      return CN_SUCCESS;
    case CN_MEM_ATTRIBUTE_DEVICE_POINTER:
      *(CNaddr *)data = addr;
      return CN_SUCCESS;
    case CN_MEM_ATTRIBUTE_HOST_POINTER:
      *(void **)data = host ? rt_driver_pointer(addr) : NULL;
      return host ? CN_SUCCESS : CN_ERROR_INVALID_VALUE;
    case CN_MEM_ATTRIBUTE_CONTEXT:
      *(CNcontext *)data = rt_shared_context(rt_device(info.device));
      return CN_SUCCESS;
    case CN_MEM_ATTRIBUTE_DEVICE_ORDINAL:
      *(int *)data = info.device;
      return CN_SUCCESS;
    case CN_MEM_ATTRIBUTE_RANGE_START_ADDR:
      *(CNaddr *)data = (CNaddr)(uintptr_t)info.start;
      return CN_SUCCESS;
    case CN_MEM_ATTRIBUTE_RANGE_SIZE:
      *(cn_uint64_t *)data = info.size;
      return CN_SUCCESS;
    case CN_MEM_ATTRIBUTE_MAPPED:
      *(int *)data = known;
      return CN_SUCCESS;
    case CN_MEM_ATTRIBUTE_ISLINEAR:
      *(int *)data = 1; /* addresses of one allocation follow each other */
      return CN_SUCCESS;
    default:
      return CN_ERROR_INVALID_VALUE;
  }
}

RT_EXPORT CNresult cnMemGetHandleForAddressRange(void *handle, CNaddr addr, cn_uint64_t size,
                                                 CNmemRangeHandleType type, cn_uint64_t flags) {
  struct rt_memory_info info;
  if (handle == NULL || size == 0 || type != CN_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD || flags != 0) {
    return CN_ERROR_INVALID_VALUE;
  }
  return rt_memory_find(rt_driver_pointer(addr), &info) ? CN_OPS_ERROR_NOT_SUPPORTED
                                                        : CN_MEMORY_ERROR_INVALID_ADDRESS;
}
