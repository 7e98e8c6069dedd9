/* SPDX-License-Identifier: MIT
 *
 * How a vector register is distributed over the threads of a task: element i is in slot i / 32 of
 * lane i % 32, so an operation on registers takes one or two instructions of the warp.
 */
#ifndef BANG_VV_THREADS_H_
#define BANG_VV_THREADS_H_

#include "bang/inline.h"
#include "bang/vector_api.h"

#define BANG_VV_THREADS BANG_SM90_TASK_THREADS

namespace bang_impl {

BANG_INLINE int vv_number(int slot) {
  return slot * warp_lanes + lane_id();
}

/* ---- memory: the first n elements where `keep` is set. A warp barrier follows the reads, so that
 * no lane overwrites what another still has to read ---- */

struct AllSlots {
  BANG_MEMBER bool operator[](int) const { return true; }
};
template <class T, int slots, class S, class Keep = AllSlots>
BANG_INLINE void load_register_as(T (&v)[slots], const S *src, int64_t n,
                                  const Keep &keep = Keep()) {
#pragma unroll
  for (int k = 0; k < slots; ++k) {
    const int i = vv_number(k);
    if (i < n && keep[k]) v[k] = static_cast<T>(src[i]);
  }
  __syncwarp();
}

/* A number from another lane. */
template <class T>
BANG_INLINE T from_lane(T x, int lane) {
  typedef typename std::conditional<sizeof(T) == 8, uint64_t, uint32_t>::type Word;
  Word bits = 0;
  memcpy(&bits, &x, sizeof x);
  bits = __shfl_sync(all_lanes, bits, lane);
  memcpy(&x, &bits, sizeof x);
  return x;
}
/* Memory local to a thread exists once per lane, and each copy gets all elements. */
template <class T, int slots, class D, class Keep>
BANG_INLINE void store_to_each(D *dst, const T (&v)[slots], int64_t n, const Keep &keep) {
#pragma unroll
  for (int k = 0; k < slots; ++k) {
    const unsigned kept = __ballot_sync(all_lanes, keep[k]);
#pragma unroll 1
    for (int lane = 0; lane < warp_lanes; ++lane) {
      const D x = static_cast<D>(from_lane(v[k], lane));
      const int i = k * warp_lanes + lane;
      if (i < n && (kept >> lane & 1) != 0) dst[i] = x;
    }
  }
}
template <class T, int slots, class D, class Keep = AllSlots>
BANG_INLINE void store_register_as(D *dst, const T (&v)[slots], int64_t n,
                                   const Keep &keep = Keep()) {
  __syncwarp();
  if (__isLocal(dst)) {
    store_to_each(dst, v, n, keep);
    return;
  }
#pragma unroll
  for (int k = 0; k < slots; ++k) {
    const int i = vv_number(k);
    if (i < n && keep[k]) dst[i] = static_cast<D>(v[k]);
  }
  __syncwarp();
}
template <class T, int slots>
BANG_INLINE void load_register(T (&v)[slots], const T *src, int64_t n) {
  load_register_as(v, src, n);
}
template <class T, int slots>
BANG_INLINE void store_register(T *dst, const T (&v)[slots], int64_t n) {
  store_register_as(dst, v, n);
}

/* ---- operations ---- */

template <int op, class T, int slots>
BANG_INLINE void register_unary(T (&dst)[slots], const T (&src)[slots]) {
#pragma unroll
  for (int k = 0; k < slots; ++k) dst[k] = unary_element<op, T>(src[k]);
}
template <int op, class T, int slots>
BANG_INLINE void register_binary(T (&dst)[slots], const T (&a)[slots], const T (&b)[slots]) {
#pragma unroll
  for (int k = 0; k < slots; ++k) dst[k] = binary_element<op, T>(a[k], b[k]);
}
template <int op, class T, int slots>
BANG_INLINE void register_scalar(T (&dst)[slots], const T (&a)[slots], const T *b) {
#pragma unroll
  for (int k = 0; k < slots; ++k) dst[k] = binary_element<op, T>(a[k], *b);
}

}  // namespace bang_impl

#define __bang_vv_unary(op, type, dst, src, n) bang_impl::register_unary<(op)>(dst, src)
#define __bang_vv_binary(op, type, dst, a, b, n) bang_impl::register_binary<(op)>(dst, a, b)
#define __bang_vv_scalar(op, type, dst, a, b, n) bang_impl::register_scalar<(op)>(dst, a, b)

#endif /* BANG_VV_THREADS_H_ */
