/* SPDX-License-Identifier: MIT
 *
 * Group N: the tensor unit. Weights lie in WRAM: row r in slot r / 64 of lane r % 64.
 */
#ifndef BANG_TENSOR_H_
#define BANG_TENSOR_H_

#include "bang/inline.h"

#include "bang/copy.h"
#include "bang/element.h"
#include "bang/vector_api.h"

namespace bang_impl {

/* Combinations of operand types and accumulator types. */
template <class D, class S, class W>
using only_tensor =
    typename std::enable_if<in_set(element<D>::code,
                                   BANG_SET_FLOAT | BANG_SET(BANG_S16) | BANG_SET(BANG_S32)) &&
                            in_set(element<typename std::remove_cv<S>::type>::code,
                                   BANG_SET_FLOAT | BANG_SET(BANG_S8) | BANG_SET(BANG_S16)) &&
                            in_set(element<typename std::remove_cv<W>::type>::code,
                                   BANG_SET_FLOAT | BANG_SET(BANG_S8) | BANG_SET(BANG_S16))>::type;

template <class D, class S, class W>
BANG_INLINE void matmul(D *dst, S *src, W *weight, const D *bias, int64_t bias_n, int64_t m,
                        int64_t k, int64_t n, int shift) {
  __bang_vec_matmul(element<D>::code, dst, element<typename std::remove_cv<S>::type>::code, src,
                    element<typename std::remove_cv<W>::type>::code,
                    __bang_wram_place(weight, BANG_WRAM_LANE_BYTES), bias, bias_n, m, k, n,
                    BANG_WRAM_LANE_BYTES, shift);
}
template <class D, class S, class W>
BANG_INLINE void conv(D *dst, S *src, W *weight, const D *bias, const bangWindow &window,
                      int64_t channel_out, int shift, int64_t dilation_width = 1,
                      int64_t dilation_height = 1) {
  __bang_vec_conv(element<D>::code, dst, element<typename std::remove_cv<S>::type>::code, src,
                  element<typename std::remove_cv<W>::type>::code,
                  __bang_wram_place(weight, BANG_WRAM_LANE_BYTES), bias, &window, channel_out,
                  BANG_WRAM_LANE_BYTES, shift, dilation_width, dilation_height);
}

}  // namespace bang_impl

/* dst[m][n] = src[m][k] . weight[n][k]; integer products are scaled by 2^fix_position */
template <class D, class S, class W>
BANG_INLINE bang_impl::only_tensor<D, S, W> __bang_matmul(D *dst, S *src, W *weight, int64_t m,
                                                          int64_t k, int64_t n,
                                                          int fix_position = 0) {
  bang_impl::matmul(dst, src, weight, static_cast<const D *>(nullptr), 0, m, k, n, fix_position);
}
/* ... + addend[m][n], which may be dst */
template <class D, class S, class W, class B>
BANG_INLINE typename std::enable_if<std::is_same<typename std::remove_cv<B>::type, D>::value,
                                    bang_impl::only_tensor<D, S, W>>::type
__bang_matmul(D *dst, S *src, W *weight, B *addend, int64_t m, int64_t k, int64_t n,
              int fix_position = 0) {
  bang_impl::matmul(dst, src, weight, static_cast<const D *>(addend), m * n, m, k, n, fix_position);
}

template <class D, class S, class W>
BANG_INLINE bang_impl::only_tensor<D, S, W> __bang_conv(D *dst, S *src, W *kernel,
                                                        int64_t channel_in, int64_t height,
                                                        int64_t width, int64_t kernel_height,
                                                        int64_t kernel_width, int64_t stride_width,
                                                        int64_t stride_height, int64_t channel_out,
                                                        int fix_position = 0) {
  bang_impl::conv(dst, src, kernel, static_cast<const D *>(nullptr),
                  bangWindow{channel_in, height, width, kernel_height, kernel_width, stride_width,
                             stride_height},
                  channel_out, fix_position);
}
template <class D, class S, class W, class B>
BANG_INLINE typename std::enable_if<std::is_same<typename std::remove_cv<B>::type, D>::value,
                                    bang_impl::only_tensor<D, S, W>>::type
__bang_conv(D *dst, S *src, W *kernel, B *bias, int64_t channel_in, int64_t height, int64_t width,
            int64_t kernel_height, int64_t kernel_width, int64_t stride_width,
            int64_t stride_height, int64_t channel_out, int fix_position = 0) {
  bang_impl::conv(dst, src, kernel, static_cast<const D *>(bias),
                  bangWindow{channel_in, height, width, kernel_height, kernel_width, stride_width,
                             stride_height},
                  channel_out, fix_position);
}
/* With dilation: the step between the elements of a window. The last two parameters dilate src and
 * must be 1. */
template <class D, class S, class W>
BANG_INLINE bang_impl::only_tensor<D, S, W> __bang_conv(
    D *dst, S *src, W *kernel, int64_t channel_in, int64_t height, int64_t width,
    int64_t kernel_height, int64_t kernel_width, int64_t stride_width, int64_t stride_height,
    int64_t channel_out, int64_t dilation_width, int64_t dilation_height,
    int64_t src_dilation_width, int64_t src_dilation_height) {
  bang_impl::conv(dst, src, kernel, static_cast<const D *>(nullptr),
                  bangWindow{channel_in, height, width, kernel_height, kernel_width, stride_width,
                             stride_height},
                  channel_out, 0,
                  src_dilation_width == 1 && src_dilation_height == 1 ? dilation_width : 0,
                  dilation_height);
}
/* Operands are rounded to TF32 (nearest, ties to even); the sum is in float. */
BANG_INLINE void __bang_conv_tf32(float *dst, const float *src, const float *kernel,
                                  int64_t channel_in, int64_t height, int64_t width,
                                  int64_t kernel_height, int64_t kernel_width, int64_t stride_width,
                                  int64_t stride_height, int64_t channel_out) {
  bang_impl::conv(dst, reinterpret_cast<const bang_impl::tf32 *>(src),
                  reinterpret_cast<const bang_impl::tf32 *>(kernel),
                  static_cast<const float *>(nullptr),
                  bangWindow{channel_in, height, width, kernel_height, kernel_width, stride_width,
                             stride_height},
                  channel_out, 0);
}
/* dst[height] = weight[height][width] . src[width] (+ bias[height]) */
template <class D, class S, class W>
BANG_INLINE bang_impl::only_tensor<D, S, W> __bang_mlp(D *dst, S *src,
                                                       const bang_impl::same<D> *bias, W *weight,
                                                       int64_t height, int64_t width,
                                                       int fix_position = 0) {
  bang_impl::matmul(dst, src, weight, bias, height, 1, width, height, fix_position);
}
template <class D, class S, class W>
BANG_INLINE bang_impl::only_tensor<D, S, W> __bang_mlp(D *dst, S *src, W *weight, int64_t height,
                                                       int64_t width, int fix_position = 0) {
  bang_impl::matmul(dst, src, weight, static_cast<const D *>(nullptr), 0, 1, width, height,
                    fix_position);
}

template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_reshape_filter(T *dst,
                                                                   const bang_impl::same<T> *src,
                                                                   int64_t n, int64_t h, int64_t w,
                                                                   int64_t c) {
  __bang_vec_reshape_filter(dst, src, n, h * w * c * static_cast<int64_t>(sizeof(T)));
}

/* dst[n][c] = a[n] * b[n][c] (+ addend[n][c]). A card needs the vector `ones`; it is ignored here.
 */
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> __bang_expand_channel_mul(
    T *dst, const bang_impl::same<T> *a, const bang_impl::same<T> *ones,
    const bang_impl::same<T> *b, int64_t n, int64_t c) {
  (void)ones;
  for (int64_t i = 0; i < n; i++) {
    __bang_vec_scalar(BANG_MUL, bang_impl::element<T>::code, dst + i * c, b + i * c, a + i, c);
  }
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> __bang_expand_channel_mul_add(
    T *dst, const bang_impl::same<T> *a, const bang_impl::same<T> *ones,
    const bang_impl::same<T> *b, const bang_impl::same<T> *addend, int64_t n, int64_t c) {
  (void)ones;
  for (int64_t i = 0; i < n; i++) {
    __bang_vec_fusion(FUSION_FMA, bang_impl::element<T>::code, dst + i * c, b + i * c, a + i, 1,
                      addend + i * c, 0, c, c);
  }
}

#endif /* BANG_TENSOR_H_ */
