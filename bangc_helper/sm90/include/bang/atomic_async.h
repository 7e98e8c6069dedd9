/* SPDX-License-Identifier: MIT
 *
 * Group L, second part: __bang_atomic_reduce_*_async. The bulk engine has no atomics that suit, so
 * they are done at once, after what their pipe has under way.
 */
#ifndef BANG_ATOMIC_ASYNC_H_
#define BANG_ATOMIC_ASYNC_H_

#include "bang/atomic.h"

#define BANG_ATOMIC_ASYNC(name, set)                                                             \
  template <class T>                                                                             \
  BANG_INLINE bang_impl::only<T, (set)> __bang_atomic_reduce_##name##_async(                     \
      T *memory, const bang_impl::same<T> *src, int64_t n, int64_t iter1 = 0, int64_t iter2 = 0, \
      int64_t dst_stride0 = 0, int64_t dst_stride1 = 0, int64_t src_stride0 = 0,                 \
      int64_t src_stride1 = 0) {                                                                 \
    __bang_atomic_reduce_##name(memory, src, n, iter1, iter2, dst_stride0, dst_stride1,          \
                                src_stride0, src_stride1);                                       \
  }
BANG_ATOMIC_ASYNC(add, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(sub, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(max, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(min, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(exch, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(and, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(or, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(xor, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(inc, BANG_SET_ALL)
BANG_ATOMIC_ASYNC(dec, BANG_SET_ALL)
#undef BANG_ATOMIC_ASYNC

#endif /* BANG_ATOMIC_ASYNC_H_ */
