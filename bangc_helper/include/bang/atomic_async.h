/* SPDX-License-Identifier: MIT
 *
 * Group L, second part: __bang_atomic_*_async. They run in order on the pipe that carries copies to
 * and from memory, and are complete after its next sync.
 */
#ifndef BANG_ATOMIC_ASYNC_H_
#define BANG_ATOMIC_ASYNC_H_

#include "bang_runtime.h"
#include "bang/element.h"
#include "bang/vector_api.h"

namespace bang_impl {

inline void perform_atomic(const void *arguments) {
  const bangAtomicSegments *a = static_cast<const bangAtomicSegments *>(arguments);
  if (a->src == nullptr) {
    __bang_vec_atomic(a->op, a->type, a->old, a->memory, &a->value, nullptr, 1, a->n);
    return;
  }
  for (int64_t j = 0; j <= a->iter2; j++) {
    for (int64_t i = 0; i <= a->iter1; i++) {
      __bang_vec_atomic(a->op, a->type, a->old, a->memory + j * a->dst_stride1 + i * a->dst_stride0,
                        a->src + j * a->src_stride1 + i * a->src_stride0, nullptr, 0, a->n);
    }
  }
}

template <class T>
inline void defer_atomic(int op, T *old, T *memory, const T *src, T value, int64_t n) {
  bangAtomicSegments segments = {op,
                                 element<T>::code,
                                 0,
                                 reinterpret_cast<char *>(old),
                                 reinterpret_cast<char *>(memory),
                                 reinterpret_cast<const char *>(src),
                                 n,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0};
  memcpy(&segments.value, &value, sizeof value);
  __bang_defer(BANG_PIPE_IO, perform_atomic, &segments, sizeof segments);
}

}  // namespace bang_impl

#define BANG_ATOMIC_ASYNC(reduce_name, name, op, set)                                         \
  template <class T>                                                                          \
  inline bang_impl::only<T, (set)> reduce_name(                                               \
      T *memory, const bang_impl::same<T> *src, int64_t n, int64_t iter1, int64_t iter2,      \
      int64_t dst_stride0, int64_t dst_stride1, int64_t src_stride0, int64_t src_stride1) {   \
    bangAtomicSegments segments = {op,                                                        \
                                   bang_impl::element<T>::code,                               \
                                   0,                                                         \
                                   nullptr,                                                   \
                                   reinterpret_cast<char *>(memory),                          \
                                   reinterpret_cast<const char *>(src),                       \
                                   n,                                                         \
                                   iter1,                                                     \
                                   iter2,                                                     \
                                   dst_stride0,                                               \
                                   dst_stride1,                                               \
                                   src_stride0,                                               \
                                   src_stride1};                                              \
    __bang_defer(BANG_PIPE_IO, bang_impl::perform_atomic, &segments, sizeof segments);        \
  }                                                                                           \
  template <class T, class V>                                                                 \
  inline bang_impl::only_vector<T, V, (set)> reduce_name(T *memory, V *src, int64_t n) {      \
    bang_impl::defer_atomic<T>(op, nullptr, memory, src, T(), n);                             \
  }                                                                                           \
  template <class T>                                                                          \
  inline bang_impl::only<T, (set)> reduce_name(T *memory, bang_impl::same<T> value,           \
                                               int64_t n = 1) {                               \
    bang_impl::defer_atomic<T>(op, nullptr, memory, nullptr, value, n);                       \
  }                                                                                           \
  template <class T, class V>                                                                 \
  inline bang_impl::only_vector<T, V, (set)> name(T *old, bang_impl::same<T> *memory, V *src, \
                                                  int64_t n) {                                \
    bang_impl::defer_atomic<T>(op, old, memory, src, T(), n);                                 \
  }                                                                                           \
  template <class T>                                                                          \
  inline bang_impl::only<T, (set)> name(T *old, bang_impl::same<T> *memory,                   \
                                        bang_impl::same<T> value, int64_t n = 1) {            \
    bang_impl::defer_atomic<T>(op, old, memory, nullptr, value, n);                           \
  }
#define BANG_ATOMIC_ASYNC_OF(name, op)                                                     \
  BANG_ATOMIC_ASYNC(__bang_atomic_reduce_##name##_async, __bang_atomic_##name##_async, op, \
                    BANG_SET_ALL)
BANG_ATOMIC_ASYNC_OF(add, BANG_ATOMIC_ADD)
BANG_ATOMIC_ASYNC_OF(sub, BANG_ATOMIC_SUB)
BANG_ATOMIC_ASYNC_OF(max, BANG_ATOMIC_MAX)
BANG_ATOMIC_ASYNC_OF(min, BANG_ATOMIC_MIN)
BANG_ATOMIC_ASYNC_OF(exch, BANG_ATOMIC_EXCH)
BANG_ATOMIC_ASYNC_OF(and, BANG_ATOMIC_AND)
BANG_ATOMIC_ASYNC_OF(or, BANG_ATOMIC_OR)
BANG_ATOMIC_ASYNC_OF(xor, BANG_ATOMIC_XOR)
BANG_ATOMIC_ASYNC_OF(inc, BANG_ATOMIC_INC)
BANG_ATOMIC_ASYNC_OF(dec, BANG_ATOMIC_DEC)
BANG_ATOMIC_ASYNC(__bang_atomic_nan_reduce_max_async, __bang_atomic_nan_max_async,
                  BANG_ATOMIC_NAN_MAX, BANG_SET_FLOAT)
BANG_ATOMIC_ASYNC(__bang_atomic_nan_reduce_min_async, __bang_atomic_nan_min_async,
                  BANG_ATOMIC_NAN_MIN, BANG_SET_FLOAT)
BANG_ATOMIC_ASYNC(__bang_atomic_number_reduce_max_async, __bang_atomic_number_max_async,
                  BANG_ATOMIC_MAX, BANG_SET_FLOAT)
BANG_ATOMIC_ASYNC(__bang_atomic_number_reduce_min_async, __bang_atomic_number_min_async,
                  BANG_ATOMIC_MIN, BANG_SET_FLOAT)
#undef BANG_ATOMIC_ASYNC_OF
#undef BANG_ATOMIC_ASYNC

#endif /* BANG_ATOMIC_ASYNC_H_ */
