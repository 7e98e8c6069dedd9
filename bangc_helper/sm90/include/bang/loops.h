/* SPDX-License-Identifier: MIT
 *
 * Elementwise loops of a warp: 16 bytes per lane and access where operands allow it, several
 * accesses under way at a time.
 */
#ifndef BANG_LOOPS_H_
#define BANG_LOOPS_H_

#include "bang/operations.h"
#include "bang/task.h"

namespace bang_impl {

template <int bytes>
struct raw_of;
template <>
struct raw_of<16> {
  typedef uint4 type;
};
template <>
struct raw_of<8> {
  typedef uint2 type;
};
template <>
struct raw_of<4> {
  typedef uint32_t type;
};
template <>
struct raw_of<2> {
  typedef uint16_t type;
};
template <>
struct raw_of<1> {
  typedef uint8_t type;
};

/* `count` elements as one access. */
template <class T, int count>
struct Pack {
  typedef typename raw_of<count * sizeof(T)>::type Raw;
  Raw raw;
  BANG_MEMBER void load(const T *p) { raw = *(const Raw *)p; }
  BANG_MEMBER void store(T *p) const { *(Raw *)p = raw; }
  BANG_MEMBER void unpack(T *v) const { memcpy(v, &raw, sizeof raw); }
  BANG_MEMBER void pack(const T *v) { memcpy(&raw, v, sizeof raw); }
};

template <class T, class U>
constexpr int pack_count() {
  return 16 / (int)(sizeof(T) > sizeof(U) ? sizeof(T) : sizeof(U));
}
template <int count, class T>
BANG_INLINE bool is_packable(const T *p) {
  return ((uint64_t)p & (count * sizeof(T) - 1)) == 0;
}

/* dst[i] = f(a[i]). The lanes read a round before they write it, so the target may lie below the
 * source, or end where it ends when it is wider. */
template <class D, class S, class F>
BANG_INLINE void map1(D *dst, const S *a, int64_t n, const F &f) {
  constexpr int count = pack_count<D, S>();
  enum { rounds = 4 };
  Share share = share_of(dst);
  int64_t done = 0;
  if (is_packable<count>(dst) && is_packable<count>(a)) {
    const int packs = (int)(n / count);
    for (int first = 0; first < packs; first += rounds * share.step) {
      Pack<S, count> in[rounds];
#pragma unroll
      for (int r = 0; r < rounds; ++r) {
        int i = first + r * share.step + share.first;
        if (i < packs) in[r].load(a + (int64_t)i * count);
      }
      if (sizeof(D) != sizeof(S)) __syncwarp();
#pragma unroll
      for (int r = 0; r < rounds; ++r) {
        int i = first + r * share.step + share.first;
        if (i >= packs) break;
        S x[count];
        D y[count];
        in[r].unpack(x);
#pragma unroll
        for (int k = 0; k < count; ++k) y[k] = f(x[k]);
        Pack<D, count> out;
        out.pack(y);
        out.store(dst + (int64_t)i * count);
      }
      if (sizeof(D) != sizeof(S)) __syncwarp();
    }
    done = (int64_t)packs * count;
  }
  for (; done < n; done += share.step) {
    int64_t i = done + share.first;
    S x;
    if (i < n) x = a[i];
    __syncwarp();
    if (i < n) dst[i] = f(x);
    __syncwarp();
  }
  __syncwarp();
}

/* dst[i] = f(a[i], b[i]) for elements of one size. */
template <class D, class T, class F>
BANG_INLINE void map2(D *dst, const T *a, const T *b, int64_t n, const F &f) {
  constexpr int count = pack_count<D, T>();
  enum { rounds = 2 };
  Share share = share_of(dst);
  int64_t done = 0;
  if (is_packable<count>(dst) && is_packable<count>(a) && is_packable<count>(b)) {
    const int packs = (int)(n / count);
    for (int first = 0; first < packs; first += rounds * share.step) {
      Pack<T, count> left[rounds], right[rounds];
#pragma unroll
      for (int r = 0; r < rounds; ++r) {
        int i = first + r * share.step + share.first;
        if (i < packs) {
          left[r].load(a + (int64_t)i * count);
          right[r].load(b + (int64_t)i * count);
        }
      }
#pragma unroll
      for (int r = 0; r < rounds; ++r) {
        int i = first + r * share.step + share.first;
        if (i >= packs) break;
        T x[count], y[count];
        D z[count];
        left[r].unpack(x);
        right[r].unpack(y);
#pragma unroll
        for (int k = 0; k < count; ++k) z[k] = f(x[k], y[k]);
        Pack<D, count> out;
        out.pack(z);
        out.store(dst + (int64_t)i * count);
      }
    }
    done = (int64_t)packs * count;
  }
  for (int64_t i = done + share.first; i < n; i += share.step) dst[i] = f(a[i], b[i]);
  __syncwarp();
}

/* dst[i] = f(i) */
template <class D, class F>
BANG_INLINE void generate(D *dst, int64_t n, const F &f) {
  Share share = share_of(dst);
#pragma unroll 4
  for (int64_t i = share.first; i < n; i += share.step) dst[i] = f(i);
  __syncwarp();
}

}  // namespace bang_impl

#endif /* BANG_LOOPS_H_ */
