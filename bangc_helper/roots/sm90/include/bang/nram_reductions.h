/* SPDX-License-Identifier: MIT
 *
 * Reductions of vectors in NRAM: sums, the largest element, the number of nonzero elements. Float
 * sums have the CPU root's order: 64 running sums, sum j taking elements j, j + 64, ..., then
 * halves added to halves.
 */
#ifndef BANG_NRAM_REDUCTIONS_H_
#define BANG_NRAM_REDUCTIONS_H_

#include "bang/nram_bits.h"
#include "bang/nram_loops.h"
#include "bang/operations.h"

namespace bang_impl {

template <class T>
BANG_INLINE bool is_set(T x) {
  if constexpr (is_float_element<T>()) {
    return float(x) != 0.0f;
  } else {
    return x != 0;
  }
}

BANG_INLINE float running_sum(float even, float odd) {
  float sum = even + odd;
#pragma unroll
  for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(all_lanes, sum, half);
  return __shfl_sync(all_lanes, sum, 0);
}

/* The neutral element of addition: it even keeps the sign of a zero. */
#define BANG_NO_SUMMAND (-0.0f)

/* Elements of the lane's two running sums, alternating; past the end the neutral element. */
template <class T>
BANG_INLINE float summand(uint32_t from, int k, int left) {
  const uint32_t at = from + k * (uint32_t)(warp_lanes * sizeof(T));
  const bool is_there = warp_lanes * k + lane_id() < left;
  if constexpr (sizeof(T) == 4) {
    return __uint_as_float(load_word_if(is_there, at, __float_as_uint(BANG_NO_SUMMAND)));
  } else {
    return is_there ? float(load_one<T>(at)) : BANG_NO_SUMMAND;
  }
}
template <class T>
BANG_CALLED float nram_sum(uint32_t from, int n) {
  enum { many = 32, few = 4 };
  float even = BANG_NO_SUMMAND, odd = BANG_NO_SUMMAND;
  __syncwarp();
  from += lane_id() * (uint32_t)sizeof(T);
#pragma unroll 1
  for (; n >= many * warp_lanes; n -= many * warp_lanes) {
    T x[many];
#pragma unroll
    for (int k = 0; k < many; ++k)
      x[k] = load_one<T>(from + k * (uint32_t)(warp_lanes * sizeof(T)));
#pragma unroll
    for (int k = 0; k < many; k += 2) {
      even += float(x[k]);
      odd += float(x[k + 1]);
    }
    from += many * (uint32_t)(warp_lanes * sizeof(T));
  }
#pragma unroll 1
  for (; n > 0; n -= few * warp_lanes) {
    float x[few];
#pragma unroll
    for (int k = 0; k < few; ++k) x[k] = summand<T>(from, k, n);
#pragma unroll
    for (int k = 0; k < few; k += 2) {
      even += x[k];
      odd += x[k + 1];
    }
    from += few * (uint32_t)(warp_lanes * sizeof(T));
  }
  return running_sum(even, odd);
}

/* Sums every 32 floats: the sum goes to the first one, zeros to the others. Several segments at a
 * time, because each step of a sum waits for the one before. The target is the source or does not
 * overlap it. */
BANG_CALLED void nram_segment_sums(uint32_t to, uint32_t from, int segments) {
  enum { together = 8 };
  const int lane = lane_id();
  __syncwarp();
  to += lane * 4u;
  from += lane * 4u;
#pragma unroll 1
  for (; segments > 0; segments -= together) {
    float x[together];
#pragma unroll
    for (int k = 0; k < together; ++k)
      x[k] = __uint_as_float(load_word_if(k < segments, from + k * (warp_lanes * 4u), 0));
#pragma unroll
    for (int half = 16; half > 0; half /= 2) {
#pragma unroll
      for (int k = 0; k < together; ++k) x[k] += __shfl_down_sync(all_lanes, x[k], half);
    }
#pragma unroll
    for (int k = 0; k < together; ++k)
      if (k < segments) store_one<float>(to + k * (warp_lanes * 4u), lane == 0 ? x[k] : 0.0f);
    to += together * warp_lanes * 4u;
    from += together * warp_lanes * 4u;
  }
  __syncwarp();
}

/* Integers wrap around, so any order gives the same sum. */
template <class T>
BANG_CALLED T nram_integer_sum(uint32_t from, int n) {
  typedef typename std::make_unsigned<T>::type U;
  typedef typename std::conditional<sizeof(T) == 8, uint64_t, uint32_t>::type Sum;
  Sum sum = 0;
  __syncwarp();
  from += lane_id() * (uint32_t)sizeof(T);
  n -= lane_id();
#pragma unroll 1
  for (; n > 7 * warp_lanes; n -= 8 * warp_lanes) {
    U x[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) x[k] = load_one<U>(from + k * warp_lanes * (uint32_t)sizeof(T));
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += x[k];
    from += 8 * warp_lanes * (uint32_t)sizeof(T);
  }
#pragma unroll 1
  for (; n > 0; n -= warp_lanes) {
    sum += load_one<U>(from);
    from += warp_lanes * (uint32_t)sizeof(T);
  }
  __syncwarp();
  if constexpr (sizeof(T) == 8) {
#pragma unroll
    for (int half = 16; half > 0; half /= 2) {
      sum += __shfl_xor_sync(all_lanes, (unsigned long long)sum, half);
    }
  } else {
    sum = __reduce_add_sync(all_lanes, sum);
  }
  return (T)(U)sum;
}

template <int pieces, class T>
BANG_INLINE uint32_t count_pieces(uint32_t from) {
  constexpr int count = 16 / (int)sizeof(T);
  uint32_t sum = 0;
  Piece<16> p[pieces];
#pragma unroll
  for (int r = 0; r < pieces; ++r) p[r] = load_piece<16>(from + r * warp_lanes * 16u);
#pragma unroll
  for (int k = 0; k < pieces * count; ++k) sum += is_set(element_of<T>(p[k / count], k % count));
  return sum;
}
template <class T>
BANG_CALLED uint32_t nram_count(uint32_t from, int n) {
  constexpr int count = 16 / (int)sizeof(T), pieces = pieces_of(elements_together, count);
  constexpr int round = pieces * warp_lanes * count;
  const int lane = lane_id();
  uint32_t sum = 0;
  __syncwarp();
  if ((from & 15u) == 0) {
#pragma unroll 1
    for (; n >= round; n -= round) {
      sum += count_pieces<pieces, T>(from + lane * 16u);
      from += pieces * warp_lanes * 16u;
    }
  }
#pragma unroll 1
  for (int i = lane; i < n; i += warp_lanes)
    sum += is_set(load_one<T>(from + i * (uint32_t)sizeof(T)));
  __syncwarp();
  return __reduce_add_sync(all_lanes, sum);
}

/* Integers that compare like the floats. */
BANG_INLINE int key_of(float x) {
  const int bits = __float_as_int(x + 0.0f); /* both zeros get the same key */
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

/* The first float that beats all others; NaNs are ignored. Pieces of four are searched by their
 * best element. */
template <bool largest>
BANG_CALLED int nram_extreme(uint32_t from, int n) {
  constexpr float worst =
      largest ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
  const int lane = lane_id();
  float best = worst;
  uint32_t at = all_lanes; /* the piece; after the pieces, the element */
  int i = 0;
  __syncwarp();
  if ((from & 15u) == 0) {
#pragma unroll 2
    for (; i + 4 * warp_lanes <= n; i += 4 * warp_lanes) {
      const Piece<16> p = load_piece<16>(from + (i + 4 * lane) * 4u);
      const float a = __uint_as_float(p.word[0]), b = __uint_as_float(p.word[1]);
      const float c = __uint_as_float(p.word[2]), d = __uint_as_float(p.word[3]);
      const float most =
          largest ? fmaxf(fmaxf(a, b), fmaxf(c, d)) : fminf(fminf(a, b), fminf(c, d));
      if (largest ? most > best : most < best) {
        best = most;
        at = i + 4 * lane;
      }
    }
  }
#pragma unroll 1
  for (i += lane; i < n; i += warp_lanes) {
    const float x = load_one<float>(from + i * 4u);
    if (largest ? x > best : x < best) {
      best = x;
      at = i;
    }
  }
  __syncwarp();
  const int key = largest ? key_of(best) : ~key_of(best);
  const int first_key = __reduce_max_sync(all_lanes, key);
  at = __reduce_min_sync(all_lanes, key == first_key ? at : (uint32_t)all_lanes);
  const int winner_key = largest ? first_key : ~first_key;
  best = __int_as_float(winner_key ^ ((winner_key >> 31) & 0x7fffffff));
  bool is_found; /* all elements were the worst value or NaN: take the first number */
  if (at == (uint32_t)all_lanes) {
#pragma unroll 1
    for (at = 0; (int)at < n; at += warp_lanes) {
      is_found = (int)at + lane < n && load_one<float>(from + (at + lane) * 4u) == worst;
      const uint32_t found = __ballot_sync(all_lanes, is_found);
      if (found) return (int)at + __ffs(found) - 1;
    }
    return 0;
  }
  is_found = lane < 4 && (int)at + lane < n && load_one<float>(from + (at + lane) * 4u) == best;
  return (int)at + __ffs(__ballot_sync(all_lanes, is_found)) - 1;
}

}  // namespace bang_impl

#endif /* BANG_NRAM_REDUCTIONS_H_ */
