/* SPDX-License-Identifier: MIT
 *
 * Byte ranges moved by the lanes of a task.
 */
#ifndef BANG_MOVES_H_
#define BANG_MOVES_H_

#include "bang/nram_access.h"

namespace bang_impl {

/* Moves a run of units. All lanes read before any writes, and the run is done backwards if needed,
 * so source and target may overlap. */
template <class Unit>
struct MoveRun {
  Unit *to;
  const Unit *from;
  int64_t units;
  bool descending;

  BANG_MEMBER void operator()(Share share) const {
    enum { together = 4 };
    const int64_t step = (int64_t)share.step * together; /* a power of two */
    const int64_t last = (units - 1) & -step;
#pragma unroll 1
    for (int64_t done = 0; done < units; done += step) {
      const int64_t first = (descending ? last - done : done) + share.first;
      Unit held[together] = {};
#pragma unroll
      for (int k = 0; k < together; ++k) {
        int64_t i = first + (int64_t)k * share.step;
        if (i < units) held[k] = from[i];
      }
      __syncwarp();
#pragma unroll
      for (int k = 0; k < together; ++k) {
        int64_t i = first + (int64_t)k * share.step;
        if (i < units) to[i] = held[k];
      }
      __syncwarp();
    }
  }
};
template <class Unit>
BANG_INLINE void move_units(char *dst, const char *src, int64_t size, bool overlaps) {
  MoveRun<Unit> work = {(Unit *)dst, (const Unit *)src, size / (int64_t)sizeof(Unit),
                        overlaps && dst > src};
  divide_work(dst, work);
}

BANG_INLINE unsigned alignment_of(uint64_t bits) {
  return (unsigned)(bits & 15) == 0 ? 16 : (unsigned)bits & -(unsigned)bits & 15;
}

/* For as many words of NRAM as the lanes hold in registers: any overlap is fine. */
enum { held_words = 16 * warp_lanes };
BANG_CALLED void move_words(uint32_t to, uint32_t from, int words) {
  const int lane = lane_id();
  __syncwarp();
  if (words <= warp_lanes) {
    const uint32_t x = load_word_if(lane < words, from + lane * 4u, 0);
    __syncwarp();
    if (lane < words) store_one<uint32_t>(to + lane * 4u, x);
  } else {
    uint32_t x[held_words / warp_lanes];
#pragma unroll
    for (int k = 0; k < held_words / warp_lanes; ++k) {
      const uint32_t i = k * warp_lanes + lane;
      x[k] = load_word_if((int)i < words, from + i * 4u, 0);
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < held_words / warp_lanes; ++k) {
      const uint32_t i = k * warp_lanes + lane;
      if ((int)i < words) store_one<uint32_t>(to + i * 4u, x[k]);
    }
  }
  __syncwarp();
}

/* memmove by the warp */
BANG_CALLED void move_bytes(char *dst, const char *src, int64_t size) {
  if (is_in_nram<4>(dst) && is_in_nram<4>(src) && size <= 4 * held_words && (size & 3) == 0) {
    return move_words(shared_address(dst), shared_address(src), (int)size / 4);
  }
  bool overlaps = dst < src + size && src < dst + size;
  switch (alignment_of((uint64_t)dst | (uint64_t)src | (uint64_t)size)) {
    case 16:
      move_units<uint4>(dst, src, size, overlaps);
      break;
    case 8:
      move_units<uint2>(dst, src, size, overlaps);
      break;
    case 4:
      move_units<uint32_t>(dst, src, size, overlaps);
      break;
    case 2:
      move_units<uint16_t>(dst, src, size, overlaps);
      break;
    default:
      move_units<uint8_t>(dst, src, size, overlaps);
  }
}

}  // namespace bang_impl

#endif /* BANG_MOVES_H_ */
