/* SPDX-License-Identifier: MIT
 *
 * Elementwise loops over words in NRAM, by addresses of the shared memory: they are what most
 * kernels spend their instructions on. They are short on purpose: what does not fit into the
 * instruction cache is slower than any loop. Between the barriers of the warp at both ends nothing
 * else touches the operands, so accesses need no order but their own.
 */
#ifndef BANG_NRAM_LOOPS_H_
#define BANG_NRAM_LOOPS_H_

#include "bang/polynomials.h"
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

/* Some fours per lane at a time, as long as no lane is left out: read(i) for all of them, then
 * write(i, what was read); then one at a time; `one` for the elements behind the last four. With
 * is_ordered no lane writes before all have read. */
template <bool is_ordered, int together, class Read, class Write, class One>
BANG_INLINE void by_fours(int n, const Read &read, const Write &write, const One &one) {
  const int lane = lane_id(), fours = n >> 2;
  int i = lane;
#pragma unroll 1
  for (; i - lane + warp_lanes * together <= fours; i += warp_lanes * together) {
    decltype(read(0)) in[together];
#pragma unroll
    for (int r = 0; r < together; ++r) in[r] = read(i + r * warp_lanes);
    if (is_ordered) __syncwarp();
#pragma unroll
    for (int r = 0; r < together; ++r) write(i + r * warp_lanes, in[r]);
    if (is_ordered) __syncwarp();
  }
#pragma unroll 1
  for (; i - lane < fours; i += warp_lanes) {
    decltype(read(0)) in;
    if (i < fours) in = read(i);
    if (is_ordered) __syncwarp();
    if (i < fours) write(i, in);
    if (is_ordered) __syncwarp();
  }
  if (lane < (n & 3)) one((fours << 2) + lane);
}

/* dst[i] = f(a[i]); the target may lie below the source, or be wider and end where it ends. */
template <class D, class S, class F>
BANG_INLINE void nram_map1(D *dst, const S *a, int n, const F &f) {
  const uint32_t to = shared_address(dst), from = shared_address(a);
  __syncwarp();
  constexpr bool is_wider = sizeof(D) != sizeof(S);
  by_fours<is_wider, 4>(
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

/* dst[i] = e^a[i]: four at a time by the short way, if it is right for all of them. */
BANG_INLINE void nram_exp(float *dst, const float *a, int n) {
  const uint32_t to = shared_address(dst), from = shared_address(a);
  __syncwarp();
  by_fours<false, 4>(
      n, [=](int i) { return load_four<float>(from + i * 16u); },
      [=](int i, const Four<float> &in) {
        Four<float> out;
        bool is_moderate = true;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          out.x[k] = exp_of_moderate(in.x[k]);
          is_moderate = is_moderate & is_exp_moderate(in.x[k]);
        }
        if (!is_moderate) {
#pragma unroll 1
          for (int k = 0; k < 4; ++k) {
            const float y = exp_polynomial_of(load_one<float>(from + i * 16u + k * 4u));
            store_one<float>(to + i * 16u + k * 4u, y);
          }
        } else {
          store_four<float>(to + i * 16u, out);
        }
      },
      [=](int i) {
        store_one<float>(to + i * 4u, exp_polynomial_of(load_one<float>(from + i * 4u)));
      });
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
  by_fours<false, 4>(
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

/* Bit i of the words from `to` on = answer(a[i]), for whole words of 32 elements: the lanes vote on
 * a word. */
enum { votes_together = 8 };
template <class T, class Answer>
BANG_INLINE void nram_bits(uint32_t to, uint32_t from, int words, const Answer &answer) {
  const int lane = lane_id();
  from += lane * (uint32_t)sizeof(T);
  int done = 0;
  if ((to & 15u) == 0) {
#pragma unroll 1
    for (; done + votes_together <= words; done += votes_together) {
      T x[votes_together];
      Words4 low, high;
#pragma unroll
      for (int r = 0; r < votes_together; ++r) {
        x[r] = load_one<T>(from + r * (uint32_t)(warp_lanes * sizeof(T)));
      }
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        low.word[r] = __ballot_sync(0xffffffffu, answer(x[r]));
        high.word[r] = __ballot_sync(0xffffffffu, answer(x[r + 4]));
      }
      if (lane == 0) {
        store_words4(to, low);
        store_words4(to + 16u, high);
      }
      from += votes_together * (uint32_t)(warp_lanes * sizeof(T));
      to += votes_together * 4u;
    }
  }
#pragma unroll 1
  for (; done < words; ++done) {
    const uint32_t bits = __ballot_sync(0xffffffffu, answer(load_one<T>(from)));
    if (lane == 0) store_one<uint32_t>(to, bits);
    from += (uint32_t)(warp_lanes * sizeof(T));
    to += 4u;
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
    store_one<uint32_t>(to + i * 4u, bits);
  }
}

/* The sum of x over this lane and those before it. */
BANG_INLINE uint32_t sum_up_to_lane(uint32_t x) {
#pragma unroll
  for (int step = 1; step < warp_lanes; step *= 2) {
    const uint32_t before = __shfl_up_sync(0xffffffffu, x, step);
    if (lane_id() >= step) x += before;
  }
  return x;
}

/* The elements whose bit is set, one behind the other, for whole words of 32 bits; returns their
 * number. A lane takes the elements of a word, two at a time; of few words all lanes take one after
 * the other. */
enum { filter_together = 4 };
BANG_INLINE uint32_t nram_filter(uint32_t to, uint32_t from, uint32_t bits, int words) {
  const int lane = lane_id();
  uint32_t total = 0;
  if (words <= filter_together) {
#pragma unroll 1
    for (int word = 0; word < words; ++word) {
      const uint32_t mask = load_one<uint32_t>(bits + word * 4u);
      const uint32_t x = load_one<uint32_t>(from + word * 128u + lane * 4u);
      const uint32_t at = total + __popc(mask & ((1u << lane) - 1));
      if (mask >> lane & 1) store_one<uint32_t>(to + at * 4u, x);
      total += __popc(mask);
    }
    return total;
  }
#pragma unroll 1
  for (int first = 0; first < words; first += warp_lanes) {
    const int word = first + lane;
    uint32_t mask = word < words ? load_one<uint32_t>(bits + word * 4u) : 0;
    const uint32_t number = __popc(mask);
    const uint32_t reach = sum_up_to_lane(number);
    uint32_t at = to + (total + reach - number) * 4u;
    const uint32_t source = from + word * 128u;
#pragma unroll 1
    while (mask) {
      const uint32_t one = __ffs(mask) - 1;
      mask &= mask - 1;
      const uint32_t other = mask ? __ffs(mask) - 1 : one;
      const uint32_t x = load_one<uint32_t>(source + one * 4u);
      const uint32_t y = load_one<uint32_t>(source + other * 4u);
      store_one<uint32_t>(at, x);
      if (mask) store_one<uint32_t>(at + 4u, y);
      mask &= mask - 1;
      at += 8u;
    }
    total += __shfl_sync(0xffffffffu, reach, warp_lanes - 1);
  }
  return total;
}

}  // namespace bang_impl

#endif /* BANG_NRAM_LOOPS_H_ */
