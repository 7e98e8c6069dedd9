/* SPDX-License-Identifier: MIT
 *
 * The copy family: 1-D, strided and 3-D, with and without a target cluster. Sizes and strides
 * are in bytes, segnum = segments - 1. A size or segment count of zero or less copies
 * nothing.
 */
#ifndef BANG_COPY_H_
#define BANG_COPY_H_

#include "bang/inline.h"

#include "bang_runtime.h"
#include "bang/types.h"
#include "bang/vector_api.h"

/* WRAM has 64 lanes; a copy without strides splits its bytes into 64 equal chunks, one per lane. */
#define BANG_WRAM_LANES 64
#define BANG_WRAM_LANE_BYTES (__MLU_WRAM_SIZE__ * 1024 / BANG_WRAM_LANES)

namespace bang_impl {

BANG_INLINE bool copy_into_wram(int dir) {
  return dir == GDRAM2WRAM || dir == LDRAM2WRAM || dir == NRAM2WRAM || dir == SRAM2WRAM;
}
BANG_INLINE bool copy_out_of_wram(int dir) {
  return dir == WRAM2GDRAM || dir == WRAM2LDRAM || dir == WRAM2NRAM || dir == WRAM2SRAM;
}

BANG_INLINE void copy_wram(void *dst, const void *src, size_t size, int dir, int is_async) {
  size_t chunk = (size + BANG_WRAM_LANES - 1) / BANG_WRAM_LANES;
  size_t lanes = size / chunk;
  size_t rest = size - lanes * chunk;
  bool into = copy_into_wram(dir);
  if (into) {
    dst = __bang_wram_place(dst, BANG_WRAM_LANE_BYTES);
  } else {
    src = __bang_wram_place(src, BANG_WRAM_LANE_BYTES);
  }
  ptrdiff_t dst_stride = into ? BANG_WRAM_LANE_BYTES : static_cast<ptrdiff_t>(chunk);
  ptrdiff_t src_stride = into ? static_cast<ptrdiff_t>(chunk) : BANG_WRAM_LANE_BYTES;
  bangCopyShape shape = {dst_stride, 0, src_stride, 0, lanes - 1, 0, lanes - 1, 0};
  __bang_copy(dst, src, chunk, dir, &shape, is_async);
  if (rest != 0) { /* the last lane gets the remainder */
    __bang_copy(static_cast<char *>(dst) + dst_stride * static_cast<ptrdiff_t>(lanes),
                static_cast<const char *>(src) + src_stride * static_cast<ptrdiff_t>(lanes), rest,
                dir, nullptr, is_async);
  }
}

BANG_INLINE void copy_1d(void *dst, const void *src, int64_t size, int dir, int is_async) {
  if (size <= 0) {
    return;
  }
  if (copy_into_wram(dir) || copy_out_of_wram(dir)) {
    copy_wram(dst, src, static_cast<size_t>(size), dir, is_async);
  } else {
    __bang_copy(dst, src, static_cast<size_t>(size), dir, nullptr, is_async);
  }
}

BANG_INLINE void copy_3d(void *dst, const void *src, int64_t size, int dir, int64_t dst_stride0,
                         int64_t dst_segnum1, int64_t dst_stride1, int64_t dst_segnum2,
                         int64_t src_stride0, int64_t src_segnum1, int64_t src_stride1,
                         int64_t src_segnum2, int is_async) {
  if (size <= 0 || dst_segnum1 < 0 || dst_segnum2 < 0 || src_segnum1 < 0 || src_segnum2 < 0) {
    return;
  }
  bangCopyShape shape = {dst_stride0,
                         dst_stride1,
                         src_stride0,
                         src_stride1,
                         static_cast<size_t>(dst_segnum1),
                         static_cast<size_t>(dst_segnum2),
                         static_cast<size_t>(src_segnum1),
                         static_cast<size_t>(src_segnum2)};
  __bang_copy(dst, src, static_cast<size_t>(size), dir, &shape, is_async);
}

}  // namespace bang_impl

#define BANG_COPY(name, is_async)                                                                \
  BANG_INLINE void name(void *dst, const void *src, int64_t size, mluMemcpyDirection_t dir) {    \
    bang_impl::copy_1d(dst, src, size, dir, is_async);                                           \
  }                                                                                              \
  BANG_INLINE void name(void *dst, const void *src, int64_t size, mluMemcpyDirection_t dir,      \
                        int id_dst_cluster) {                                                    \
    bang_impl::copy_1d(__bang_sram_of_cluster(dst, id_dst_cluster), src, size, dir, is_async);   \
  }                                                                                              \
  BANG_INLINE void name(void *dst, const void *src, int64_t size, mluMemcpyDirection_t dir,      \
                        int64_t dst_stride, int64_t src_stride, int64_t segnum) {                \
    bang_impl::copy_3d(dst, src, size, dir, dst_stride, segnum, 0, 0, src_stride, segnum, 0, 0,  \
                       is_async);                                                                \
  }                                                                                              \
  BANG_INLINE void name(void *dst, const void *src, int64_t size, mluMemcpyDirection_t dir,      \
                        int64_t dst_stride, int64_t src_stride, int64_t segnum,                  \
                        int id_dst_cluster) {                                                    \
    bang_impl::copy_3d(__bang_sram_of_cluster(dst, id_dst_cluster), src, size, dir, dst_stride,  \
                       segnum, 0, 0, src_stride, segnum, 0, 0, is_async);                        \
  }                                                                                              \
  BANG_INLINE void name(void *dst, const void *src, int64_t size, mluMemcpyDirection_t dir,      \
                        int64_t dst_stride0, int64_t dst_segnum1, int64_t dst_stride1,           \
                        int64_t dst_segnum2, int64_t src_stride0, int64_t src_segnum1,           \
                        int64_t src_stride1, int64_t src_segnum2) {                              \
    bang_impl::copy_3d(dst, src, size, dir, dst_stride0, dst_segnum1, dst_stride1, dst_segnum2,  \
                       src_stride0, src_segnum1, src_stride1, src_segnum2, is_async);            \
  }                                                                                              \
  BANG_INLINE void name(void *dst, const void *src, int64_t size, mluMemcpyDirection_t dir,      \
                        int64_t dst_stride0, int64_t dst_segnum1, int64_t dst_stride1,           \
                        int64_t dst_segnum2, int64_t src_stride0, int64_t src_segnum1,           \
                        int64_t src_stride1, int64_t src_segnum2, int id_dst_cluster) {          \
    bang_impl::copy_3d(__bang_sram_of_cluster(dst, id_dst_cluster), src, size, dir, dst_stride0, \
                       dst_segnum1, dst_stride1, dst_segnum2, src_stride0, src_segnum1,          \
                       src_stride1, src_segnum2, is_async);                                      \
  }

BANG_COPY(__memcpy, 0)
BANG_COPY(__memcpy_async, 1)

#undef BANG_COPY

#endif /* BANG_COPY_H_ */
