/* SPDX-License-Identifier: MIT
 *
 * Filters and reductions by a warp, for operands in any memory. Float sums have the CPU root's
 * order (nram_reductions.h).
 */
#ifndef BANG_REDUCTIONS_H_
#define BANG_REDUCTIONS_H_

#include "bang/loops.h"
#include "bang/nram_reductions.h"

namespace bang_impl {

template <class T>
BANG_CALLED T sum_anywhere(const T *src, int64_t n) {
  const int lane = lane_id();
  if constexpr (is_float_element<T>()) {
    float even = BANG_NO_SUMMAND, odd = BANG_NO_SUMMAND;
#pragma unroll 1
    for (int64_t i = lane; i < n; i += 2 * warp_lanes) {
      even += float(src[i]);
      if (i + warp_lanes < n) odd += float(src[i + warp_lanes]);
    }
    return T(running_sum(even, odd));
  } else {
    typedef typename std::make_unsigned<T>::type U;
    uint64_t sum = 0;
#pragma unroll 4
    for (int64_t i = lane; i < n; i += warp_lanes) sum += (U)src[i];
#pragma unroll
    for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(all_lanes, sum, half);
    return (T)(U)sum;
  }
}
template <class T>
BANG_INLINE T sum_elements(const T *src, int64_t n) {
  if (!__isShared(src)) return sum_anywhere(src, n);
  if constexpr (is_float_element<T>()) {
    return T(nram_sum<T>(shared_address(src), (int)n));
  } else {
    return nram_integer_sum<T>(shared_address(src), (int)n);
  }
}

template <class T>
BANG_CALLED uint32_t count_anywhere(const T *src, int64_t n) {
  unsigned count = 0;
#pragma unroll 4
  for (int64_t i = lane_id(); i < n; i += warp_lanes) count += is_set(src[i]);
  return __reduce_add_sync(all_lanes, count);
}
template <class T>
BANG_INLINE uint32_t count_elements(const T *src, int64_t n) {
  if (__isShared(src)) return nram_count<T>(shared_address(src), (int)n);
  return count_anywhere(src, n);
}

/* Position of this lane's element among those kept in this round. */
BANG_INLINE int rank_in(uint32_t mask) {
  return __popc(mask & ((1u << lane_id()) - 1));
}

/* keep(i): true if element i is kept. All lanes read before any writes, so dst may be src. */
template <class Word, class Keep>
BANG_INLINE uint32_t filter_words(Word *dst, const Word *src, int64_t n, const Keep &keep) {
  enum { rounds = 4 };
  const int lane = lane_id();
  uint32_t total = 0;
  const int count = (int)n;
#pragma unroll 1
  for (int first = 0; first < count; first += rounds * warp_lanes) {
    Word held[rounds] = {};
    bool kept[rounds];
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      int i = first + r * warp_lanes + lane;
      kept[r] = i < count && keep(i);
      if (kept[r]) held[r] = src[i];
    }
    __syncwarp();
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      uint32_t mask = __ballot_sync(all_lanes, kept[r]);
      if (kept[r]) dst[total + rank_in(mask)] = held[r];
      total += __popc(mask);
    }
    __syncwarp();
  }
  return total;
}

/* The same in NRAM; element i is kept if mask[i] is not 0. */
template <class T>
BANG_CALLED uint32_t nram_filter_elements(uint32_t to, uint32_t from, uint32_t mask, int n) {
  typedef typename word_of<sizeof(T)>::type Word;
  enum { rounds = 8 };
  const int lane = lane_id();
  uint32_t total = 0;
  __syncwarp();
  from += lane * (uint32_t)sizeof(T);
  mask += lane * (uint32_t)sizeof(T);
#pragma unroll 1
  for (; n > 0; n -= rounds * warp_lanes) {
    Word held[rounds] = {};
    uint32_t kept[rounds];
    T set[rounds] = {};
#pragma unroll
    for (int r = 0; r < rounds; ++r)
      if (r * warp_lanes + lane < n)
        set[r] = load_one<T>(mask + r * (uint32_t)(warp_lanes * sizeof(T)));
#pragma unroll
    for (int r = 0; r < rounds; ++r) kept[r] = __ballot_sync(all_lanes, is_set(set[r]));
#pragma unroll
    for (int r = 0; r < rounds; ++r)
      if (kept[r] >> lane & 1)
        held[r] = load_one<Word>(from + r * (uint32_t)(warp_lanes * sizeof(T)));
    __syncwarp(); /* the target may be the source */
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      if (kept[r] >> lane & 1)
        store_one<Word>(to + (total + rank_in(kept[r])) * (uint32_t)sizeof(T), held[r]);
      total += __popc(kept[r]);
    }
    __syncwarp();
    from += rounds * (uint32_t)(warp_lanes * sizeof(T));
    mask += rounds * (uint32_t)(warp_lanes * sizeof(T));
  }
  return total;
}

BANG_INLINE bool bit_of(const uint8_t *bits, int64_t i) {
  return bits[i / 8] >> (i % 8) & 1;
}

/* The first element that beats all others; NaNs are ignored. */
template <class T, bool largest>
BANG_INLINE int64_t extreme_anywhere(const T *src, int64_t n) {
  typedef typename std::conditional<is_float_element<T>(), float, T>::type Value;
  const int lane = lane_id();
  Value best = 0;
  int index = -1;
#pragma unroll 4
  for (int64_t i = lane; i < n; i += warp_lanes) {
    Value x = (Value)src[i];
    bool number = x == x;
    bool better = largest ? x > best : x < best;
    if (number && (index < 0 || better)) {
      best = x;
      index = (int)i;
    }
  }
#pragma unroll
  for (int half = 16; half > 0; half /= 2) {
    Value other;
    if constexpr (sizeof(Value) == 8) {
      other = (Value)__shfl_xor_sync(all_lanes, (unsigned long long)best, half);
    } else if constexpr (std::is_same<Value, float>::value) {
      other = __shfl_xor_sync(all_lanes, best, half);
    } else {
      other = (Value)__shfl_xor_sync(all_lanes, (int)best, half);
    }
    int other_index = __shfl_xor_sync(all_lanes, index, half);
    bool better = largest ? other > best : other < best;
    bool earlier = other == best && other_index < index;
    if (other_index >= 0 && (index < 0 || better || earlier)) {
      best = other;
      index = other_index;
    }
  }
  return index < 0 ? 0 : index;
}
template <class T, bool largest>
BANG_INLINE int64_t extreme_index(const T *src, int64_t n) {
  if constexpr (std::is_same<T, float>::value) {
    if (__isShared(src)) return nram_extreme<largest>(shared_address(src), (int)n);
  }
  return extreme_anywhere<T, largest>(src, n);
}

/* Writes the value, then the index, then zeros: 12 bytes for 32-bit elements, 10 for narrower ones.
 */
template <class T>
BANG_INLINE void put_extreme(void *dst, const T *src, int64_t index) {
  T value = src[index];
  uint32_t position = (uint32_t)index;
  if constexpr (sizeof(T) == 4) {
    if (((uint64_t)dst & 3) == 0) {
      __syncwarp();
      *(T *)dst = value;
      ((uint32_t *)dst)[1] = position;
      ((uint32_t *)dst)[2] = 0;
      __syncwarp();
      return;
    }
  }
  uint8_t out[24] = {0};
  memcpy(out, &value, sizeof value);
  memcpy(out + sizeof value, &position, sizeof position);
  __syncwarp();
  constexpr int bytes = sizeof(T) >= 4 ? (int)sizeof(T) + 8 : 10;
  for (int i = 0; i < bytes; ++i) ((uint8_t *)dst)[i] = out[i];
  __syncwarp();
}

template <class T, bool first>
BANG_INLINE uint32_t find_set(const T *src, int64_t n) {
  const int64_t rounds = (n + warp_lanes - 1) / warp_lanes;
  for (int64_t r = 0; r < rounds; ++r) {
    int64_t begin = (first ? r : rounds - 1 - r) * warp_lanes, i = begin + lane_id();
    uint32_t mask = __ballot_sync(all_lanes, i < n && is_set(src[i]));
    if (mask) return (uint32_t)begin + (first ? __ffs(mask) - 1 : 31 - __clz(mask));
  }
  return 0xffffffffu;
}

}  // namespace bang_impl

#endif /* BANG_REDUCTIONS_H_ */
