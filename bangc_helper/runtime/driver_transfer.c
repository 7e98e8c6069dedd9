/* SPDX-License-Identifier: MIT
 *
 * Copies and fills of the driver interface.
 */
#include "transfers.h"

#include "root.h"
#include "driver.h"
#include "driver_context.h"

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

/* Other names of the functions above. */

RT_EXPORT CNresult cnMemcpyAsync_V2(CNaddr dst, CNaddr src, cn_uint64_t bytes, CNqueue queue) {
  return cnMemcpyAsync(dst, src, bytes, queue);
}

RT_EXPORT CNresult cnMemcpyAsync_V3(CNaddr dst, CNaddr src, cn_uint64_t bytes, CNqueue queue) {
  return cnMemcpyAsync(dst, src, bytes, queue);
}

RT_EXPORT CNresult cnMemcpyHtoDAsync_V2(CNaddr dst, const void *src, cn_uint64_t bytes,
                                        CNqueue queue) {
  return cnMemcpyHtoDAsync(dst, src, bytes, queue);
}

RT_EXPORT CNresult cnMemcpyDtoHAsync_V2(void *dst, CNaddr src, cn_uint64_t bytes, CNqueue queue) {
  return cnMemcpyDtoHAsync(dst, src, bytes, queue);
}

/* ---- Two devices ---- */

/* Numbers of the devices that two contexts belong to. */
static CNresult peers_of(CNcontext dst, CNcontext src, int *dst_device, int *src_device) {
  const struct rt_device *target = rt_context_device(dst);
  const struct rt_device *source = rt_context_device(src);
  if (target == NULL || source == NULL) {
    return CN_CONTEXT_ERROR_INVALID;
  }
  *dst_device = rt_device_ordinal(target);
  *src_device = rt_device_ordinal(source);
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnMemcpyPeer(CNaddr dst, CNcontext dstCtx, CNaddr src, CNcontext srcCtx,
                                cn_uint64_t bytes) {
  int to = 0;
  int from = 0;
  const CNresult error = peers_of(dstCtx, srcCtx, &to, &from);
  return error != CN_SUCCESS ? error
                             : rt_driver_code(cnrtMemcpyPeer(rt_driver_pointer(dst), to,
                                                             rt_driver_pointer(src), from, bytes));
}

RT_EXPORT CNresult cnMemcpyPeerAsync(CNaddr dst, CNcontext dstCtx, CNaddr src, CNcontext srcCtx,
                                     cn_uint64_t bytes, CNqueue queue) {
  int to = 0;
  int from = 0;
  const CNresult error = peers_of(dstCtx, srcCtx, &to, &from);
  return error != CN_SUCCESS
             ? error
             : rt_driver_code(cnrtMemcpyPeerAsync(rt_driver_pointer(dst), to,
                                                  rt_driver_pointer(src), from, bytes, queue));
}

/* ---- Boxes ---- */

/* CNRT accepts an empty copy; the driver refuses it. */
static bool is_empty(cn_uint64_t width, cn_uint64_t height) {
  return width == 0 || height == 0;
}

static CNresult copy_rows(CNaddr dst, cn_uint64_t dpitch, CNaddr src, cn_uint64_t spitch,
                          cn_uint64_t width, cn_uint64_t height, cnrtMemTransDir_t dir) {
  return is_empty(width, height)
             ? CN_ERROR_INVALID_VALUE
             : rt_driver_code(cnrtMemcpy2D(rt_driver_pointer(dst), dpitch, rt_driver_pointer(src),
                                           spitch, width, height, dir));
}

RT_EXPORT CNresult cnMemcpy2D(CNaddr dst, cn_uint64_t dpitch, CNaddr src, cn_uint64_t spitch,
                              cn_uint64_t width, cn_uint64_t height) {
  return copy_rows(dst, dpitch, src, spitch, width, height, cnrtMemcpyNoDirection);
}

RT_EXPORT CNresult cnMemcpyDtoD2D(CNaddr dst, cn_uint64_t dpitch, CNaddr src, cn_uint64_t spitch,
                                  cn_uint64_t width, cn_uint64_t height) {
  return copy_rows(dst, dpitch, src, spitch, width, height, cnrtMemcpyDevToDev);
}

RT_EXPORT CNresult cnMemcpy2DAsync(CNaddr dst, cn_uint64_t dpitch, CNaddr src, cn_uint64_t spitch,
                                   cn_uint64_t width, cn_uint64_t height, CNqueue queue) {
  return is_empty(width, height) ? CN_ERROR_INVALID_VALUE
                                 : rt_driver_code(cnrtMemcpy2DAsync(
                                       rt_driver_pointer(dst), dpitch, rt_driver_pointer(src),
                                       spitch, width, height, cnrtMemcpyNoDirection, queue));
}

static cnrtMemcpy3dParam_t runtime_box(const CNmemcpy3dParam *p, cnrtMemTransDir_t dir) {
  return (cnrtMemcpy3dParam_t){
      .dst = p->dst,
      .dstPos = {p->dstPos.x, p->dstPos.y, p->dstPos.z},
      .dstPtr = {p->dstPtr.pitch, p->dstPtr.ptr, p->dstPtr.xsize, p->dstPtr.ysize},
      .extent = {p->extent.depth, p->extent.height, p->extent.width},
      .dir = dir,
      .src = p->src,
      .srcPos = {p->srcPos.x, p->srcPos.y, p->srcPos.z},
      .srcPtr = {p->srcPtr.pitch, p->srcPtr.ptr, p->srcPtr.xsize, p->srcPtr.ysize},
  };
}

static CNresult copy_box(const CNmemcpy3dParam *p, cnrtMemTransDir_t dir) {
  if (p == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  const cnrtMemcpy3dParam_t box = runtime_box(p, dir);
  return rt_driver_code(cnrtMemcpy3D(&box));
}

RT_EXPORT CNresult cnMemcpy3D(CNmemcpy3dParam *p) {
  return copy_box(p, cnrtMemcpyNoDirection);
}

RT_EXPORT CNresult cnMemcpyDtoD3D(CNmemcpy3dParam *p) {
  return copy_box(p, cnrtMemcpyDevToDev);
}

RT_EXPORT CNresult cnMemcpy3DAsync(const CNmemcpy3dParam *p, CNqueue queue) {
  if (p == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  const cnrtMemcpy3dParam_t box = runtime_box(p, cnrtMemcpyNoDirection);
  return rt_driver_code(cnrtMemcpy3DAsync(&box, queue));
}

/* ---- Fills ---- */

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
