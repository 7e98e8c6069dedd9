/* SPDX-License-Identifier: MIT
 *
 * Device memory is read and written in granules: what a copy's runs touch.
 */
#ifndef CARD_HOOKS_GRANULES_H_
#define CARD_HOOKS_GRANULES_H_

#include <stddef.h>
#include <stdint.h>

enum { CARD_GRANULE = 64 };

/* One side of a copy: segments of `bytes`, `inner` of them `stride` apart, and that `outer` times
 * `outer_stride` apart. */
struct card_side {
  uintptr_t start;
  uint64_t bytes;
  uint64_t inner, outer;
  int64_t stride, outer_stride;
};

struct card_granules {
  uint64_t runs;           /* contiguous pieces */
  uint64_t whole, partial; /* granules that the runs cover, and that they touch otherwise */
};

struct card_granules card_count_granules(const struct card_side *side);

#endif /* CARD_HOOKS_GRANULES_H_ */
