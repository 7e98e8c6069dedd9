/* SPDX-License-Identifier: MIT */
#include "order.h"

#include "settings.h"

/* A pseudo-random permutation: a Feistel network on an even number of bits, repeated until the
 * result is in range. */
static uint64_t permuted(uint64_t index, uint64_t total, uint64_t seed) {
  unsigned half_bits = 1;
  while (half_bits < 32 && (uint64_t)1 << (2 * half_bits) < total) {
    ++half_bits;
  }
  const uint64_t mask = ((uint64_t)1 << half_bits) - 1;
  do {
    uint64_t left = index >> half_bits;
    uint64_t right = index & mask;
    for (uint64_t round = 1; round <= 4; ++round) {
      uint64_t mixed = (right + seed + round * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
      mixed ^= mixed >> 29;
      const uint64_t next = left ^ (mixed & mask);
      left = right;
      right = next;
    }
    index = left << half_bits | right;
  } while (index >= total);
  return index;
}

uint64_t rt_ordered_index(uint64_t index, uint64_t total) {
  switch (rt_settings()->order) {
    case RT_ORDER_REVERSED:
      return total - 1 - index;
    case RT_ORDER_RANDOM:
      return permuted(index, total, rt_settings()->order_seed);
    default:
      return index;
  }
}
