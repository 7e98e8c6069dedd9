/* SPDX-License-Identifier: MIT
 *
 * Elementwise loops over NRAM, where most kernels spend their instructions. Vectors are mostly
 * either long, and should take few instructions per element, or short, and should take few in
 * total. So a loop takes 16-byte pieces, four per lane while all lanes have some, then one per
 * lane, and the remainder element by element. Only the last loop has conditional accesses; it also
 * handles unaligned vectors.
 *
 * Each function exists once and is called: code that exceeds the instruction cache is slower than
 * any call. Between the warp barriers at both ends nothing else touches the operands, so accesses
 * need no other ordering.
 */
#ifndef BANG_NRAM_LOOPS_H_
#define BANG_NRAM_LOOPS_H_

#include "bang/nram_access.h"
#include "bang/polynomials.h"

namespace bang_impl {

/* Elements per piece of the wider of two types. */
template <class T, class U>
constexpr int pack_count() {
  return 16 / (int)(sizeof(T) > sizeof(U) ? sizeof(T) : sizeof(U));
}

/* Largest number of elements per lane and round; 1 means one piece, for operations of many
 * instructions. */
enum { elements_together = 16 };
constexpr int pieces_of(int elements, int count) {
  return elements <= count ? 1 : elements / count < 4 ? elements / count : 4;
}

/* Applies f to each element. */
template <class D, class F, int elements>
struct Map {
  enum { together = elements };
  F f;
  template <int count, class S>
  BANG_MEMBER void operator()(D (&y)[count], const S (&x)[count]) const {
#pragma unroll
    for (int k = 0; k < count; ++k) y[k] = f(x[k]);
  }
  template <class S>
  BANG_MEMBER D one(S x) const {
    return f(x);
  }
};

/* `pieces` pieces of this lane starting at `from`, each `warp_lanes` pieces after the previous one.
 */
template <class D, class S, int pieces, class Work>
BANG_INLINE void map_pieces(uint32_t to, uint32_t from, const Work &work) {
  constexpr int count = pack_count<D, S>();
  constexpr int in_bytes = count * sizeof(S), out_bytes = count * sizeof(D);
  Piece<in_bytes> in[pieces];
  S x[pieces * count];
  D y[pieces * count];
#pragma unroll
  for (int r = 0; r < pieces; ++r) in[r] = load_piece<in_bytes>(from + r * warp_lanes * in_bytes);
  if (sizeof(D) != sizeof(S)) __syncwarp();
#pragma unroll
  for (int k = 0; k < pieces * count; ++k) x[k] = element_of<S>(in[k / count], k % count);
  work(y, x);
#pragma unroll
  for (int r = 0; r < pieces; ++r) {
    Piece<out_bytes> out = {};
#pragma unroll
    for (int k = 0; k < count; ++k) put_element(out, k, y[r * count + k]);
    store_piece<out_bytes>(to + r * warp_lanes * out_bytes, out);
  }
  if (sizeof(D) != sizeof(S)) __syncwarp();
}

/* dst[i] = work(a[i]). The target may start below the source, or be wider and end where the source
 * ends. */
template <class D, class S, class Work>
BANG_LOOP void nram_map1(uint32_t to, uint32_t from, int n, Work work) {
  constexpr int count = pack_count<D, S>();
  constexpr int in_bytes = count * sizeof(S), out_bytes = count * sizeof(D);
  constexpr int round = warp_lanes * count, pieces = pieces_of(Work::together, count);
  const int lane = lane_id();
  int left = n;
  __syncwarp();
  if (n >= round && (to & (out_bytes - 1)) == 0 && (from & (in_bytes - 1)) == 0) {
    to += lane * out_bytes;
    from += lane * in_bytes;
    if constexpr (pieces > 1) {
#pragma unroll 1
      for (; left >= pieces * round; left -= pieces * round) {
        map_pieces<D, S, pieces>(to, from, work);
        to += pieces * warp_lanes * out_bytes;
        from += pieces * warp_lanes * in_bytes;
      }
    }
#pragma unroll 1
    for (; left >= round; left -= round) {
      map_pieces<D, S, 1>(to, from, work);
      to += warp_lanes * out_bytes;
      from += warp_lanes * in_bytes;
    }
    if (left == 0) { /* the most common case */
      __syncwarp();
      return;
    }
    to -= lane * out_bytes;
    from -= lane * in_bytes;
  }
  to += lane * (uint32_t)sizeof(D);
  from += lane * (uint32_t)sizeof(S);
#pragma unroll 1
  for (; left > 0; left -= warp_lanes) {
    Piece<sizeof(S)> p = {};
    if (lane < left) p = load_piece<sizeof(S)>(from);
    if (sizeof(D) != sizeof(S)) __syncwarp();
    if (lane < left) store_one<D>(to, work.one(element_of<S>(p, 0)));
    if (sizeof(D) != sizeof(S)) __syncwarp();
    to += warp_lanes * (uint32_t)sizeof(D);
    from += warp_lanes * (uint32_t)sizeof(S);
  }
  __syncwarp();
}

/* Vectors of up to two elements per lane are computed inline, because a call takes several times as
 * long. Operations of many instructions are called anyway. */
enum { short_elements = 2 * warp_lanes };
constexpr bool has_short_form(int together, int bytes) {
  return together > 1 && bytes <= 4;
}
template <class D, class S, class Work>
BANG_INLINE void nram_short_map1(uint32_t to, uint32_t from, int n, const Work &work) {
  const int lane = lane_id();
  const bool has_first = lane < n, has_second = lane + warp_lanes < n;
  Piece<sizeof(S)> first = {}, second = {};
  __syncwarp();
  if (has_first) first = load_piece<sizeof(S)>(from + lane * (uint32_t)sizeof(S));
  if (has_second) second = load_piece<sizeof(S)>(from + (lane + warp_lanes) * (uint32_t)sizeof(S));
  __syncwarp();
  to += lane * (uint32_t)sizeof(D);
  if (has_first) store_one<D>(to, work.one(element_of<S>(first, 0)));
  to += warp_lanes * (uint32_t)sizeof(D);
  if (has_second) store_one<D>(to, work.one(element_of<S>(second, 0)));
  __syncwarp();
}
template <class D, class T, class F>
BANG_INLINE void nram_short_map2(uint32_t to, uint32_t left, uint32_t right, int n, const F &f) {
  const int lane = lane_id();
  const uint32_t at = lane * (uint32_t)sizeof(T), step = warp_lanes * (uint32_t)sizeof(T);
  const bool has_first = lane < n, has_second = lane + warp_lanes < n;
  Piece<sizeof(T)> a = {}, b = {}, c = {}, d = {};
  __syncwarp();
  if (has_first) {
    a = load_piece<sizeof(T)>(left + at);
    b = load_piece<sizeof(T)>(right + at);
  }
  if (has_second) {
    c = load_piece<sizeof(T)>(left + at + step);
    d = load_piece<sizeof(T)>(right + at + step);
  }
  __syncwarp();
  if (has_first) store_one<D>(to + at, f(element_of<T>(a, 0), element_of<T>(b, 0)));
  if (has_second) store_one<D>(to + at + step, f(element_of<T>(c, 0), element_of<T>(d, 0)));
  __syncwarp();
}

/* True if f has a version for words of two 16-bit elements: f.pair(a, b). */
template <class F, class = void>
struct has_pairs : std::false_type {};
template <class F>
struct has_pairs<F, typename std::enable_if<F::is_for_pairs>::type> : std::true_type {};

/* dst[i] = f(a[i], b[i]) for elements of one size. */
template <int pieces, class D, class T, class F>
BANG_INLINE void map_pieces2(uint32_t to, uint32_t left, uint32_t right, const F &f) {
  constexpr int count = pack_count<D, T>();
  constexpr int bytes = count * sizeof(T);
  Piece<bytes> a[pieces], b[pieces];
#pragma unroll
  for (int r = 0; r < pieces; ++r) {
    a[r] = load_piece<bytes>(left + r * warp_lanes * bytes);
    b[r] = load_piece<bytes>(right + r * warp_lanes * bytes);
  }
#pragma unroll
  for (int r = 0; r < pieces; ++r) {
    Piece<bytes> out = {};
    if constexpr (has_pairs<F>::value) {
#pragma unroll
      for (int k = 0; k < count / 2; ++k) out.word[k] = f.pair(a[r].word[k], b[r].word[k]);
    } else {
#pragma unroll
      for (int k = 0; k < count; ++k)
        put_element<D>(out, k, f(element_of<T>(a[r], k), element_of<T>(b[r], k)));
    }
    store_piece<bytes>(to + r * warp_lanes * bytes, out);
  }
}
template <class D, class T, int together, class F>
BANG_LOOP void nram_map2(uint32_t to, uint32_t left, uint32_t right, int n, F f) {
  constexpr int count = pack_count<D, T>();
  constexpr int round = warp_lanes * count, pieces = pieces_of(together, count);
  const int lane = lane_id();
  __syncwarp();
  if (n >= round && ((to | left | right) & 15u) == 0) {
    to += lane * 16u;
    left += lane * 16u;
    right += lane * 16u;
    if constexpr (pieces > 1) {
#pragma unroll 1
      for (; n >= pieces * round; n -= pieces * round) {
        map_pieces2<pieces, D, T>(to, left, right, f);
        to += pieces * warp_lanes * 16u;
        left += pieces * warp_lanes * 16u;
        right += pieces * warp_lanes * 16u;
      }
    }
#pragma unroll 1
    for (; n >= round; n -= round) {
      map_pieces2<1, D, T>(to, left, right, f);
      to += warp_lanes * 16u;
      left += warp_lanes * 16u;
      right += warp_lanes * 16u;
    }
    if (n == 0) {
      __syncwarp();
      return;
    }
    to -= lane * 16u;
    left -= lane * 16u;
    right -= lane * 16u;
  }
  to += lane * (uint32_t)sizeof(D);
  left += lane * (uint32_t)sizeof(T);
  right += lane * (uint32_t)sizeof(T);
#pragma unroll 1
  for (; lane < n; n -= warp_lanes) {
    store_one<D>(to, f(load_one<T>(left), load_one<T>(right)));
    to += warp_lanes * (uint32_t)sizeof(D);
    left += warp_lanes * (uint32_t)sizeof(T);
    right += warp_lanes * (uint32_t)sizeof(T);
  }
  __syncwarp();
}

/* e^x: by the short algorithm if it is correct for all elements that a lane has in a round. */
struct Exps {
  float x[4];
};
BANG_CALLED Exps exp_of_any(Exps e) {
#pragma unroll
  for (int k = 0; k < 4; ++k) e.x[k] = exp_polynomial_of(e.x[k]);
  return e;
}
struct ExpMap {
  enum { together = elements_together };
  template <int count>
  BANG_MEMBER void operator()(float (&y)[count], const float (&x)[count]) const {
    bool is_moderate[2] = {true, true};
#pragma unroll
    for (int k = 0; k < count; ++k) {
      y[k] = exp_of_moderate(x[k]);
      is_moderate[k % 2] = is_moderate[k % 2] & is_exp_moderate(x[k]);
    }
    if (!(is_moderate[0] & is_moderate[1])) {
#pragma unroll
      for (int first = 0; first < count; first += 4) {
        const Exps e = exp_of_any(Exps{{x[first], x[first + 1], x[first + 2], x[first + 3]}});
#pragma unroll
        for (int k = 0; k < 4; ++k) y[first + k] = e.x[k];
      }
    }
  }
  BANG_MEMBER float one(float x) const {
    return exp_polynomial_of(x);
  }
};

/* Rounds two floats to 16-bit elements with one instruction, which changes the bits of NaNs. */
template <class D>
BANG_INLINE uint32_t nearest_pair(float low, float high) {
  uint32_t pair;
  if constexpr (std::is_same<D, half>::value) {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  } else {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  }
  return pair;
}
/* The same, preserving the bits of NaNs. */
template <class D>
BANG_CALLED uint32_t nearest_pair_of_any(float low, float high) {
  Piece<4> pair = {};
  put_element(pair, 0, D(low));
  put_element(pair, 1, D(high));
  return pair.word[0];
}
/* To 16 bits: in pairs, if the lane has no NaN among its elements. */
template <class D>
struct NarrowMap {
  enum { together = elements_together };
  template <int count>
  BANG_MEMBER void operator()(D (&y)[count], const float (&x)[count]) const {
    Piece<2 * count> pairs;
    bool has_nan = false;
#pragma unroll
    for (int k = 0; k < count; k += 2) {
      pairs.word[k / 2] = nearest_pair<D>(x[k], x[k + 1]);
      has_nan = has_nan | (x[k] != x[k]) | (x[k + 1] != x[k + 1]);
    }
    if (has_nan) {
#pragma unroll
      for (int k = 0; k < count; k += 2) pairs.word[k / 2] = nearest_pair_of_any<D>(x[k], x[k + 1]);
    }
#pragma unroll
    for (int k = 0; k < count; ++k) y[k] = element_of<D>(pairs, k);
  }
  BANG_MEMBER D one(float x) const {
    return D(x);
  }
};

/* dst[i] = f(i), for words */
template <class D, class F>
BANG_CALLED void nram_generate(uint32_t to, int n, F f) {
  const int lane = lane_id();
  int i = 0;
  __syncwarp();
  if ((to & 15u) == 0) {
#pragma unroll 1
    for (; i + 4 * warp_lanes <= n; i += 4 * warp_lanes) {
      Piece<16> out = {};
#pragma unroll
      for (int k = 0; k < 4; ++k) put_element<D>(out, k, f(i + 4 * lane + k));
      store_piece<16>(to + (i + 4 * lane) * 4u, out);
    }
  }
#pragma unroll 1
  for (i += lane; i < n; i += warp_lanes) store_one<D>(to + i * 4u, f(i));
  __syncwarp();
}

/* Fills n elements of Word's width with the element that `pattern` repeats. */
template <class Word>
BANG_CALLED void nram_fill(uint32_t to, int n, uint32_t pattern) {
  constexpr uint32_t width = sizeof(Word);
  const int lane = lane_id();
  __syncwarp();
  if ((to & 15u) == 0) {
    const uint32_t pieces = (uint32_t)n * width / 16u;
    const Piece<16> piece = {{pattern, pattern, pattern, pattern}};
#pragma unroll 1
    for (uint32_t i = lane; i < pieces; i += warp_lanes) store_piece<16>(to + i * 16u, piece);
    to += pieces * 16u;
    n -= (int)(pieces * (16u / width));
  }
#pragma unroll 1
  for (int i = lane; i < n; i += warp_lanes) store_one<Word>(to + i * width, (Word)pattern);
  __syncwarp();
}

}  // namespace bang_impl

#endif /* BANG_NRAM_LOOPS_H_ */
