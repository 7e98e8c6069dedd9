/* SPDX-License-Identifier: MIT
 *
 * How a vector register is distributed over the threads of a task: here one thread holds all of it.
 * A thread's slot holds element vv_number(slot).
 */
#ifndef BANG_VV_THREADS_H_
#define BANG_VV_THREADS_H_

#include <string.h>

#include "bang/inline.h"
#include "bang/vector_api.h"

#define BANG_VV_THREADS 1

namespace bang_impl {

BANG_INLINE int vv_number(int slot) {
  return slot;
}

/* Loads or stores the first n elements. */
template <class T>
BANG_INLINE void load_register(T *slots, const T *src, int64_t n) {
  memcpy(slots, src, static_cast<size_t>(n) * sizeof(T));
}
template <class T>
BANG_INLINE void store_register(T *dst, const T *slots, int64_t n) {
  memcpy(dst, slots, static_cast<size_t>(n) * sizeof(T));
}
/* With integers of another width, or only where `keep` is set. */
struct AllSlots {
  BANG_INLINE bool operator[](int) const { return true; }
};
template <class T, class S, class Keep = AllSlots>
BANG_INLINE void load_register_as(T *slots, const S *src, int64_t n, const Keep &keep = Keep()) {
  for (int64_t i = 0; i < n; i++) {
    if (keep[i]) slots[i] = static_cast<T>(src[i]);
  }
}
template <class T, class D, class Keep = AllSlots>
BANG_INLINE void store_register_as(D *dst, const T *slots, int64_t n, const Keep &keep = Keep()) {
  for (int64_t i = 0; i < n; i++) {
    if (keep[i]) dst[i] = static_cast<D>(slots[i]);
  }
}

}  // namespace bang_impl

/* One register instruction is one call of the vector unit for the elements of a register. */
#define __bang_vv_unary __bang_vec_unary
#define __bang_vv_binary __bang_vec_binary
#define __bang_vv_scalar __bang_vec_scalar

#endif /* BANG_VV_THREADS_H_ */
