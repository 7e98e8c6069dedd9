/* SPDX-License-Identifier: MIT
 *
 * Counts the granules of device memory that a copy touches.
 */
#ifndef CARD_HOOKS_GRANULES_H_
#define CARD_HOOKS_GRANULES_H_

#include <stddef.h>
#include <stdint.h>

enum { CARD_GRANULE = 64 };

/* One side of a copy: `outer` groups, `outer_stride` apart, of `inner` segments, `stride` apart, of
 * `bytes` each. */
struct card_side {
  uintptr_t start;
  uint64_t bytes;
  uint64_t inner, outer;
  int64_t stride, outer_stride;
};

struct card_granules {
  uint64_t runs;           /* contiguous pieces */
  uint64_t whole, partial; /* granules covered wholly, and in part */
};

struct card_granules card_count_granules(const struct card_side *side);

#endif /* CARD_HOOKS_GRANULES_H_ */
