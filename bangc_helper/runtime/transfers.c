/* SPDX-License-Identifier: MIT
 *
 * The copy and fill functions of cnrt.h.
 */
#include "transfers.h"

#include "capture.h"
#include "cnrt_external.h"
#include "memory.h"

bool rt_copy_side_is_valid(const void *address, size_t bytes, bool device) {
  if (address == NULL) {
    return false;
  }
  return device ? rt_memory_is_device(address, bytes) : !rt_memory_touches_device(address, bytes);
}

/* True if the ranges of a copy fit its direction: the device's side is inside one allocation, the
 * host's side outside all of them. */
static cnrtRet_t check_copy(const void *dst, size_t dst_bytes, const void *src, size_t src_bytes,
                            cnrtMemTransDir_t dir) {
  bool to_device = false;
  bool from_device = false;
  switch (dir) {
    case cnrtMemcpyHostToDev:
      to_device = true;
      break;
    case cnrtMemcpyDevToHost:
      from_device = true;
      break;
    case cnrtMemcpyDevToDev:
    case cnrtMemcpyPeerToPeer:
      to_device = true;
      from_device = true;
      break;
    case cnrtMemcpyHostToHost:
      break;
    case cnrtMemcpyNoDirection:
      to_device = rt_memory_touches_device(dst, dst_bytes);
      from_device = rt_memory_touches_device(src, src_bytes);
      break;
    default:
      return cnrtErrorMemcpyDirectionInvalid;
  }
  return rt_copy_side_is_valid(dst, dst_bytes, to_device) &&
                 rt_copy_side_is_valid(src, src_bytes, from_device)
             ? cnrtSuccess
             : cnrtErrorArgsInvalid;
}

cnrtRet_t rt_transfer_wait(const struct rt_transfer *transfer) {
  const cnrtRet_t unsafe = rt_capture_refuse_unsafe();
  return unsafe != cnrtSuccess ? unsafe : rt_transfer_now(transfer);
}

static cnrtRet_t copy(void *dst, const void *src, size_t bytes, cnrtMemTransDir_t dir) {
  if (bytes == 0 && (unsigned)dir <= cnrtMemcpyNoDirection) {
    return cnrtSuccess;
  }
  const cnrtRet_t error = check_copy(dst, bytes, src, bytes, dir);
  if (error != cnrtSuccess) {
    return error;
  }
  const struct rt_transfer transfer = {.target = dst, .source = src, .bytes = bytes};
  return rt_transfer_wait(&transfer);
}

static cnrtRet_t copy_async(void *dst, const void *src, size_t bytes, cnrtQueue_t queue,
                            cnrtMemTransDir_t dir) {
  if (bytes == 0 && (unsigned)dir <= cnrtMemcpyNoDirection) {
    return cnrtSuccess;
  }
  const cnrtRet_t error = check_copy(dst, bytes, src, bytes, dir);
  if (error != cnrtSuccess) {
    return error;
  }
  const struct rt_transfer transfer = {.target = dst, .source = src, .bytes = bytes};
  return rt_transfer_enqueue(&transfer, queue);
}

RT_EXPORT cnrtRet_t cnrtMemcpy(void *dst, void *src, size_t bytes, cnrtMemTransDir_t dir) {
  return rt_fail(copy(dst, src, bytes, dir));
}

RT_EXPORT cnrtRet_t cnrtMemcpyAsync(void *dst, void *src, size_t bytes, cnrtQueue_t queue,
                                    cnrtMemTransDir_t dir) {
  return rt_fail(copy_async(dst, src, bytes, queue, dir));
}

RT_EXPORT cnrtRet_t cnrtMemcpyAsync_V2(void *dst, void *src, size_t bytes, cnrtQueue_t queue,
                                       cnrtMemTransDir_t dir) {
  return cnrtMemcpyAsync(dst, src, bytes, queue, dir);
}

RT_EXPORT cnrtRet_t cnrtMemcpyAsync_V3(void *dst, void *src, size_t bytes, cnrtQueue_t queue,
                                       cnrtMemTransDir_t dir) {
  return cnrtMemcpyAsync(dst, src, bytes, queue, dir);
}

/* ---- Boxes ---- */

/* Bytes from the first to the last byte of a box; false when that overflows. */
static bool box_span(size_t width, size_t height, size_t depth, size_t pitch, size_t plane,
                     size_t *span) {
  size_t rows = 0;
  size_t planes = 0;
  return !__builtin_mul_overflow(height - 1, pitch, &rows) &&
         !__builtin_mul_overflow(depth - 1, plane, &planes) &&
         !__builtin_add_overflow(rows, planes, span) && !__builtin_add_overflow(*span, width, span);
}

/* Sets *empty when there is nothing to copy. */
static cnrtRet_t check_box(struct rt_box dst, struct rt_box src, cnrtExtent_t extent,
                           cnrtMemTransDir_t dir, bool *empty) {
  size_t dst_span = 0;
  size_t src_span = 0;
  *empty = extent.width == 0 || extent.height == 0 || extent.depth == 0;
  if (*empty) {
    return (unsigned)dir <= cnrtMemcpyNoDirection ? cnrtSuccess : cnrtErrorMemcpyDirectionInvalid;
  }
  if (dst.pitch < extent.width || src.pitch < extent.width ||
      !box_span(extent.width, extent.height, extent.depth, dst.pitch, dst.plane, &dst_span) ||
      !box_span(extent.width, extent.height, extent.depth, src.pitch, src.plane, &src_span)) {
    return cnrtErrorArgsInvalid;
  }
  return check_copy(dst.start, dst_span, src.start, src_span, dir);
}

static cnrtRet_t copy_box(struct rt_box dst, struct rt_box src, cnrtExtent_t extent,
                          cnrtMemTransDir_t dir) {
  bool empty = false;
  cnrtRet_t error = check_box(dst, src, extent, dir, &empty);
  if (error == cnrtSuccess && !empty) {
    error = rt_capture_refuse_unsafe();
  }
  return error != cnrtSuccess || empty ? error : rt_box_copy_now(&dst, &src, extent);
}

static cnrtRet_t copy_box_async(struct rt_box dst, struct rt_box src, cnrtExtent_t extent,
                                cnrtMemTransDir_t dir, cnrtQueue_t queue) {
  bool empty = false;
  const cnrtRet_t error = check_box(dst, src, extent, dir, &empty);
  return error != cnrtSuccess || empty ? error : rt_box_copy_enqueue(&dst, &src, extent, queue);
}

/* The boxes of a copy of rows. */
struct rows {
  struct rt_box target;
  struct rt_box source;
  cnrtExtent_t extent;
};

static struct rows rows_of(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                           size_t height) {
  return (struct rows){.target = {dst, dpitch, 0},
                       .source = {(char *)(uintptr_t)src, spitch, 0},
                       .extent = {.width = width, .height = height, .depth = 1}};
}

RT_EXPORT cnrtRet_t cnrtMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch,
                                 size_t width, size_t height, cnrtMemTransDir_t dir) {
  const struct rows rows = rows_of(dst, dpitch, src, spitch, width, height);
  return rt_fail(copy_box(rows.target, rows.source, rows.extent, dir));
}

RT_EXPORT cnrtRet_t cnrtMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                                      size_t width, size_t height, cnrtMemTransDir_t dir,
                                      cnrtQueue_t queue) {
  const struct rows rows = rows_of(dst, dpitch, src, spitch, width, height);
  return rt_fail(copy_box_async(rows.target, rows.source, rows.extent, dir, queue));
}

/* Where a box starts in its array; false when the description is inconsistent. */
static bool box_of(const cnrtPitchedPtr_t *array, void *fallback, cnrtPos_t position,
                   cnrtExtent_t extent, struct rt_box *box) {
  char *start = array->ptr != NULL ? array->ptr : fallback;
  size_t offset = 0;
  size_t rows = 0;
  if (start == NULL || array->ysize < extent.height || array->pitch < extent.width ||
      position.x > array->pitch - extent.width || position.y > array->ysize - extent.height ||
      __builtin_mul_overflow(array->pitch, array->ysize, &box->plane) ||
      __builtin_mul_overflow(position.z, box->plane, &offset) ||
      __builtin_mul_overflow(position.y, array->pitch, &rows) ||
      __builtin_add_overflow(offset, rows, &offset) ||
      __builtin_add_overflow(offset, position.x, &offset)) {
    return false;
  }
  box->start = start + offset;
  box->pitch = array->pitch;
  return true;
}

/* Both boxes of a 3-D copy; false as above. */
static bool boxes_of(const cnrtMemcpy3dParam_t *p, struct rt_box *target, struct rt_box *source) {
  return p != NULL && p->extent.width != 0 && p->extent.height != 0 && p->extent.depth != 0 &&
         box_of(&p->dstPtr, p->dst, p->dstPos, p->extent, target) &&
         box_of(&p->srcPtr, p->src, p->srcPos, p->extent, source);
}

RT_EXPORT cnrtRet_t cnrtMemcpy3D(const cnrtMemcpy3dParam_t *p) {
  struct rt_box target;
  struct rt_box source;
  return rt_fail(boxes_of(p, &target, &source) ? copy_box(target, source, p->extent, p->dir)
                                               : cnrtErrorArgsInvalid);
}

RT_EXPORT cnrtRet_t cnrtMemcpy3DAsync(const cnrtMemcpy3dParam_t *p, cnrtQueue_t queue) {
  struct rt_box target;
  struct rt_box source;
  return rt_fail(boxes_of(p, &target, &source)
                     ? copy_box_async(target, source, p->extent, p->dir, queue)
                     : cnrtErrorArgsInvalid);
}

/* ---- Two devices ---- */

static cnrtRet_t check_owner(const void *address, int device) {
  struct rt_memory_info info;
  if (rt_device(device) == NULL) {
    return cnrtErrorDeviceInvalid;
  }
  if (!rt_memory_find(address, &info) || info.device != device) {
    return cnrtErrorArgsInvalid;
  }
  return cnrtSuccess;
}

static cnrtRet_t check_peers(const void *dst, int dst_device, const void *src, int src_device) {
  const cnrtRet_t error = check_owner(dst, dst_device);
  return error != cnrtSuccess ? error : check_owner(src, src_device);
}

RT_EXPORT cnrtRet_t cnrtMemcpyPeer(void *dst, int dstDevice, void *src, int srcDevice,
                                   size_t bytes) {
  const cnrtRet_t error = check_peers(dst, dstDevice, src, srcDevice);
  return rt_fail(error != cnrtSuccess ? error : copy(dst, src, bytes, cnrtMemcpyPeerToPeer));
}

RT_EXPORT cnrtRet_t cnrtMemcpyPeerAsync(void *dst, int dstDevice, void *src, int srcDevice,
                                        size_t bytes, cnrtQueue_t queue) {
  const cnrtRet_t error = check_peers(dst, dstDevice, src, srcDevice);
  return rt_fail(error != cnrtSuccess ? error
                                      : copy_async(dst, src, bytes, queue, cnrtMemcpyPeerToPeer));
}

/* ---- Fills ---- */

static cnrtRet_t check_fill(void *address, unsigned width, size_t count,
                            struct rt_transfer *transfer) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, (size_t)width, &bytes)) {
    return cnrtErrorArgsInvalid;
  }
  transfer->target = address;
  transfer->bytes = bytes;
  transfer->width = width;
  struct rt_memory_info info;
  const bool known = rt_memory_find(address, &info);
  return bytes == 0 || (known && bytes <= info.size - (size_t)((char *)address - info.start))
             ? cnrtSuccess
             : cnrtErrorArgsInvalid;
}

cnrtRet_t rt_fill(void *address, uint32_t pattern, unsigned width, size_t count) {
  struct rt_transfer transfer = {.pattern = pattern};
  const cnrtRet_t error = check_fill(address, width, count, &transfer);
  return error != cnrtSuccess || transfer.bytes == 0 ? error : rt_transfer_wait(&transfer);
}

cnrtRet_t rt_fill_async(void *address, uint32_t pattern, unsigned width, size_t count,
                        cnrtQueue_t queue) {
  struct rt_transfer transfer = {.pattern = pattern};
  const cnrtRet_t error = check_fill(address, width, count, &transfer);
  return error != cnrtSuccess || transfer.bytes == 0 ? error
                                                     : rt_transfer_enqueue(&transfer, queue);
}

RT_EXPORT cnrtRet_t cnrtMemset(void *ptr, int value, size_t bytes) {
  return rt_fail(rt_fill(ptr, (uint32_t)value, 1, bytes));
}

RT_EXPORT cnrtRet_t cnrtMemsetAsync(void *ptr, int value, size_t bytes, cnrtQueue_t queue) {
  return rt_fail(rt_fill_async(ptr, (uint32_t)value, 1, bytes, queue));
}

RT_EXPORT cnrtRet_t cnrtMemsetD8(void *ptr, unsigned char value, size_t count) {
  return rt_fail(rt_fill(ptr, value, 1, count));
}

RT_EXPORT cnrtRet_t cnrtMemsetD8Async(void *ptr, unsigned char value, size_t count,
                                      cnrtQueue_t queue) {
  return rt_fail(rt_fill_async(ptr, value, 1, count, queue));
}

RT_EXPORT cnrtRet_t cnrtMemsetD32(void *ptr, unsigned int value, size_t count) {
  return rt_fail(rt_fill(ptr, value, 4, count));
}

RT_EXPORT cnrtRet_t cnrtMemsetD32Async(void *ptr, unsigned int value, size_t count,
                                       cnrtQueue_t queue) {
  return rt_fail(rt_fill_async(ptr, value, 4, count, queue));
}

/* ---- For libraries that extend the runtime ---- */

RT_EXPORT void cnrtxStream(void *target, const void *source, size_t bytes) {
  cnrtxStreamAll(&target, &source, &bytes, 1);
}
