/* SPDX-License-Identifier: MIT
 *
 * Group L, second part: __bang_atomic_reduce_*_async. They take their turn on the pipe that carries
 * copies to and from memory and are complete after its next sync.
 */
#ifndef BANG_ATOMIC_ASYNC_H_
#define BANG_ATOMIC_ASYNC_H_

#include "bang_runtime.h"
#include "bang/element.h"
#include "bang/vector_api.h"

namespace bang_impl {

/* Segments of n elements in two more dimensions; strides in bytes, iter = count - 1. */
struct atomic_segments {
  int op, type;
  char *memory;
  const char *src;
  int64_t n, iter1, iter2;
  int64_t dst_stride0, dst_stride1, src_stride0, src_stride1;
};

inline void perform_atomic(const void *arguments) {
  const atomic_segments *a = static_cast<const atomic_segments *>(arguments);
  for (int64_t j = 0; j <= a->iter2; j++) {
    for (int64_t i = 0; i <= a->iter1; i++) {
      __bang_vec_atomic(a->op, a->type, nullptr,
                        a->memory + j * a->dst_stride1 + i * a->dst_stride0,
                        a->src + j * a->src_stride1 + i * a->src_stride0, nullptr, 0, a->n);
    }
  }
}

}  // namespace bang_impl

#define BANG_ATOMIC_ASYNC(name, op, set)                                                         \
  template <class T>                                                                             \
  inline bang_impl::only<T, (set)> __bang_atomic_reduce_##name##_async(                          \
      T *memory, const bang_impl::same<T> *src, int64_t n, int64_t iter1 = 0, int64_t iter2 = 0, \
      int64_t dst_stride0 = 0, int64_t dst_stride1 = 0, int64_t src_stride0 = 0,                 \
      int64_t src_stride1 = 0) {                                                                 \
    bang_impl::atomic_segments segments = {op,                                                   \
                                           bang_impl::element<T>::code,                          \
                                           reinterpret_cast<char *>(memory),                     \
                                           reinterpret_cast<const char *>(src),                  \
                                           n,                                                    \
                                           iter1,                                                \
                                           iter2,                                                \
                                           dst_stride0,                                          \
                                           dst_stride1,                                          \
                                           src_stride0,                                          \
                                           src_stride1};                                         \
    __bang_defer(BANG_PIPE_IO, bang_impl::perform_atomic, &segments, sizeof segments);           \
  }
BANG_ATOMIC_ASYNC(add, BANG_ATOMIC_ADD, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(sub, BANG_ATOMIC_SUB, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(max, BANG_ATOMIC_MAX, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(min, BANG_ATOMIC_MIN, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(exch, BANG_ATOMIC_EXCH, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(and, BANG_ATOMIC_AND, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(or, BANG_ATOMIC_OR, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(xor, BANG_ATOMIC_XOR, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(inc, BANG_ATOMIC_INC, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(dec, BANG_ATOMIC_DEC, BANG_SET_ALL)
#undef BANG_ATOMIC_ASYNC

#endif /* BANG_ATOMIC_ASYNC_H_ */
