/* SPDX-License-Identifier: MIT
 *
 * Pooling, matrix product and convolution: one lane computes each output, with its sum in ascending
 * order, as on the CPU root. Included by bang/vector_api.h.
 */
#ifndef BANG_VECTOR_WINDOWS_H_
#define BANG_VECTOR_WINDOWS_H_

#include "bang/loops.h"
#include "bang/matrix_product.h"

enum {
  BANG_POOL_SUM,
  BANG_POOL_AVG,
  BANG_POOL_MAX,
  BANG_POOL_MIN,
  BANG_POOL_NAN_MAX, /* NaN if any element is NaN */
  BANG_POOL_NAN_MIN
};
typedef struct bangWindow {
  int64_t channel, height, width, kernel_height, kernel_width, stride_width, stride_height;
} bangWindow;

namespace bang_impl {

BANG_INLINE int64_t window_outputs(int64_t length, int64_t kernel, int64_t stride) {
  return kernel <= 0 || stride <= 0 || length < kernel ? 0 : (length - kernel) / stride + 1;
}
BANG_INLINE int64_t output_rows(const bangWindow &w) {
  return window_outputs(w.height, w.kernel_height, w.stride_height);
}
BANG_INLINE int64_t output_columns(const bangWindow &w) {
  return window_outputs(w.width, w.kernel_width, w.stride_width);
}
/* Input position of element k of an output's window. */
BANG_INLINE int64_t window_place(const bangWindow &w, int64_t row, int64_t column, int64_t k,
                                 int64_t channel) {
  int64_t y = row * w.stride_height + k / w.kernel_width;
  int64_t x = column * w.stride_width + k % w.kernel_width;
  return (y * w.width + x) * w.channel + channel;
}

struct Output {
  int64_t row, column, channel;
};
BANG_INLINE Output output_at(const bangWindow &w, int64_t i) {
  int64_t columns = output_columns(w);
  return Output{i / w.channel / columns, i / w.channel % columns, i % w.channel};
}
BANG_INLINE int64_t output_count(const bangWindow &w) {
  return output_rows(w) * output_columns(w) * w.channel;
}

template <class T>
BANG_INLINE float pooled(int kind, const T *src, const bangWindow &w, const Output &out) {
  const int64_t area = w.kernel_height * w.kernel_width;
  float sum = float(src[window_place(w, out.row, out.column, 0, out.channel)]);
  for (int64_t k = 1; k < area; ++k) {
    float x = float(src[window_place(w, out.row, out.column, k, out.channel)]);
    sum = kind == BANG_POOL_MAX       ? float_binary<BANG_MAX>(sum, x)
          : kind == BANG_POOL_MIN     ? float_binary<BANG_MIN>(sum, x)
          : kind == BANG_POOL_NAN_MAX ? float_binary<BANG_NAN_MAX>(sum, x)
          : kind == BANG_POOL_NAN_MIN ? float_binary<BANG_NAN_MIN>(sum, x)
                                      : sum + x;
  }
  return kind == BANG_POOL_AVG ? sum / (float)area : sum;
}

/* dst may be src: all outputs of a round are computed before any is written, so every window is
 * read in time. */
template <int code>
BANG_CALLED void vec_pool(int kind, void *dst, const void *src, const bangWindow *window) {
  typedef typename type_of<code>::type T;
  const bangWindow w = *window;
  const int64_t n = output_count(w);
  for (int64_t first = 0; first < n; first += warp_lanes) {
    int64_t i = first + lane_id();
    T y = T();
    if (i < n) y = T(pooled(kind, (const T *)src, w, output_at(w, i)));
    __syncwarp();
    if (i < n) ((T *)dst)[i] = y;
    __syncwarp();
  }
}

/* Where NaN does not propagate, any number beats it. */
BANG_INLINE bool is_better(int kind, float x, float best) {
  if (kind == BANG_POOL_NAN_MAX || kind == BANG_POOL_NAN_MIN) {
    return best == best && (x != x || (kind == BANG_POOL_NAN_MAX ? x > best : x < best));
  }
  return (kind == BANG_POOL_MAX ? x > best : x < best) || (best != best && x == x);
}

template <int code>
BANG_CALLED void vec_pool_index(int kind, void *values, void *indices, const void *src,
                                const bangWindow *window) {
  typedef typename type_of<code>::type T;
  typedef typename word_of<sizeof(T)>::type Index;
  const bangWindow w = *window;
  for (int64_t i = lane_id(); i < output_count(w); i += warp_lanes) {
    Output out = output_at(w, i);
    float best = 0.0f;
    uint32_t index = 0;
    for (int64_t k = 0; k < w.kernel_height * w.kernel_width; ++k) {
      float x = float(((const T *)src)[window_place(w, out.row, out.column, k, out.channel)]);
      if (k == 0 || is_better(kind, x, best)) {
        best = x;
        index = (uint32_t)k;
      }
    }
    if (values) ((T *)values)[i] = T(best);
    if (indices) ((Index *)indices)[i] = (Index)index;
  }
  __syncwarp();
}

/* What an input element receives from the windows that cover it, in window order. */
template <class T, class Term>
BANG_INLINE void spread_windows(void *dst, const bangWindow &w, const Term &term) {
  const int64_t rows = output_rows(w), columns = output_columns(w);
  const int64_t n = w.height * w.width * w.channel;
  for (int64_t i = lane_id(); i < n; i += warp_lanes) {
    int64_t channel = i % w.channel, x = i / w.channel % w.width, y = i / w.channel / w.width;
    T sum = T(0.0f);
    for (int64_t row = 0; row < rows; ++row) {
      int64_t inside_y = y - row * w.stride_height;
      if (inside_y < 0 || inside_y >= w.kernel_height) continue;
      for (int64_t column = 0; column < columns; ++column) {
        int64_t inside_x = x - column * w.stride_width;
        if (inside_x < 0 || inside_x >= w.kernel_width) continue;
        sum = term((row * columns + column) * w.channel + channel,
                   inside_y * w.kernel_width + inside_x, sum);
      }
    }
    ((T *)dst)[i] = sum;
  }
  __syncwarp();
}
template <int code>
BANG_CALLED void vec_avgpool_bp(void *dst, const void *src, const bangWindow *window) {
  typedef typename type_of<code>::type T;
  const float area = (float)(window->kernel_height * window->kernel_width);
  spread_windows<T>(dst, *window, [=](int64_t i, int64_t, T sum) {
    return T(float(sum) + float(((const T *)src)[i]) / area);
  });
}
template <int code>
BANG_CALLED void vec_maxpool_bp(void *dst, const void *src, const void *index,
                                const bangWindow *window, int covers) {
  typedef typename type_of<code>::type T;
  typedef typename word_of<sizeof(T)>::type Index;
  spread_windows<T>(dst, *window, [=](int64_t i, int64_t k, T sum) {
    if ((int64_t)((const Index *)index)[i] != k) return sum;
    float x = float(((const T *)src)[i]);
    return T(covers ? x : float(sum) + x);
  });
}
template <int code>
BANG_CALLED void vec_unpool(void *dst, const void *src, const bangWindow *window, int64_t index) {
  typedef typename type_of<code>::type T;
  bangWindow w = *window;
  const int64_t height = w.height, width = w.width;
  if (height <= 0 || width <= 0 || index < 0 || index >= w.kernel_height * w.kernel_width) return;
  w.height = (height - 1) * w.stride_height + w.kernel_height;
  w.width = (width - 1) * w.stride_width + w.kernel_width;
  generate((T *)dst, w.height * w.width * w.channel, [](int64_t) { return T(0.0f); });
  for (int64_t i = lane_id(); i < height * width * w.channel; i += warp_lanes) {
    int64_t channel = i % w.channel, x = i / w.channel % width, y = i / w.channel / width;
    ((T *)dst)[window_place(w, y, x, index, channel)] = ((const T *)src)[i];
  }
  __syncwarp();
}

/* ---- the tensor unit ---- */

enum { weight_lanes = 64, slot_bytes = 64 };

/* Row r of the weight is in slot r / 64 of lane r % 64. */
template <class W>
BANG_INLINE const W *weight_row(const void *weight, int64_t row, int64_t k, int64_t lane_bytes) {
  int64_t slot = (k * (int64_t)sizeof(W) + slot_bytes - 1) / slot_bytes * slot_bytes;
  return (const W *)((const char *)weight + row % weight_lanes * lane_bytes +
                     row / weight_lanes * slot);
}
template <class T>
BANG_INLINE float as_float(T x) {
  return (float)x;
}
/* Rounds to nearest, ties to even; NaN stays NaN. */
BANG_INLINE float as_float(tf32 x) {
  uint32_t bits = bits_of(x.number);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return x.number;
  return float_of((bits + 0xfffu + (bits >> 13 & 1u)) & ~0x1fffu);
}
template <int code>
BANG_INLINE void put_product(void *dst, int64_t i, float sum, const void *bias, int64_t place,
                             int shift) {
  typedef typename type_of<code>::type D;
  if (shift != 0) sum = sum * ldexpf(1.0f, shift);
  if (bias) sum = sum + as_float(((const D *)bias)[place]);
  ((D *)dst)[i] = convert_element<D, float>(sum, 0, BANG_RN);
}

template <int dst_code, class S, class W>
struct Matmul {
  void *dst;
  const S *src;
  const void *weight, *bias;
  int64_t bias_n, m, k, n, lane_bytes;
  int shift;

  BANG_MEMBER void operator()(Share share) const {
    for (int64_t i = share.first; i < m * n; i += share.step) {
      const S *x = src + i / n * k;
      const W *y = weight_row<W>(weight, i % n, k, lane_bytes);
      float sum = 0.0f;
#pragma unroll 8
      for (int64_t d = 0; d < k; ++d) sum += as_float(x[d]) * as_float(y[d]);
      put_product<dst_code>(dst, i, sum, bias, bias_n == n ? i % n : i, shift);
    }
  }
};
template <int dst_code, int src_code, int weight_code>
BANG_CALLED void vec_matmul(void *dst, const void *src, const void *weight, const void *bias,
                            int64_t bias_n, int64_t m, int64_t k, int64_t n, int64_t lane_bytes,
                            int shift) {
  typedef typename type_of<src_code>::type S;
  typedef typename type_of<weight_code>::type W;
  if (m <= 0 || k <= 0 || n <= 0) return;
  int64_t slot = (k * (int64_t)sizeof(W) + slot_bytes - 1) / slot_bytes * slot_bytes;
  if (slot * ((n + weight_lanes - 1) / weight_lanes) > lane_bytes) {
    fault(fault_illegal_operand, "matmul: the weight's rows do not fit WRAM");
  }
  if constexpr (src_code == weight_code && has_tensor_core(src_code)) {
    if (k % lane_terms == 0 && ((uint64_t)src | (uint64_t)weight) % sizeof(uint4) == 0) {
      __syncwarp();
      matrix_product<src_code>(
          (int)m, (int)k, (int)n, [=](int i) { return (const S *)src + i * k; },
          [=](int i) { return weight_row<W>(weight, i, k, lane_bytes); },
          [=](int row, int column, float sum) {
            const int64_t i = row * n + column;
            put_product<dst_code>(dst, i, sum, bias, bias_n == n ? column : i, shift);
          });
      __syncwarp();
      return;
    }
  }
  Matmul<dst_code, S, W> work = {dst, (const S *)src, weight, bias, bias_n, m, k,
                                 n,   lane_bytes,     shift};
  divide_work(dst, work);
}

template <int dst_code, int src_code, int weight_code>
BANG_CALLED void vec_conv(void *dst, const void *src, const void *weight, const void *bias,
                          const bangWindow *window, int64_t channel_out, int64_t lane_bytes,
                          int shift, int64_t dilation_width, int64_t dilation_height) {
  typedef typename type_of<src_code>::type S;
  typedef typename type_of<weight_code>::type W;
  const bangWindow w = *window;
  if (dilation_width <= 0 || dilation_height <= 0) {
    fault(fault_illegal_operand, "conv: such steps between elements are not supported");
  }
  if (w.channel <= 0 || channel_out <= 0) return;
  bangWindow covered = w;
  covered.kernel_height = (w.kernel_height - 1) * dilation_height + 1;
  covered.kernel_width = (w.kernel_width - 1) * dilation_width + 1;
  const int64_t columns = output_columns(covered), n = output_rows(covered) * columns * channel_out;
  if (w.kernel_height == 1 && w.kernel_width == 1 && n == w.height * w.width * channel_out) {
    vec_matmul<dst_code, src_code, weight_code>(dst, src, weight, bias, channel_out,
                                                w.height * w.width, w.channel, channel_out,
                                                lane_bytes, shift);
    return;
  }
  const int64_t row_terms = w.kernel_width * w.channel, k = w.kernel_height * row_terms;
  for (int64_t i = lane_id(); i < n; i += warp_lanes) {
    int64_t column = i % channel_out, place = i / channel_out;
    const W *y = weight_row<W>(weight, column, k, lane_bytes);
    float sum = 0.0f;
    for (int64_t d = 0; d < k; ++d) {
      int64_t term = d % row_terms;
      int64_t line = place / columns * w.stride_height + d / row_terms * dilation_height;
      int64_t at = place % columns * w.stride_width + term / w.channel * dilation_width;
      int64_t first = (line * w.width + at) * w.channel;
      sum += as_float(((const S *)src)[first + term % w.channel]) * as_float(y[d]);
    }
    put_product<dst_code>(dst, i, sum, bias, column, shift);
  }
  __syncwarp();
}

}  // namespace bang_impl

#define __bang_vec_pool(kind, type, ...) bang_impl::vec_pool<(type)>(kind, __VA_ARGS__)
#define __bang_vec_pool_index(kind, type, ...) bang_impl::vec_pool_index<(type)>(kind, __VA_ARGS__)
#define __bang_vec_avgpool_bp(type, ...) bang_impl::vec_avgpool_bp<(type)>(__VA_ARGS__)
#define __bang_vec_maxpool_bp(type, ...) bang_impl::vec_maxpool_bp<(type)>(__VA_ARGS__)
#define __bang_vec_unpool(type, ...) bang_impl::vec_unpool<(type)>(__VA_ARGS__)
#define __bang_vec_matmul(dst_type, dst, src_type, src, weight_type, ...) \
  bang_impl::vec_matmul<(dst_type), (src_type), (weight_type)>(dst, src, __VA_ARGS__)
#define __bang_vec_conv(dst_type, dst, src_type, src, weight_type, ...) \
  bang_impl::vec_conv<(dst_type), (src_type), (weight_type)>(dst, src, __VA_ARGS__)

#endif /* BANG_VECTOR_WINDOWS_H_ */
