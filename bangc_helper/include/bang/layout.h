/* SPDX-License-Identifier: MIT
 *
 * Group E: moving elements around in NRAM.
 */
#ifndef BANG_LAYOUT_H_
#define BANG_LAYOUT_H_

#include "bang/inline.h"

#include "bang/copy.h"
#include "bang/element.h"
#include "bang/vector_api.h"

#define BANG_MATRIX(name, call)                                                            \
  template <class T>                                                                       \
  BANG_INLINE bang_impl::only<T, BANG_SET_ALL> name(T *dst, const bang_impl::same<T> *src, \
                                                    int64_t height, int64_t width) {       \
    call;                                                                                  \
  }
BANG_MATRIX(__bang_transpose, __bang_vec_transpose(sizeof(T), dst, src, height, width))
BANG_MATRIX(__bang_rotate90, __bang_vec_rotate(sizeof(T), dst, src, height, width, 1))
BANG_MATRIX(__bang_rotate180, __bang_vec_rotate(sizeof(T), dst, src, height, width, 2))
BANG_MATRIX(__bang_rotate270, __bang_vec_rotate(sizeof(T), dst, src, height, width, 3))
BANG_MATRIX(__bang_mirror, __bang_vec_mirror(sizeof(T), dst, src, height, width))
#undef BANG_MATRIX

template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_pad(T *dst, const bang_impl::same<T> *src,
                                                        int64_t channel, int64_t height,
                                                        int64_t width, int64_t top, int64_t bottom,
                                                        int64_t left, int64_t right) {
  T zero = static_cast<T>(0);
  __bang_vec_pad(sizeof(T), dst, src, &zero, channel, height, width, top, bottom, left, right);
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_pad(T *dst, const bang_impl::same<T> *src,
                                                        int64_t channel, int64_t height,
                                                        int64_t width, int64_t pad_height,
                                                        int64_t pad_width) {
  __bang_pad(dst, src, channel, height, width, pad_height, pad_height, pad_width, pad_width);
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_pad(T *dst, const bang_impl::same<T> *src,
                                                        int64_t channel, int64_t height,
                                                        int64_t width, int64_t top, int64_t bottom,
                                                        int64_t left, int64_t right,
                                                        bang_impl::same<T> value) {
  __bang_vec_pad(sizeof(T), dst, src, &value, channel, height, width, top, bottom, left, right);
}

/* Transposes n images of height x width x channel to channel first, and back. */
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_reshape_nhwc2nchw(T *dst,
                                                                      const bang_impl::same<T> *src,
                                                                      int64_t n, int64_t h,
                                                                      int64_t w, int64_t c) {
  for (int64_t i = 0; i < n; i++) {
    __bang_vec_transpose(sizeof(T), dst + i * h * w * c, src + i * h * w * c, h * w, c);
  }
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_reshape_nchw2nhwc(T *dst,
                                                                      const bang_impl::same<T> *src,
                                                                      int64_t n, int64_t h,
                                                                      int64_t w, int64_t c) {
  for (int64_t i = 0; i < n; i++) {
    __bang_vec_transpose(sizeof(T), dst + i * h * w * c, src + i * h * w * c, c, h * w);
  }
}

BANG_INLINE void __extension(void *dst, const void *src, const uint8_t *repeat, int64_t bytes,
                             mluMemcpyDirection_t dir, int64_t n) {
  (void)dir; /* NRAM to NRAM is the only direction */
  __bang_vec_extension(dst, src, repeat, bytes, n);
}

/* NRAM to NRAM in the order of the compute unit; segnum = segments - 1, as in the copy family. */
BANG_INLINE void __bang_move(void *dst, const void *src, int64_t bytes) {
  if (bytes > 0) {
    BANG_MEMMOVE(dst, src, static_cast<size_t>(bytes));
  }
}
BANG_INLINE void __bang_move(void *dst, const void *src, int64_t bytes, int64_t dst_stride,
                             int64_t src_stride, int64_t segnum) {
  for (int64_t i = 0; i <= segnum; i++) {
    __bang_move(static_cast<char *>(dst) + i * dst_stride,
                static_cast<const char *>(src) + i * src_stride, bytes);
  }
}

#endif /* BANG_LAYOUT_H_ */
