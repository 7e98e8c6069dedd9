/* SPDX-License-Identifier: MIT
 *
 * Group L: atomics. __bang_atomic_reduce_* computes memory op= source; __bang_atomic_* also returns
 * the old values. Sources in NRAM travel on the pipe for copies to and from memory: the operation
 * runs after everything in flight there, as a synchronous copy does.
 */
#ifndef BANG_ATOMIC_H_
#define BANG_ATOMIC_H_

#include "bang/inline.h"

#include "bang_runtime.h"
#include "bang/element.h"
#include "bang/vector_api.h"

#define BANG_ATOMIC_PAIR(reduce_name, name, op, set)                                               \
  template <class T, class V>                                                                      \
  BANG_INLINE bang_impl::only_vector<T, V, (set)> reduce_name(T *memory, V *src, int64_t n) {      \
    __bang_sync_pipes(BANG_PIPE_IO);                                                               \
    __bang_vec_atomic(op, bang_impl::element<T>::code, nullptr, memory, src, nullptr, 0, n);       \
  }                                                                                                \
  template <class T>                                                                               \
  BANG_INLINE bang_impl::only<T, (set)> reduce_name(T *memory, bang_impl::same<T> value,           \
                                                    int64_t n = 1) {                               \
    __bang_vec_atomic(op, bang_impl::element<T>::code, nullptr, memory, &value, nullptr, 1, n);    \
  }                                                                                                \
  /* segments of n elements in two more dimensions; strides in bytes, iter = count - 1 */          \
  template <class T>                                                                               \
  BANG_INLINE bang_impl::only<T, (set)> reduce_name(                                               \
      T *memory, const bang_impl::same<T> *src, int64_t n, int64_t iter1, int64_t iter2,           \
      int64_t dst_stride0, int64_t dst_stride1, int64_t src_stride0, int64_t src_stride1) {        \
    __bang_sync_pipes(BANG_PIPE_IO);                                                               \
    for (int64_t j = 0; j <= iter2; j++) {                                                         \
      for (int64_t i = 0; i <= iter1; i++) {                                                       \
        __bang_vec_atomic(op, bang_impl::element<T>::code, nullptr,                                \
                          reinterpret_cast<char *>(memory) + j * dst_stride1 + i * dst_stride0,    \
                          reinterpret_cast<const char *>(src) + j * src_stride1 + i * src_stride0, \
                          nullptr, 0, n);                                                          \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  template <class T, class V>                                                                      \
  BANG_INLINE bang_impl::only_vector<T, V, (set)> name(T *old, bang_impl::same<T> *memory, V *src, \
                                                       int64_t n) {                                \
    __bang_sync_pipes(BANG_PIPE_IO);                                                               \
    __bang_vec_atomic(op, bang_impl::element<T>::code, old, memory, src, nullptr, 0, n);           \
  }                                                                                                \
  template <class T>                                                                               \
  BANG_INLINE bang_impl::only<T, (set)> name(T *old, bang_impl::same<T> *memory,                   \
                                             bang_impl::same<T> value, int64_t n = 1) {            \
    __bang_vec_atomic(op, bang_impl::element<T>::code, old, memory, &value, nullptr, 1, n);        \
  }
BANG_ATOMIC_PAIR(__bang_atomic_reduce_add, __bang_atomic_add, BANG_ATOMIC_ADD, BANG_SET_ALL)
BANG_ATOMIC_PAIR(__bang_atomic_reduce_sub, __bang_atomic_sub, BANG_ATOMIC_SUB, BANG_SET_ALL)
BANG_ATOMIC_PAIR(__bang_atomic_reduce_max, __bang_atomic_max, BANG_ATOMIC_MAX, BANG_SET_ALL)
BANG_ATOMIC_PAIR(__bang_atomic_reduce_min, __bang_atomic_min, BANG_ATOMIC_MIN, BANG_SET_ALL)
BANG_ATOMIC_PAIR(__bang_atomic_reduce_exch, __bang_atomic_exch, BANG_ATOMIC_EXCH, BANG_SET_ALL)
BANG_ATOMIC_PAIR(__bang_atomic_reduce_and, __bang_atomic_and, BANG_ATOMIC_AND, BANG_SET_ALL)
BANG_ATOMIC_PAIR(__bang_atomic_reduce_or, __bang_atomic_or, BANG_ATOMIC_OR, BANG_SET_ALL)
BANG_ATOMIC_PAIR(__bang_atomic_reduce_xor, __bang_atomic_xor, BANG_ATOMIC_XOR, BANG_SET_ALL)
BANG_ATOMIC_PAIR(__bang_atomic_reduce_inc, __bang_atomic_inc, BANG_ATOMIC_INC, BANG_SET_ALL)
BANG_ATOMIC_PAIR(__bang_atomic_reduce_dec, __bang_atomic_dec, BANG_ATOMIC_DEC, BANG_SET_ALL)
BANG_ATOMIC_PAIR(__bang_atomic_nan_reduce_max, __bang_atomic_nan_max, BANG_ATOMIC_NAN_MAX,
                 BANG_SET_FLOAT)
BANG_ATOMIC_PAIR(__bang_atomic_nan_reduce_min, __bang_atomic_nan_min, BANG_ATOMIC_NAN_MIN,
                 BANG_SET_FLOAT)
BANG_ATOMIC_PAIR(__bang_atomic_number_reduce_max, __bang_atomic_number_max, BANG_ATOMIC_MAX,
                 BANG_SET_FLOAT)
BANG_ATOMIC_PAIR(__bang_atomic_number_reduce_min, __bang_atomic_number_min, BANG_ATOMIC_MIN,
                 BANG_SET_FLOAT)
#undef BANG_ATOMIC_PAIR

template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_atomic_cas(T *old, bang_impl::same<T> *memory,
                                                               bang_impl::same<T> compare,
                                                               bang_impl::same<T> value) {
  __bang_vec_atomic(BANG_ATOMIC_CAS, bang_impl::element<T>::code, old, memory, &value, &compare, 1,
                    1);
}
template <class T, class V>
BANG_INLINE bang_impl::only_vector<T, V, BANG_SET_ALL> __bang_atomic_cas(
    T *old, bang_impl::same<T> *memory, V *compare, const bang_impl::same<T> *value, int64_t n) {
  __bang_sync_pipes(BANG_PIPE_IO);
  __bang_vec_atomic(BANG_ATOMIC_CAS, bang_impl::element<T>::code, old, memory, value, compare, 0,
                    n);
}
template <class T>
BANG_INLINE bang_impl::only<T, BANG_SET_ALL> __bang_atomic_reduce_cas(T *memory,
                                                                      bang_impl::same<T> compare,
                                                                      bang_impl::same<T> value) {
  __bang_vec_atomic(BANG_ATOMIC_CAS, bang_impl::element<T>::code, nullptr, memory, &value, &compare,
                    1, 1);
}

#endif /* BANG_ATOMIC_H_ */
