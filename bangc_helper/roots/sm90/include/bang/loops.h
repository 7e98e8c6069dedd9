/* SPDX-License-Identifier: MIT
 *
 * Elementwise loops. Operands in NRAM, as nearly all are, have their own loops (nram_loops.h); all
 * others use the general loops here: 16 bytes per lane and access if the operands allow it, with
 * two accesses in flight. A conditional load yields zero otherwise; left undefined, the value would
 * occupy registers in the whole kernel.
 */
#ifndef BANG_LOOPS_H_
#define BANG_LOOPS_H_

#include "bang/nram_loops.h"
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

template <int count, class T>
BANG_INLINE bool is_packable(const T *p) {
  return ((uint64_t)p & (count * sizeof(T) - 1)) == 0;
}

/* Elements [first, n) singly, two per lane at a time. */
template <class D, class S, class F>
BANG_INLINE void map_elements(Share share, D *dst, const S *a, int64_t first, int64_t n,
                              const F &f) {
  enum { rounds = 2 };
  const int count = (int)n;
#pragma unroll 1
  for (int begin = (int)first; begin < count; begin += rounds * share.step) {
    S x[rounds] = {};
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      int i = begin + r * share.step + share.first;
      if (i < count) x[r] = a[i];
    }
    if (sizeof(D) != sizeof(S)) __syncwarp();
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      int i = begin + r * share.step + share.first;
      if (i < count) dst[i] = f(x[r]);
    }
    if (sizeof(D) != sizeof(S)) __syncwarp();
  }
}

/* dst[i] = f(a[i]). All lanes read before any writes, so the target may start below the source, or
 * be wider and end where the source ends. */
template <class D, class S, class F>
struct Map1 {
  D *dst;
  const S *a;
  int64_t n;
  F f;

  BANG_MEMBER void operator()(Share share) const {
    constexpr int count = pack_count<D, S>();
    enum { rounds = 2 };
    int64_t done = 0;
    if (is_packable<count>(dst) && is_packable<count>(a)) {
      const int packs = (int)(n / count);
#pragma unroll 1
      for (int begin = 0; begin < packs; begin += rounds * share.step) {
        Pack<S, count> in[rounds] = {};
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
          int i = begin + r * share.step + share.first;
          if (i < packs) in[r].load(a + (int64_t)i * count);
        }
        if (sizeof(D) != sizeof(S)) __syncwarp();
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
          int i = begin + r * share.step + share.first;
          if (i < packs) {
            S x[count];
            D y[count];
            in[r].unpack(x);
#pragma unroll
            for (int k = 0; k < count; ++k) y[k] = f(x[k]);
            Pack<D, count> out;
            out.pack(y);
            out.store(dst + (int64_t)i * count);
          }
        }
        if (sizeof(D) != sizeof(S)) __syncwarp();
      }
      done = (int64_t)packs * count;
    }
    map_elements(share, dst, a, done, n, f);
  }
};

template <class D, class S, class F>
BANG_CALLED void map1_anywhere(D *dst, const S *a, int64_t n, F f) {
  divide_work(dst, Map1<D, S, F>{dst, a, n, f});
}
/* Vectors in NRAM by `work` (nram_loops.h), others element by element by f. */
template <class D, class S, class Work, class F>
BANG_INLINE void map1_by(D *dst, const S *a, int64_t n, const Work &work, const F &f) {
  if (__isShared(dst) && __isShared(a)) {
    const uint32_t to = operand_address(dst), from = operand_address(a);
    if (has_short_form(Work::together, sizeof(D) > sizeof(S) ? sizeof(D) : sizeof(S)) &&
        n <= short_elements) {
      nram_short_map1<D, S>(to, from, (int)n, work);
    } else {
      nram_map1<D, S>(to, from, (int)n, work);
    }
  } else {
    map1_anywhere(dst, a, n, f);
  }
}
/* `together`: elements per lane and round, see nram_loops.h. */
template <int together = elements_together, class D, class S, class F>
BANG_INLINE void map1(D *dst, const S *a, int64_t n, const F &f) {
  map1_by(dst, a, n, Map<D, F, together>{f}, f);
}

/* dst[i] = f(a[i], b[i]) for elements of one size. */
template <class D, class T, class F>
struct Map2 {
  D *dst;
  const T *a, *b;
  int64_t n;
  F f;

  BANG_MEMBER void operator()(Share share) const {
    constexpr int count = pack_count<D, T>();
    enum { rounds = 2 };
    int64_t done = 0;
    if (is_packable<count>(dst) && is_packable<count>(a) && is_packable<count>(b)) {
      const int packs = (int)(n / count);
#pragma unroll 1
      for (int begin = 0; begin < packs; begin += rounds * share.step) {
        Pack<T, count> left[rounds] = {}, right[rounds] = {};
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
          int i = begin + r * share.step + share.first;
          if (i < packs) {
            left[r].load(a + (int64_t)i * count);
            right[r].load(b + (int64_t)i * count);
          }
        }
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
          int i = begin + r * share.step + share.first;
          if (i < packs) {
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
      }
      done = (int64_t)packs * count;
    }
#pragma unroll 1
    for (int i = (int)done + share.first; i < (int)n; i += share.step) dst[i] = f(a[i], b[i]);
  }
};

template <class D, class T, class F>
BANG_CALLED void map2_anywhere(D *dst, const T *a, const T *b, int64_t n, F f) {
  divide_work(dst, Map2<D, T, F>{dst, a, b, n, f});
}
template <int together = elements_together, class D, class T, class F>
BANG_INLINE void map2(D *dst, const T *a, const T *b, int64_t n, const F &f) {
  if (__isShared(dst) && __isShared(a) && __isShared(b)) {
    const uint32_t to = operand_address(dst), left = operand_address(a), right = operand_address(b);
    if (has_short_form(together, sizeof(D)) && n <= short_elements) {
      nram_short_map2<D, T>(to, left, right, (int)n, f);
    } else {
      nram_map2<D, T, together>(to, left, right, (int)n, f);
    }
  } else {
    map2_anywhere(dst, a, b, n, f);
  }
}

/* dst[i] = f(i) */
template <class D, class F>
struct Generate {
  D *dst;
  int64_t n;
  F f;

  BANG_MEMBER void operator()(Share share) const {
#pragma unroll 4
    for (int i = share.first, count = (int)n; i < count; i += share.step) dst[i] = f(i);
  }
};
template <class D, class F>
BANG_INLINE void generate(D *dst, int64_t n, const F &f) {
  divide_work(dst, Generate<D, F>{dst, n, f});
}
template <class D, class F>
BANG_CALLED void generate_anywhere(D *dst, int64_t n, F f) {
  generate(dst, n, f);
}

}  // namespace bang_impl

#endif /* BANG_LOOPS_H_ */
