/* SPDX-License-Identifier: MIT
 *
 * The driver interface over the runtime's objects. Codes of both sides have the same numbers
 * wherever both define one.
 */
#include <stdio.h>
#include <string.h>

#include "devices.h"
#include "driver_context.h"
#include "memory.h"
#include "transfer.h"

static void *pointer_of(CNaddr address) {
  return (void *)(uintptr_t)address;
}

/* A runtime code that the driver does not define. */
static CNresult driver_code(cnrtRet_t code) {
  switch (code) {
    case cnrtErrorNoAttribute:
    case cnrtErrorMemcpyDirectionInvalid:
      return CN_ERROR_INVALID_VALUE;
    default:
      return (CNresult)code;
  }
}

static struct rt_device *device_of(CNdev dev) {
  return dev < RT_MAX_DEVICES ? rt_device((int)dev) : NULL;
}

/* Why a number names no device. */
static CNresult no_such_device(void) {
  return rt_device_count() != 0 ? CN_ERROR_INVALID_DEVICE : CN_ERROR_NO_DEVICE;
}

RT_EXPORT CNresult cnInit(unsigned int flags) {
  return flags == 0 ? CN_SUCCESS : CN_ERROR_INVALID_VALUE;
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

RT_EXPORT CNresult cnGetPeerAccessibility(int *canAccess, CNdev dev, CNdev peerDev) {
  if (canAccess == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  const struct rt_device *device = device_of(dev);
  const struct rt_device *peer = device_of(peerDev);
  if (device == NULL || peer == NULL) {
    return no_such_device();
  }
  *canAccess = rt_device_reaches(device, peer);
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
  return driver_code(error);
}

RT_EXPORT CNresult cnMalloc(CNaddr *pmluAddr, cn_uint64_t bytes) {
  return allocate(pmluAddr, bytes, RT_MEMORY_DEVICE);
}

RT_EXPORT CNresult cnZmalloc(CNaddr *pmluAddr, cn_uint64_t bytes) {
  const CNresult error = allocate(pmluAddr, bytes, RT_MEMORY_DEVICE);
  return error != CN_SUCCESS ? error : driver_code(rt_pages_clear(pointer_of(*pmluAddr), bytes));
}

RT_EXPORT CNresult cnMallocConstant(CNaddr *pmluAddr, cn_uint64_t bytes) {
  return allocate(pmluAddr, bytes, RT_MEMORY_CONSTANT);
}

RT_EXPORT CNresult cnFree(CNaddr mluAddr) {
  const cnrtRet_t error = rt_memory_free(pointer_of(mluAddr), false);
  return error == cnrtErrorArgsInvalid ? CN_MEMORY_ERROR_INVALID_ADDRESS : driver_code(error);
}

RT_EXPORT CNresult cnMallocHost(void **pMem, cn_uint64_t bytes) {
  return driver_code(cnrtHostMalloc(pMem, bytes));
}

RT_EXPORT CNresult cnFreeHost(void *mem) {
  return driver_code(cnrtFreeHost(mem));
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
  return driver_code(error);
}

RT_EXPORT CNresult cnGetMemAddressRange(CNaddr *pBase, cn_uint64_t *pBytes, CNaddr addr) {
  struct rt_memory_info info;
  if (!rt_memory_find(pointer_of(addr), &info)) {
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
  const bool known = rt_memory_find(pointer_of(addr), &info);
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
      *(void **)data = host ? pointer_of(addr) : NULL;
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

RT_EXPORT CNresult cnMemcpy(CNaddr dst, CNaddr src, cn_uint64_t bytes) {
  return driver_code(cnrtMemcpy(pointer_of(dst), pointer_of(src), bytes, cnrtMemcpyNoDirection));
}

RT_EXPORT CNresult cnMemcpyHtoD(CNaddr dst, const void *src, cn_uint64_t bytes) {
  return driver_code(
      cnrtMemcpy(pointer_of(dst), (void *)(uintptr_t)src, bytes, cnrtMemcpyHostToDev));
}

RT_EXPORT CNresult cnMemcpyDtoH(void *dst, CNaddr src, cn_uint64_t bytes) {
  return driver_code(cnrtMemcpy(dst, pointer_of(src), bytes, cnrtMemcpyDevToHost));
}

RT_EXPORT CNresult cnMemcpyDtoD(CNaddr dst, CNaddr src, cn_uint64_t bytes) {
  return driver_code(cnrtMemcpy(pointer_of(dst), pointer_of(src), bytes, cnrtMemcpyDevToDev));
}

RT_EXPORT CNresult cnMemcpyAsync(CNaddr dst, CNaddr src, cn_uint64_t bytes, CNqueue queue) {
  return driver_code(
      cnrtMemcpyAsync(pointer_of(dst), pointer_of(src), bytes, queue, cnrtMemcpyNoDirection));
}

RT_EXPORT CNresult cnMemcpyHtoDAsync(CNaddr dst, const void *src, cn_uint64_t bytes,
                                     CNqueue queue) {
  return driver_code(
      cnrtMemcpyAsync(pointer_of(dst), (void *)(uintptr_t)src, bytes, queue, cnrtMemcpyHostToDev));
}

RT_EXPORT CNresult cnMemcpyDtoHAsync(void *dst, CNaddr src, cn_uint64_t bytes, CNqueue queue) {
  return driver_code(cnrtMemcpyAsync(dst, pointer_of(src), bytes, queue, cnrtMemcpyDevToHost));
}

RT_EXPORT CNresult cnMemcpyDtoDAsync(CNaddr dst, CNaddr src, cn_uint64_t bytes, CNqueue queue) {
  return driver_code(
      cnrtMemcpyAsync(pointer_of(dst), pointer_of(src), bytes, queue, cnrtMemcpyDevToDev));
}

RT_EXPORT CNresult cnMemsetD8(CNaddr dst, unsigned char value, cn_uint64_t count) {
  return driver_code(rt_fill(pointer_of(dst), value, 1, count));
}

RT_EXPORT CNresult cnMemsetD16(CNaddr dst, unsigned short value, cn_uint64_t count) {
  return driver_code(rt_fill(pointer_of(dst), value, 2, count));
}

RT_EXPORT CNresult cnMemsetD32(CNaddr dst, unsigned int value, cn_uint64_t count) {
  return driver_code(rt_fill(pointer_of(dst), value, 4, count));
}

RT_EXPORT CNresult cnMemsetD8Async(CNaddr dst, unsigned char value, cn_uint64_t count,
                                   CNqueue queue) {
  return driver_code(rt_fill_async(pointer_of(dst), value, 1, count, queue));
}

RT_EXPORT CNresult cnMemsetD16Async(CNaddr dst, unsigned short value, cn_uint64_t count,
                                    CNqueue queue) {
  return driver_code(rt_fill_async(pointer_of(dst), value, 2, count, queue));
}

RT_EXPORT CNresult cnMemsetD32Async(CNaddr dst, unsigned int value, cn_uint64_t count,
                                    CNqueue queue) {
  return driver_code(rt_fill_async(pointer_of(dst), value, 4, count, queue));
}

/* ---- Queues, notifiers, execution ---- */

RT_EXPORT CNresult cnCreateQueue(CNqueue *pQueue, unsigned int flags) {
  return flags == 0 ? driver_code(cnrtQueueCreate(pQueue)) : CN_ERROR_INVALID_VALUE;
}

RT_EXPORT CNresult cnCreateQueueWithPriority(CNqueue *pQueue, unsigned int flags, int priority) {
  return driver_code(cnrtQueueCreateWithPriority(pQueue, flags, priority));
}

RT_EXPORT CNresult cnDestroyQueue(CNqueue queue) {
  return driver_code(cnrtQueueDestroy(queue));
}

RT_EXPORT CNresult cnQueueSync(CNqueue queue) {
  return driver_code(cnrtQueueSync(queue));
}

RT_EXPORT CNresult cnQueryQueue(CNqueue queue) {
  return driver_code(cnrtQueueQuery(queue));
}

RT_EXPORT CNresult cnQueueGetPriority(CNqueue queue, int *priority) {
  return driver_code(cnrtQueueGetPriority(queue, priority));
}

RT_EXPORT CNresult cnQueueWaitNotifier(CNnotifier notifier, CNqueue queue, unsigned int flags) {
  return driver_code(cnrtQueueWaitNotifier(notifier, queue, flags));
}

RT_EXPORT CNresult cnCreateNotifier(CNnotifier *pNotifier, unsigned int flags) {
  return driver_code(cnrtNotifierCreateWithFlags(pNotifier, flags));
}

RT_EXPORT CNresult cnDestroyNotifier(CNnotifier notifier) {
  return driver_code(cnrtNotifierDestroy(notifier));
}

RT_EXPORT CNresult cnPlaceNotifier(CNnotifier notifier, CNqueue queue) {
  return driver_code(cnrtPlaceNotifier(notifier, queue));
}

RT_EXPORT CNresult cnQueryNotifier(CNnotifier notifier) {
  return driver_code(cnrtQueryNotifier(notifier));
}

RT_EXPORT CNresult cnWaitNotifier(CNnotifier notifier) {
  return driver_code(cnrtWaitNotifier(notifier));
}

RT_EXPORT CNresult cnNotifierDuration(CNnotifier start, CNnotifier end, float *us) {
  return driver_code(cnrtNotifierDuration(start, end, us));
}

RT_EXPORT CNresult cnNotifierElapsedTime(CNnotifier start, CNnotifier end, float *ms) {
  return driver_code(cnrtNotifierElapsedTime(start, end, ms));
}

RT_EXPORT CNresult cnInvokeKernel(CNkernel kernel, unsigned int dimx, unsigned int dimy,
                                  unsigned int dimz, KernelClass c, unsigned int reserve,
                                  CNqueue queue, void **kernelParams, void **extra) {
  if (extra != NULL) {
    return CN_OPS_ERROR_NOT_SUPPORTED;
  }
  const cnrtDim3_t dim = {dimx, dimy, dimz};
  return driver_code(
      cnrtInvokeKernel(kernel, dim, (cnrtFunctionType_t)c, kernelParams, reserve, queue));
}

RT_EXPORT CNresult cnInvokeHostFunc(CNqueue queue, CNhostFn fn, void *userData) {
  return driver_code(cnrtInvokeHostFunc(queue, fn, userData));
}
