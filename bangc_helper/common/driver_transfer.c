/* SPDX-License-Identifier: MIT
 *
 * Copies and fills of the driver interface.
 */
#include "transfer.h"

#include "driver.h"

RT_EXPORT CNresult cnMemcpy(CNaddr dst, CNaddr src, cn_uint64_t bytes) {
  return rt_driver_code(
      cnrtMemcpy(rt_driver_pointer(dst), rt_driver_pointer(src), bytes, cnrtMemcpyNoDirection));
}

RT_EXPORT CNresult cnMemcpyHtoD(CNaddr dst, const void *src, cn_uint64_t bytes) {
  return rt_driver_code(
      cnrtMemcpy(rt_driver_pointer(dst), (void *)(uintptr_t)src, bytes, cnrtMemcpyHostToDev));
}

RT_EXPORT CNresult cnMemcpyDtoH(void *dst, CNaddr src, cn_uint64_t bytes) {
  return rt_driver_code(cnrtMemcpy(dst, rt_driver_pointer(src), bytes, cnrtMemcpyDevToHost));
}

RT_EXPORT CNresult cnMemcpyDtoD(CNaddr dst, CNaddr src, cn_uint64_t bytes) {
  return rt_driver_code(
      cnrtMemcpy(rt_driver_pointer(dst), rt_driver_pointer(src), bytes, cnrtMemcpyDevToDev));
}

RT_EXPORT CNresult cnMemcpyAsync(CNaddr dst, CNaddr src, cn_uint64_t bytes, CNqueue queue) {
  return rt_driver_code(cnrtMemcpyAsync(rt_driver_pointer(dst), rt_driver_pointer(src), bytes,
                                        queue, cnrtMemcpyNoDirection));
}

RT_EXPORT CNresult cnMemcpyHtoDAsync(CNaddr dst, const void *src, cn_uint64_t bytes,
                                     CNqueue queue) {
  return rt_driver_code(cnrtMemcpyAsync(rt_driver_pointer(dst), (void *)(uintptr_t)src, bytes,
                                        queue, cnrtMemcpyHostToDev));
}

RT_EXPORT CNresult cnMemcpyDtoHAsync(void *dst, CNaddr src, cn_uint64_t bytes, CNqueue queue) {
  return rt_driver_code(
      cnrtMemcpyAsync(dst, rt_driver_pointer(src), bytes, queue, cnrtMemcpyDevToHost));
}

RT_EXPORT CNresult cnMemcpyDtoDAsync(CNaddr dst, CNaddr src, cn_uint64_t bytes, CNqueue queue) {
  return rt_driver_code(cnrtMemcpyAsync(rt_driver_pointer(dst), rt_driver_pointer(src), bytes,
                                        queue, cnrtMemcpyDevToDev));
}

RT_EXPORT CNresult cnMemsetD8(CNaddr dst, unsigned char value, cn_uint64_t count) {
  return rt_driver_code(rt_fill(rt_driver_pointer(dst), value, 1, count));
}

RT_EXPORT CNresult cnMemsetD16(CNaddr dst, unsigned short value, cn_uint64_t count) {
  return rt_driver_code(rt_fill(rt_driver_pointer(dst), value, 2, count));
}

RT_EXPORT CNresult cnMemsetD32(CNaddr dst, unsigned int value, cn_uint64_t count) {
  return rt_driver_code(rt_fill(rt_driver_pointer(dst), value, 4, count));
}

RT_EXPORT CNresult cnMemsetD8Async(CNaddr dst, unsigned char value, cn_uint64_t count,
                                   CNqueue queue) {
  return rt_driver_code(rt_fill_async(rt_driver_pointer(dst), value, 1, count, queue));
}

RT_EXPORT CNresult cnMemsetD16Async(CNaddr dst, unsigned short value, cn_uint64_t count,
                                    CNqueue queue) {
  return rt_driver_code(rt_fill_async(rt_driver_pointer(dst), value, 2, count, queue));
}

RT_EXPORT CNresult cnMemsetD32Async(CNaddr dst, unsigned int value, cn_uint64_t count,
                                    CNqueue queue) {
  return rt_driver_code(rt_fill_async(rt_driver_pointer(dst), value, 4, count, queue));
}
