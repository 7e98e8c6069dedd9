/* SPDX-License-Identifier: MIT
 *
 * Device memory at addresses of the host. Where the host reaches it at all, it is the same address.
 */
#include "memory.h"

static cnrtRet_t map(void *address, void **host, size_t bytes) {
  if (host == NULL || bytes == 0 || !rt_memory_is_device(address, bytes)) {
    return cnrtErrorArgsInvalid;
  }
  if (!rt_pages_host_reaches()) {
    return cnrtErrorNotSupport;
  }
  *host = address;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtMmap(void *ptr, void **pHostPtr, size_t size) {
  return rt_fail(map(ptr, pHostPtr, size));
}

RT_EXPORT cnrtRet_t cnrtMmapCached(void *ptr, void **pHostPtr, size_t size) {
  return rt_fail(map(ptr, pHostPtr, size));
}

RT_EXPORT cnrtRet_t cnrtMunmap(void *hostPtr, size_t size) {
  void *ignored = NULL;
  return rt_fail(map(hostPtr, &ignored, size));
}

RT_EXPORT cnrtRet_t cnrtMcacheOperation(void *ptr, void *hostPtr, size_t size, cnrtCacheOps_t ops) {
  void *host = NULL;
  cnrtRet_t error = ops == CNRT_FLUSH_CACHE || ops == CNRT_INVALID_CACHE ? map(ptr, &host, size)
                                                                         : cnrtErrorArgsInvalid;
  if (error == cnrtSuccess && !rt_memory_is_device(hostPtr, size)) {
    error = cnrtErrorArgsInvalid;
  }
  return rt_fail(error);
}
