/* SPDX-License-Identifier: MIT
 *
 * Forms of older toolkits: with scratch operands, or with the type taken from the pointer.
 */
#ifndef BANG_OLDER_H_
#define BANG_OLDER_H_

#include "bang/inline.h"

#include "bang/element.h"
#include "bang/fill.h"
#include "bang/layout.h"
#include "bang/vector_api.h"

template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> __bang_div(T *dst, const bang_impl::same<T> *a,
                                                          const bang_impl::same<T> *b,
                                                          bang_impl::same<T> *scratch, int64_t n) {
  (void)scratch;
  __bang_vec_binary(BANG_DIV, bang_impl::element<T>::code, dst, a, b, n);
}

/* The second operand starts `distance` elements after the first. */
template <class T, class Distance>
BANG_INLINE typename std::enable_if<std::is_integral<Distance>::value,
                                    bang_impl::only<T, BANG_SET_FLOAT>>::type
__bang_maximum(T *dst, const bang_impl::same<T> *src, Distance distance, int64_t n) {
  __bang_vec_binary(BANG_MAX, bang_impl::element<T>::code, dst, src, src + distance, n);
}
template <class T, class Distance>
BANG_INLINE typename std::enable_if<std::is_integral<Distance>::value,
                                    bang_impl::only<T, BANG_SET_FLOAT>>::type
__bang_minimum(T *dst, const bang_impl::same<T> *src, Distance distance, int64_t n) {
  __bang_vec_binary(BANG_MIN, bang_impl::element<T>::code, dst, src, src + distance, n);
}

BANG_ON_CALL void __bang_half2uchar_dn(int8_t *dst, const half *src, int64_t n) {
  __bang_vec_convert(BANG_S8, dst, BANG_F16, src, n, 0, BANG_DN);
}
BANG_ON_CALL void __bang_half2uchar_dn(uint8_t *dst, const half *src, half *scratch, int64_t n) {
  (void)scratch;
  __bang_vec_convert(BANG_U8, dst, BANG_F16, src, n, 0, BANG_DN);
}

#define BANG_TAYLOR(name, op)                                                                    \
  template <class T>                                                                             \
  BANG_INLINE bang_impl::only<T, BANG_SET_FLOAT> name(T *dst, const bang_impl::same<T> *src,     \
                                                      bang_impl::same<T> *scratch0,              \
                                                      bang_impl::same<T> *scratch1, int64_t n) { \
    (void)scratch0;                                                                              \
    (void)scratch1;                                                                              \
    __bang_vec_unary(op, bang_impl::element<T>::code, dst, src, n);                              \
  }
BANG_TAYLOR(__bang_taylor3_sin, BANG_SIN)
BANG_TAYLOR(__bang_taylor3_cos, BANG_COS)
BANG_TAYLOR(__bang_taylor3_tanh, BANG_TANH)
BANG_TAYLOR(__bang_taylor3_sigmoid, BANG_SIGMOID)
BANG_TAYLOR(__bang_taylor3_softplus, BANG_SOFTPLUS)
BANG_TAYLOR(__bang_taylor4_sin, BANG_SIN)
BANG_TAYLOR(__bang_taylor4_cos, BANG_COS)
BANG_TAYLOR(__bang_taylor4_tanh, BANG_TANH)
BANG_TAYLOR(__bang_taylor4_sigmoid, BANG_SIGMOID)
BANG_TAYLOR(__bang_taylor4_softplus, BANG_SOFTPLUS)
#undef BANG_TAYLOR

BANG_INLINE void __memcpy_nram_to_nram(void *dst, const void *src, int64_t bytes,
                                       int64_t dst_stride, int64_t src_stride, int64_t segnum) {
  __bang_move(dst, src, bytes, dst_stride, src_stride, segnum);
}

/* Debugger dumps: the arguments are evaluated, and nothing is dumped. */
#define __breakdump_scalar(...) ((void)(__VA_ARGS__))
#define __breakdump_vector(src, bytes, space) ((void)(src), (void)(bytes))

/* Performance counters of second-generation cards; they count nothing here. */
#define BANG_COUNTER(name)          \
  BANG_INLINE unsigned int name() { \
    return 0;                       \
  }
BANG_COUNTER(__bang_perf_executed_inst)
BANG_COUNTER(__bang_perf_cache_miss)
BANG_COUNTER(__bang_perf_compute_alu_low)
BANG_COUNTER(__bang_perf_compute_alu_high)
BANG_COUNTER(__bang_perf_compute_wfu_low)
BANG_COUNTER(__bang_perf_compute_wfu_high)
BANG_COUNTER(__bang_perf_compute_nfu_low)
BANG_COUNTER(__bang_perf_compute_nfu_high)
BANG_COUNTER(__bang_perf_memory_dram_read_low)
BANG_COUNTER(__bang_perf_memory_dram_read_high)
BANG_COUNTER(__bang_perf_memory_dram_write_low)
BANG_COUNTER(__bang_perf_memory_dram_write_high)
BANG_COUNTER(__bang_perf_memory_sram_read_low)
BANG_COUNTER(__bang_perf_memory_sram_read_high)
BANG_COUNTER(__bang_perf_memory_sram_write_low)
BANG_COUNTER(__bang_perf_memory_sram_write_high)
BANG_COUNTER(__bang_perf_memory_broadcast_low)
BANG_COUNTER(__bang_perf_memory_broadcast_high)
#undef BANG_COUNTER

/* In the older form the pointer decides the type: an int written to floats is converted. */
template <class T, class V>
BANG_INLINE
    typename std::enable_if<std::is_same<V, int>::value, bang_impl::only<T, BANG_SET_FLOAT>>::type
    __nramset(T *dst, int64_t n, V value, int64_t stride = 0, int64_t segnum = 0) {
  T element = static_cast<T>(value);
  __bang_vec_fill(dst, n, &element, sizeof element, stride, segnum, 0, 0);
}

#endif /* BANG_OLDER_H_ */
