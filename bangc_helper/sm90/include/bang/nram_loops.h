/* SPDX-License-Identifier: MIT
 *
 * Elementwise loops over words in NRAM, by addresses of the shared memory: they are what most
 * kernels spend their instructions on. Between the barriers of the warp at both ends nothing else
 * touches the operands, so accesses need no order but their own.
 */
#ifndef BANG_NRAM_LOOPS_H_
#define BANG_NRAM_LOOPS_H_

#include "bang/task.h"

namespace bang_impl {

template <int align>
BANG_INLINE bool is_in_nram(const void *p) {
  return __isShared(p) && ((uint32_t)(uint64_t)p & (align - 1)) == 0;
}

/* Four words, or four half words, as one access. */
struct Words4 {
  uint32_t word[4];
};
BANG_INLINE Words4 load_words4(uint32_t address) {
  Words4 w;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(w.word[0]), "=r"(w.word[1]), "=r"(w.word[2]), "=r"(w.word[3])
               : "r"(address));
  return w;
}
BANG_INLINE void store_words4(uint32_t address, const Words4 &w) {
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(w.word[0]),
               "r"(w.word[1]), "r"(w.word[2]), "r"(w.word[3]));
}

template <class T>
struct Four {
  T x[4];
};
template <class T>
BANG_INLINE Four<T> load_four(uint32_t address) {
  Four<T> four;
  if constexpr (sizeof(T) == 4) {
    Words4 w = load_words4(address);
    memcpy(&four, &w, sizeof four);
  } else {
    uint32_t w[2];
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "r"(address));
    memcpy(&four, w, sizeof four);
  }
  return four;
}
template <class T>
BANG_INLINE T load_one(uint32_t address) {
  T x;
  if constexpr (sizeof(T) == 4) {
    uint32_t w;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(w) : "r"(address));
    memcpy(&x, &w, sizeof x);
  } else {
    uint16_t w;
    asm volatile("ld.shared.u16 %0, [%1];" : "=h"(w) : "r"(address));
    memcpy(&x, &w, sizeof x);
  }
  return x;
}
template <class D>
BANG_INLINE void store_four(uint32_t address, const Four<D> &four) {
  Words4 w;
  memcpy(&w, &four, sizeof w);
  store_words4(address, w);
}
template <class D>
BANG_INLINE void store_one(uint32_t address, D x) {
  uint32_t w;
  memcpy(&w, &x, sizeof w);
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(w));
}

/* Some fours per lane at a time: read(i) for all of them, then write(i, what was read); `one` for
 * the elements behind the last four. With is_ordered no lane writes before all have read. */
enum { fours_together = 2 };
template <bool is_ordered, class Read, class Write, class One>
BANG_INLINE void by_fours(int n, const Read &read, const Write &write, const One &one) {
  const int lane = lane_id(), fours = n >> 2;
  for (int begin = 0; begin < fours; begin += warp_lanes * fours_together) {
    decltype(read(0)) in[fours_together];
    const int i = begin + lane;
#pragma unroll
    for (int r = 0; r < fours_together; ++r) {
      if (i + r * warp_lanes < fours) in[r] = read(i + r * warp_lanes);
    }
    if (is_ordered) __syncwarp();
#pragma unroll
    for (int r = 0; r < fours_together; ++r) {
      if (i + r * warp_lanes < fours) write(i + r * warp_lanes, in[r]);
    }
    if (is_ordered) __syncwarp();
  }
  if (lane < (n & 3)) one((fours << 2) + lane);
}

/* dst[i] = f(a[i]); the target may lie below the source, or be wider and end where it ends. */
template <class D, class S, class F>
BANG_INLINE void nram_map1(D *dst, const S *a, int n, const F &f) {
  const uint32_t to = shared_address(dst), from = shared_address(a);
  __syncwarp();
  by_fours<sizeof(D) != sizeof(S)>(
      n, [=](int i) { return load_four<S>(from + i * (uint32_t)(4 * sizeof(S))); },
      [=](int i, const Four<S> &in) {
        Four<D> out;
#pragma unroll
        for (int k = 0; k < 4; ++k) out.x[k] = f(in.x[k]);
        store_four<D>(to + i * 16u, out);
      },
      [=](int i) { store_one<D>(to + i * 4u, f(load_one<S>(from + i * (uint32_t)sizeof(S)))); });
  __syncwarp();
}

/* dst[i] = f(a[i], b[i]) */
template <class T>
struct Fours2 {
  Four<T> a, b;
};
template <class D, class T, class F>
BANG_INLINE void nram_map2(D *dst, const T *a, const T *b, int n, const F &f) {
  const uint32_t to = shared_address(dst), left = shared_address(a), right = shared_address(b);
  __syncwarp();
  by_fours<false>(
      n,
      [=](int i) {
        return Fours2<T>{load_four<T>(left + i * 16u), load_four<T>(right + i * 16u)};
      },
      [=](int i, const Fours2<T> &in) {
        Four<D> out;
#pragma unroll
        for (int k = 0; k < 4; ++k) out.x[k] = f(in.a.x[k], in.b.x[k]);
        store_four<D>(to + i * 16u, out);
      },
      [=](int i) {
        store_one<D>(to + i * 4u, f(load_one<T>(left + i * 4u), load_one<T>(right + i * 4u)));
      });
  __syncwarp();
}

/* Bit i of the words from `to` on = answer(a[i]), for whole words of 32 elements: a lane asks about
 * four elements, eight lanes fill a word. */
template <class T, class Answer>
BANG_INLINE void nram_bits(uint32_t to, uint32_t from, int words, const Answer &answer) {
  const int lane = lane_id();
  for (int first = 0; first < 8 * words; first += warp_lanes) {
    const int i = first + lane;
    uint32_t bits = 0;
    if (i < 8 * words) {
      const Four<T> in = load_four<T>(from + i * (uint32_t)(4 * sizeof(T)));
#pragma unroll
      for (int k = 0; k < 4; ++k) bits |= (answer(in.x[k]) ? 1u : 0u) << k;
    }
    bits <<= 4 * (lane & 7);
#pragma unroll
    for (int step = 1; step < 8; step *= 2) bits |= __shfl_xor_sync(0xffffffffu, bits, step);
    if (i < 8 * words && (lane & 7) == 0) {
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(to + (i >> 3) * 4u), "r"(bits));
    }
  }
}

/* The same for bytes: a lane fills a word by itself. */
template <class T, class Answer>
BANG_INLINE void nram_byte_bits(uint32_t to, uint32_t from, int words, const Answer &answer) {
  for (int i = lane_id(); i < words; i += warp_lanes) {
    uint32_t bits = 0;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const Words4 in = load_words4(from + i * 32u + half * 16u);
#pragma unroll
      for (int k = 0; k < 16; ++k) {
        const T x = (T)(in.word[k / 4] >> 8 * (k % 4));
        bits |= (answer(x) ? 1u : 0u) << (16 * half + k);
      }
    }
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(to + i * 4u), "r"(bits));
  }
}

}  // namespace bang_impl

#endif /* BANG_NRAM_LOOPS_H_ */
