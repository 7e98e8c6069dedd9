/* SPDX-License-Identifier: MIT
 *
 * Bit masks of elements in NRAM: made by comparisons, counted, and used to select elements.
 */
#ifndef BANG_NRAM_BITS_H_
#define BANG_NRAM_BITS_H_

#include "bang/nram_access.h"

namespace bang_impl {

/* Up to this many words of elements, all lanes process one word after the other. */
enum { voted_words = 2, filtered_words = 4 };

/* The bits of 32 elements in order. The pieces were read in rotated order, starting at piece
 * `turn`, so that neighbouring lanes access different banks. With has_sign the answer is the sign
 * of a number, otherwise a condition. */
template <class T, class Answer, uint32_t pieces>
BANG_INLINE uint32_t bits_of_pieces(const Piece<16> (&a)[pieces], const Piece<16> (&b)[pieces],
                                    const Answer &answer) {
  constexpr int count = 16 / (int)sizeof(T);
  uint32_t bits = 0;
  if constexpr (Answer::has_sign) {
#pragma unroll
    for (int byte = 3; byte >= 0; --byte) {
      uint32_t part = 0;
#pragma unroll
      for (int k = 8 * byte + 7; k >= 8 * byte; --k) {
        const float s = answer.sign(element_of<T>(a[k / count], k % count));
        part = __funnelshift_l(__float_as_uint(s), part, 1);
      }
      bits = bits << 8 | part;
    }
  } else {
#pragma unroll
    for (int k = 0; k < warp_lanes; ++k) {
      const T x = element_of<T>(a[k / count], k % count);
      const T y = Answer::is_scalar ? x : element_of<T>(b[k / count], k % count);
      if (answer(x, y)) bits |= 1u << k;
    }
  }
  return bits;
}

/* The bits of a piece of elements. */
template <class T, class Answer>
BANG_INLINE uint32_t bits_of_piece(uint32_t from, uint32_t other, const Answer &answer) {
  constexpr int count = 16 / (int)sizeof(T);
  const Piece<16> a = load_piece<16>(from);
  Piece<16> b = {};
  if (!Answer::is_scalar) b = load_piece<16>(other);
  uint32_t bits = 0;
#pragma unroll
  for (int k = 0; k < count; ++k) {
    const T x = element_of<T>(a, k);
    if (answer(x, Answer::is_scalar ? x : element_of<T>(b, k))) bits |= 1u << k;
  }
  return bits;
}

/* The bits of one piece per lane. For a few words this keeps more lanes busy than a whole word per
 * lane would. Bits of 4 elements are joined with those of the next lane. */
template <class T, class Answer>
BANG_INLINE void bits_by_pieces(uint32_t to, uint32_t from, uint32_t other, const Answer &answer) {
  const uint32_t lane = lane_id();
  const uint32_t bits = bits_of_piece<T>(from + lane * 16u, other + lane * 16u, answer);
  if constexpr (sizeof(T) == 2) {
    store_one<uint8_t>(to + lane, (uint8_t)bits);
  } else {
    const uint32_t byte = bits | __shfl_down_sync(all_lanes, bits, 1) << 4;
    if (lane % 2 == 0) store_one<uint8_t>(to + lane / 2, (uint8_t)byte);
  }
}

/* Bit i = answer(a[i], b[i]), starting at `to`; with is_scalar there is no b. A lane handles the 32
 * elements of a word, or a piece if there are few words. For very few words, partial words and
 * unaligned operands a lane handles single elements. */
template <class T, class Answer>
BANG_CALLED void nram_bits(uint32_t to, uint32_t from, uint32_t other, int n, Answer answer) {
  constexpr uint32_t pieces = warp_lanes * sizeof(T) / 16;
  constexpr int count = 16 / (int)sizeof(T), round = warp_lanes * count;
  const int lane = lane_id(), words = n / warp_lanes;
  const bool is_aligned = ((from | other) & 15u) == 0;
  int done = 0;
  __syncwarp();
  if ((sizeof(T) == 2 || sizeof(T) == 4) && is_aligned && words <= warp_lanes / 2) {
    if constexpr (sizeof(T) == 2 || sizeof(T) == 4) {
#pragma unroll 1
      for (; done + round <= n; done += round) {
        const uint32_t at = done * (uint32_t)sizeof(T);
        bits_by_pieces<T>(to + (uint32_t)done / 8u, from + at, other + at, answer);
      }
    }
  } else if (n > voted_words * warp_lanes && is_aligned) {
    const uint32_t turn = (uint32_t)(pieces < 8 ? lane / (8 / pieces) : lane) % pieces;
#pragma unroll 1
    for (int i = lane; i < words; i += warp_lanes) {
      Piece<16> a[pieces], b[pieces];
#pragma unroll
      for (uint32_t j = 0; j < pieces; ++j) {
        const uint32_t at = i * (pieces * 16u) + (turn * 16u + j * 16u) % (pieces * 16u);
        a[j] = load_piece<16>(from + at);
        if (!Answer::is_scalar) b[j] = load_piece<16>(other + at);
      }
      const uint32_t bits = bits_of_pieces<T>(a, b, answer);
      store_one<uint32_t>(to + i * 4u, __funnelshift_l(bits, bits, turn * count));
    }
    done = words * warp_lanes;
  }
#pragma unroll 1
  for (; done < n; done += warp_lanes) {
    bool is_set = false;
    if (done + lane < n) {
      const uint32_t at = (done + lane) * (uint32_t)sizeof(T);
      const T x = load_one<T>(from + at);
      is_set = answer(x, Answer::is_scalar ? x : load_one<T>(other + at));
    }
    const uint32_t bits = __ballot_sync(all_lanes, is_set);
    const uint32_t place = to + (uint32_t)done / 8u;
    if (n - done >= warp_lanes && (to & 3u) == 0) {
      if (lane == 0) store_one<uint32_t>(place, bits);
    } else if (lane < 4 && lane * 8 < n - done) {
      store_one<uint8_t>(place + lane, (uint8_t)(bits >> 8 * lane));
    }
  }
  __syncwarp();
}

/* Word i of n bits; bits past the end are 0. */
BANG_INLINE uint32_t load_bits(uint32_t from, int i, int n) {
  const int left = n - warp_lanes * i;
  const uint32_t bits = load_word_if(left > 0, from + i * 4u, 0);
  return left >= warp_lanes ? bits : bits & ((1u << (left & 31)) - 1);
}

BANG_CALLED uint32_t nram_count_bits(uint32_t from, int n) {
  const int lane = lane_id(), words = n / warp_lanes;
  uint32_t count = 0;
  __syncwarp();
#pragma unroll 1
  for (int i = lane; i < words; i += warp_lanes) count += __popc(load_one<uint32_t>(from + i * 4u));
  if (n % warp_lanes != 0 && lane == 0) count += __popc(load_bits(from, words, n));
  return __reduce_add_sync(all_lanes, count);
}

/* Prefix sum: the sum of x over this lane and all lower lanes. The shuffle reports whether a lower
 * lane exists. */
BANG_INLINE uint32_t sum_up_to_lane(uint32_t x) {
#pragma unroll
  for (int step = 1; step < warp_lanes; step *= 2) {
    asm volatile(
        "{\n.reg .u32 before;\n.reg .pred p;\n"
        "shfl.sync.up.b32 before|p, %0, %1, 0, 0xffffffff;\n@p add.u32 %0, %0, before;\n}"
        : "+r"(x)
        : "r"(step));
  }
  return x;
}

/* Copies the words that this lane's mask selects from the lane's 32 source words. Takes the first
 * and the last remaining one at a time; they may be the same. */
BANG_INLINE void filter_by_lane(uint32_t to, uint32_t from, uint32_t mask) {
  uint32_t to_last = to + 4u * __popc(mask) - 4u;
#pragma unroll 1
  while (mask) {
    const uint32_t last = 31 - __clz(mask), first = 31 - __clz(mask & -mask);
    const uint32_t x = load_one<uint32_t>(from + first * 4u);
    const uint32_t y = load_one<uint32_t>(from + last * 4u);
    mask = mask & (mask - 1) & ~(1u << last);
    store_one<uint32_t>(to, x);
    store_one<uint32_t>(to_last, y);
    to += 4u;
    to_last -= 4u;
  }
}

/* The same for `groups` groups of four words per lane. All positions are computed before the first
 * store, because a register that a store still reads cannot be changed at once. */
template <int groups>
BANG_INLINE void filter_by_fours(uint32_t to, uint32_t from, uint32_t mask, uint32_t before,
                                 int first) {
  const uint32_t lane = lane_id(), shift = lane % 8 * 4;
  Piece<16> x[groups];
  uint32_t four[groups], at[groups][4];
#pragma unroll
  for (int g = 0; g < groups; ++g) {
    const int owner = first + 4 * g + lane / 8;
    const uint32_t word = __shfl_sync(all_lanes, mask, owner);
    const uint32_t base = __shfl_sync(all_lanes, before, owner);
    four[g] = word >> shift & 15u;
    /* If nothing is selected, the source may not exist. */
    x[g] = load_piece<16>(four[g] ? from + (first + 4 * g) * 128u + lane * 16u : from);
    at[g][0] = to + 4u * (base + __popc(word & ((1u << shift) - 1)));
    at[g][1] = at[g][0] + ((four[g] & 1u) << 2);
    at[g][2] = at[g][1] + ((four[g] & 2u) << 1);
    at[g][3] = at[g][2] + (four[g] & 4u);
  }
  __syncwarp(); /* the target may be the source */
#pragma unroll
  for (int g = 0; g < groups; ++g) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (four[g] >> k & 1) store_one<uint32_t>(at[g][k], x[g].word[k]);
    }
  }
}

/* Compacts the words whose bit is set; returns how many. The target may be the source or start
 * below it. The source is aligned to 16 bytes. For a few words, all lanes process one after the
 * other. Otherwise each lane has the mask of one word; if few bits are set and the target does not
 * overlap, the lane copies its words itself. */
enum { filter_groups = 4 };
BANG_CALLED uint32_t nram_filter(uint32_t to, uint32_t from, uint32_t bits, int n) {
  const int lane = lane_id();
  const bool is_apart = to + n * 4u <= from || from + n * 4u <= to;
  uint32_t total = 0;
  __syncwarp();
  if (n <= filtered_words * warp_lanes || (from & 15u) != 0) {
#pragma unroll 1
    for (int i = 0; warp_lanes * i < n; ++i) {
      const uint32_t mask = load_bits(bits, i, n);
      const bool is_set = mask >> lane & 1;
      const uint32_t x = load_word_if(is_set, from + i * 128u + lane * 4u, 0);
      __syncwarp();
      if (is_set) store_one<uint32_t>(to + 4u * (total + __popc(mask & ((1u << lane) - 1))), x);
      total += __popc(mask);
    }
    __syncwarp();
    return total;
  }
#pragma unroll 1
  for (int first = 0; warp_lanes * first < n; first += warp_lanes) {
    const uint32_t mask = load_bits(bits, first + lane, n);
    const uint32_t number = __popc(mask), reach = sum_up_to_lane(number);
    const uint32_t sum = __shfl_sync(all_lanes, reach, warp_lanes - 1);
    const uint32_t source = from + first * 128u, target = to + total * 4u;
    const uint32_t before = reach - number;
    if (is_apart && sum <= 2 * warp_lanes) {
      filter_by_lane(target + before * 4u, source + lane * 128u, mask);
    } else {
#pragma unroll 1
      for (int word = 0; word < warp_lanes; word += 4 * filter_groups)
        filter_by_fours<filter_groups>(target, source, mask, before, word);
    }
    total += sum;
  }
  __syncwarp();
  return total;
}

}  // namespace bang_impl

#endif /* BANG_NRAM_BITS_H_ */
