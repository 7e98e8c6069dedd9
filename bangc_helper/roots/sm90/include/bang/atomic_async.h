/* SPDX-License-Identifier: MIT
 *
 * Group L, second part: __bang_atomic_*_async. The bulk engine has no suitable atomics, so they run
 * at once, after everything in flight on their pipe.
 */
#ifndef BANG_ATOMIC_ASYNC_H_
#define BANG_ATOMIC_ASYNC_H_

#include "bang/atomic.h"

#define BANG_ATOMIC_ASYNC(reduce_name, name, set)                                                  \
  template <class T>                                                                               \
  BANG_INLINE bang_impl::only<T, (set)> reduce_name##_async(                                       \
      T *memory, const bang_impl::same<T> *src, int64_t n, int64_t iter1, int64_t iter2,           \
      int64_t dst_stride0, int64_t dst_stride1, int64_t src_stride0, int64_t src_stride1) {        \
    reduce_name(memory, src, n, iter1, iter2, dst_stride0, dst_stride1, src_stride0, src_stride1); \
  }                                                                                                \
  template <class T, class V>                                                                      \
  BANG_INLINE bang_impl::only_vector<T, V, (set)> reduce_name##_async(T *memory, V *src,           \
                                                                      int64_t n) {                 \
    reduce_name(memory, src, n);                                                                   \
  }                                                                                                \
  template <class T>                                                                               \
  BANG_INLINE bang_impl::only<T, (set)> reduce_name##_async(T *memory, bang_impl::same<T> value,   \
                                                            int64_t n = 1) {                       \
    reduce_name(memory, value, n);                                                                 \
  }                                                                                                \
  template <class T, class V>                                                                      \
  BANG_INLINE bang_impl::only_vector<T, V, (set)> name##_async(T *old, bang_impl::same<T> *memory, \
                                                               V *src, int64_t n) {                \
    name(old, memory, src, n);                                                                     \
  }                                                                                                \
  template <class T>                                                                               \
  BANG_INLINE bang_impl::only<T, (set)> name##_async(T *old, bang_impl::same<T> *memory,           \
                                                     bang_impl::same<T> value, int64_t n = 1) {    \
    name(old, memory, value, n);                                                                   \
  }
BANG_ATOMIC_ASYNC(__bang_atomic_reduce_add, __bang_atomic_add, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(__bang_atomic_reduce_sub, __bang_atomic_sub, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(__bang_atomic_reduce_max, __bang_atomic_max, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(__bang_atomic_reduce_min, __bang_atomic_min, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(__bang_atomic_reduce_exch, __bang_atomic_exch, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(__bang_atomic_reduce_and, __bang_atomic_and, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(__bang_atomic_reduce_or, __bang_atomic_or, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(__bang_atomic_reduce_xor, __bang_atomic_xor, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(__bang_atomic_reduce_inc, __bang_atomic_inc, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(__bang_atomic_reduce_dec, __bang_atomic_dec, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(__bang_atomic_nan_reduce_max, __bang_atomic_nan_max, BANG_SET_FLOAT)
BANG_ATOMIC_ASYNC(__bang_atomic_nan_reduce_min, __bang_atomic_nan_min, BANG_SET_FLOAT)
BANG_ATOMIC_ASYNC(__bang_atomic_number_reduce_max, __bang_atomic_number_max, BANG_SET_FLOAT)
BANG_ATOMIC_ASYNC(__bang_atomic_number_reduce_min, __bang_atomic_number_min, BANG_SET_FLOAT)
#undef BANG_ATOMIC_ASYNC

#endif /* BANG_ATOMIC_ASYNC_H_ */
