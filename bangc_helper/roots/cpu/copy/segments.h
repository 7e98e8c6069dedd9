/* SPDX-License-Identifier: MIT
 *
 * A copy of BANG C as a sequence of contiguous runs: one segment, rows with a stride, or the 3-D
 * form whose two sides may be folded differently. */
#ifndef BANGC_HELPER_CPU_COPY_SEGMENTS_H_
#define BANGC_HELPER_CPU_COPY_SEGMENTS_H_

#include "bang_runtime.h"

typedef struct CopySide {
  ptrdiff_t stride0, stride1;
  size_t segments; /* segments along stride0 before a step of stride1 */
} CopySide;

typedef struct Copy {
  char *dst;
  const char *src;
  size_t size;  /* bytes of one segment */
  size_t count; /* segments */
  CopySide dst_side, src_side;
} Copy;

/* Position in the segments of a copy. */
typedef struct CopyCursor {
  const Copy *copy;
  char *dst;
  const char *src;
  size_t index;
  size_t dst_column, src_column;
} CopyCursor;

static inline CopyCursor copy_begin(const Copy *copy) {
  CopyCursor cursor = {copy, copy->dst, copy->src, 0, 0, 0};
  return cursor;
}

static inline int copy_at_end(const CopyCursor *cursor) {
  return cursor->index == cursor->copy->count;
}

/* Moves one side to its next segment and returns its column. */
static inline size_t side_step(const CopySide *side, size_t column, ptrdiff_t *offset) {
  if (++column < side->segments) {
    *offset = side->stride0;
    return column;
  }
  *offset = side->stride1 - (ptrdiff_t)(side->segments - 1) * side->stride0;
  return 0;
}

static inline void copy_next(CopyCursor *cursor) {
  /* The address after the last segment is never computed, since its stride may lead anywhere. */
  if (++cursor->index == cursor->copy->count) return;
  ptrdiff_t offset;
  cursor->dst_column = side_step(&cursor->copy->dst_side, cursor->dst_column, &offset);
  cursor->dst += offset;
  cursor->src_column = side_step(&cursor->copy->src_side, cursor->src_column, &offset);
  cursor->src += offset;
}

/* The bytes from low up to, not including, high. */
typedef struct ByteRange {
  uintptr_t low, high;
} ByteRange;

static inline ByteRange range_join(ByteRange a, ByteRange b) {
  ByteRange joined = {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
  return joined;
}

static inline int ranges_overlap(ByteRange a, ByteRange b) {
  return a.low < b.high && b.low < a.high;
}

#endif /* BANGC_HELPER_CPU_COPY_SEGMENTS_H_ */
