/* SPDX-License-Identifier: MIT
 *
 * Filters and reductions of a warp. The order of float sums is that of the CPU root: 64 running
 * sums, sum j taking elements j, j + 64, ..., then halves added to halves.
 */
#ifndef BANG_REDUCTIONS_H_
#define BANG_REDUCTIONS_H_

#include "bang/loops.h"

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

template <class T>
BANG_INLINE T sum_elements(const T *src, int64_t n) {
  const int lane = lane_id();
  if constexpr (is_float_element<T>()) {
    float even = -0.0f, odd = -0.0f; /* what adds nothing, not even to the sign of a zero */
    int64_t i = lane;
#pragma unroll 1
    for (; i + 224 < n; i += 256) {
      float x[8];
#pragma unroll
      for (int k = 0; k < 8; ++k) x[k] = float(src[i + 32 * k]);
#pragma unroll
      for (int k = 0; k < 8; k += 2) {
        even += x[k];
        odd += x[k + 1];
      }
    }
#pragma unroll 1
    for (; i < n; i += 64) {
      even += float(src[i]);
      if (i + 32 < n) odd += float(src[i + 32]);
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
BANG_INLINE uint32_t count_elements(const T *src, int64_t n) {
  unsigned count = 0;
  constexpr int pack = 16 / sizeof(T);
  int64_t done = 0;
  if (is_packable<pack>(src)) {
    const int packs = (int)(n / pack);
#pragma unroll 4
    for (int i = lane_id(); i < packs; i += warp_lanes) {
      Pack<T, pack> in;
      T x[pack];
      in.load(src + (int64_t)i * pack);
      in.unpack(x);
#pragma unroll
      for (int k = 0; k < pack; ++k) count += is_set(x[k]);
    }
    done = (int64_t)packs * pack;
  }
  for (int64_t i = done + lane_id(); i < n; i += warp_lanes) count += is_set(src[i]);
  return __reduce_add_sync(all_lanes, count);
}

/* Elements of a round of the lanes that are kept, in order. */
BANG_INLINE int rank_in(uint32_t mask) {
  return __popc(mask & ((1u << lane_id()) - 1));
}

/* keep(i): whether element i stays. A round is read before it is written: dst may be src. */
template <class Word, class Keep>
BANG_INLINE uint32_t filter_words(Word *dst, const Word *src, int64_t n, const Keep &keep) {
  enum { rounds = 4 };
  const int lane = lane_id();
  uint32_t total = 0;
  const int count = (int)n;
#pragma unroll 1
  for (int first = 0; first < count; first += rounds * warp_lanes) {
    Word held[rounds];
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

BANG_INLINE bool bit_of(const uint8_t *bits, int64_t i) {
  return bits[i / 8] >> (i % 8) & 1;
}

/* The bits of 32 elements from element 32 * word on; those behind element n are 0. */
BANG_INLINE uint32_t bits_of_word(const uint8_t *bits, int word, int n) {
  const int left = n - 32 * word;
  const uint8_t *from = bits + 4 * word;
  uint32_t mask = 0;
  if (left >= 32 && ((uint64_t)bits & 3) == 0) {
    mask = *(const uint32_t *)from;
  } else {
    for (int k = 0; 8 * k < left && k < 4; ++k) mask |= (uint32_t)from[k] << 8 * k;
  }
  return left >= 32 ? mask : mask & ((1u << left) - 1);
}

/* As filter_words by bits, dst apart from src: a lane takes the elements of 32 bits, of which
 * mostly few are set. */
template <class Word>
BANG_INLINE uint32_t filter_sparse(Word *dst, const Word *src, const uint8_t *bits, int n) {
  const int words = (n + 31) / 32;
  uint32_t total = 0;
#pragma unroll 1
  for (int first = 0; first < words; first += warp_lanes) {
    const int word = first + lane_id();
    uint32_t mask = word < words ? bits_of_word(bits, word, n) : 0;
    const uint32_t number = __popc(mask), reach = sum_up_to_lane(number);
    uint32_t at = total + reach - number;
#pragma unroll 1
    for (; mask; mask &= mask - 1) dst[at++] = src[32 * word + __ffs(mask) - 1];
    total += __shfl_sync(all_lanes, reach, warp_lanes - 1);
  }
  __syncwarp();
  return total;
}

/* The first element that wins over all others; NaN is passed over. */
template <class T, bool largest>
BANG_INLINE int64_t extreme_index(const T *src, int64_t n) {
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

/* The value, the index right behind it, zeros: 12 bytes for 32-bit elements, 10 for narrower ones.
 */
template <class T>
BANG_INLINE void put_extreme(void *dst, const T *src, int64_t index) {
  uint8_t out[24] = {0};
  T value = src[index];
  uint32_t position = (uint32_t)index;
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
