/* SPDX-License-Identifier: MIT
 *
 * Group G: pooling of height x width x channel blocks. The stride of the width comes first; without
 * strides, windows do not overlap.
 */
#ifndef BANG_POOL_H_
#define BANG_POOL_H_

#include "bang/inline.h"

#include "bang/element.h"
#include "bang/vector_api.h"

namespace bang_impl {

/* Indices are as wide as the values. */
template <class T>
struct index_of {
  typedef typename std::conditional<sizeof(T) == 2, uint16_t, uint32_t>::type type;
};

template <class T>
BANG_INLINE void pool(int kind, T *dst, const T *src, const bangWindow &window) {
  __bang_vec_pool(kind, element<T>::code, dst, src, &window);
}
template <class T>
BANG_INLINE void pool_index(int kind, T *values, void *indices, const T *src,
                            const bangWindow &window) {
  __bang_vec_pool_index(kind, element<T>::code, values, indices, src, &window);
}

}  // namespace bang_impl

#define BANG_POOL(name, kind)                                                                     \
  template <class T>                                                                              \
  BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> name(                                            \
      T *dst, const bang_impl::same<T> *src, int64_t channel, int64_t height, int64_t width,      \
      int64_t kernel_height, int64_t kernel_width, int64_t stride_width, int64_t stride_height) { \
    bang_impl::pool(kind, dst, src,                                                               \
                    bangWindow{channel, height, width, kernel_height, kernel_width, stride_width, \
                               stride_height});                                                   \
  }                                                                                               \
  template <class T>                                                                              \
  BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> name(                                            \
      T *dst, const bang_impl::same<T> *src, int64_t channel, int64_t height, int64_t width,      \
      int64_t kernel_height, int64_t kernel_width) {                                              \
    name(dst, src, channel, height, width, kernel_height, kernel_width, kernel_width,             \
         kernel_height);                                                                          \
  }
BANG_POOL(__bang_sumpool, BANG_POOL_SUM)
BANG_POOL(__bang_avgpool, BANG_POOL_AVG)
BANG_POOL(__bang_maxpool, BANG_POOL_MAX)
BANG_POOL(__bang_minpool, BANG_POOL_MIN)
BANG_POOL(__bang_nan_maxpool, BANG_POOL_NAN_MAX)
BANG_POOL(__bang_nan_minpool, BANG_POOL_NAN_MIN)
#undef BANG_POOL

#define BANG_POOL_INDEX(name, kind)                                                              \
  template <class T>                                                                             \
  BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> name(                                           \
      typename bang_impl::index_of<T>::type *dst, const T *src, int64_t channel, int64_t height, \
      int64_t width, int64_t kernel_height, int64_t kernel_width, int64_t stride_width,          \
      int64_t stride_height) {                                                                   \
    bang_impl::pool_index<T>(kind, nullptr, dst, src,                                            \
                             bangWindow{channel, height, width, kernel_height, kernel_width,     \
                                        stride_width, stride_height});                           \
  }                                                                                              \
  template <class T>                                                                             \
  BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> name(                                           \
      typename bang_impl::index_of<T>::type *dst, const T *src, int64_t channel, int64_t height, \
      int64_t width, int64_t kernel_height, int64_t kernel_width) {                              \
    name(dst, src, channel, height, width, kernel_height, kernel_width, kernel_width,            \
         kernel_height);                                                                         \
  }
BANG_POOL_INDEX(__bang_maxpool_index, BANG_POOL_MAX)
BANG_POOL_INDEX(__bang_minpool_index, BANG_POOL_MIN)
BANG_POOL_INDEX(__bang_nan_maxpool_index, BANG_POOL_NAN_MAX)
BANG_POOL_INDEX(__bang_nan_minpool_index, BANG_POOL_NAN_MIN)
#undef BANG_POOL_INDEX

/* Indices start value_index_stride bytes after the values. */
#define BANG_POOL_VALUE_INDEX(name, kind)                                                        \
  template <class T>                                                                             \
  BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> name(                                           \
      T *dst, const bang_impl::same<T> *src, int64_t channel, int64_t height, int64_t width,     \
      int64_t kernel_height, int64_t kernel_width, int64_t stride_width, int64_t stride_height,  \
      int64_t value_index_stride) {                                                              \
    bang_impl::pool_index<T>(kind, dst, reinterpret_cast<char *>(dst) + value_index_stride, src, \
                             bangWindow{channel, height, width, kernel_height, kernel_width,     \
                                        stride_width, stride_height});                           \
  }
BANG_POOL_VALUE_INDEX(__bang_maxpool_value_index, BANG_POOL_MAX)
BANG_POOL_VALUE_INDEX(__bang_minpool_value_index, BANG_POOL_MIN)
BANG_POOL_VALUE_INDEX(__bang_nan_maxpool_value_index, BANG_POOL_NAN_MAX)
BANG_POOL_VALUE_INDEX(__bang_nan_minpool_value_index, BANG_POOL_NAN_MIN)
#undef BANG_POOL_VALUE_INDEX

template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> __bang_avgpool_bp(
    T *dst, const bang_impl::same<T> *src, int64_t channel, int64_t height, int64_t width,
    int64_t kernel_height, int64_t kernel_width, int64_t stride_width, int64_t stride_height) {
  bangWindow window = {channel,      height,       width,        kernel_height,
                       kernel_width, stride_width, stride_height};
  __bang_vec_avgpool_bp(bang_impl::element<T>::code, dst, src, &window);
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> __bang_maxpool_bp(
    T *dst, const bang_impl::same<T> *src, const typename bang_impl::index_of<T>::type *index,
    int64_t channel, int64_t height, int64_t width, int64_t kernel_height, int64_t kernel_width,
    int64_t stride_width, int64_t stride_height, mluPoolBPOverlap overlap = OVERLAP_ACC) {
  bangWindow window = {channel,      height,       width,        kernel_height,
                       kernel_width, stride_width, stride_height};
  __bang_vec_maxpool_bp(bang_impl::element<T>::code, dst, src, index, &window,
                        overlap == OVERLAP_COVER);
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> __bang_unpool(T *dst, const bang_impl::same<T> *src,
                                                             int64_t channel, int64_t height,
                                                             int64_t width, int64_t kernel_height,
                                                             int64_t kernel_width,
                                                             int64_t stride_width,
                                                             int64_t stride_height, int64_t index) {
  bangWindow window = {channel,      height,       width,        kernel_height,
                       kernel_width, stride_width, stride_height};
  __bang_vec_unpool(bang_impl::element<T>::code, dst, src, &window, index);
}

#endif /* BANG_POOL_H_ */
