/* SPDX-License-Identifier: MIT */
#include "granules.h"

/* Adds `times` runs that begin at this offset in a granule. */
static void add_runs(struct card_granules *sum, uint64_t place, uint64_t bytes, uint64_t times) {
  const uint64_t first = place / CARD_GRANULE;
  const uint64_t end = (place + bytes + CARD_GRANULE - 1) / CARD_GRANULE;
  const uint64_t whole_first = (place + CARD_GRANULE - 1) / CARD_GRANULE;
  const uint64_t whole_end = (place + bytes) / CARD_GRANULE;
  const uint64_t whole = whole_end > whole_first ? whole_end - whole_first : 0;
  sum->runs += times;
  sum->whole += whole * times;
  sum->partial += (end - first - whole) * times;
}

/* Offsets in a granule repeat after at most CARD_GRANULE segments. */
static void add_row(struct card_granules *sum, uintptr_t start, uint64_t bytes, uint64_t count,
                    int64_t stride) {
  for (uint64_t i = 0; i < count && i < CARD_GRANULE; ++i) {
    const uint64_t times = (count - i + CARD_GRANULE - 1) / CARD_GRANULE;
    add_runs(sum, (start + i * (uint64_t)stride) % CARD_GRANULE, bytes, times);
  }
}

struct card_granules card_count_granules(const struct card_side *side) {
  struct card_granules sum = {0, 0, 0};
  struct card_side joined = *side;
  if (side->bytes == 0 || side->inner == 0 || side->outer == 0) {
    return sum;
  }
  if (joined.inner > 1 && joined.stride == (int64_t)joined.bytes) {
    joined.bytes *= joined.inner;
    joined.inner = 1;
  }
  if (joined.inner == 1 && joined.outer > 1 && joined.outer_stride == (int64_t)joined.bytes) {
    joined.bytes *= joined.outer;
    joined.outer = 1;
  }
  for (uint64_t i = 0; i < joined.outer; ++i) {
    add_row(&sum, joined.start + i * (uint64_t)joined.outer_stride, joined.bytes, joined.inner,
            joined.stride);
  }
  return sum;
}
