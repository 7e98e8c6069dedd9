/* SPDX-License-Identifier: MIT
 *
 * Iterates over the contiguous segments of a strided side.
 */
#ifndef CARD_CHECKS_SEGMENTS_H_
#define CARD_CHECKS_SEGMENTS_H_

#include <stdbool.h>

#include "granules.h"

struct card_segments {
  struct card_side side;
  uint64_t i, j;
};

/* Adjacent segments are merged. */
static inline struct card_segments card_segments(const struct card_side *side) {
  struct card_segments s = {*side, 0, 0};
  if (s.side.inner > 1 && s.side.stride == (int64_t)s.side.bytes) {
    s.side.bytes *= s.side.inner;
    s.side.inner = 1;
  }
  if (s.side.inner == 1 && s.side.outer > 1 && s.side.outer_stride == (int64_t)s.side.bytes) {
    s.side.bytes *= s.side.outer;
    s.side.outer = 1;
  }
  if (s.side.bytes == 0 || s.side.inner == 0) {
    s.side.outer = 0;
  }
  return s;
}

static inline bool card_next_segment(struct card_segments *s, uintptr_t *start) {
  if (s->j >= s->side.outer) {
    return false;
  }
  *start = s->side.start + s->j * (uint64_t)s->side.outer_stride + s->i * (uint64_t)s->side.stride;
  if (++s->i == s->side.inner) {
    s->i = 0;
    ++s->j;
  }
  return true;
}

#endif /* CARD_CHECKS_SEGMENTS_H_ */
