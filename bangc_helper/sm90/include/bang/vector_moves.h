/* SPDX-License-Identifier: MIT
 *
 * Moving elements around: transposition and its kin, gather and scatter. Reached through
 * bang/vector_api.h.
 */
#ifndef BANG_VECTOR_MOVES_H_
#define BANG_VECTOR_MOVES_H_

#include "bang/engine.h"
#include "bang/loops.h"

namespace bang_impl {

/* dst[to(i)] = src[i] for elements of `size` bytes. */
template <class Word, class To>
struct Permute {
  Word *dst;
  const Word *src;
  int64_t n;
  To to;

  BANG_MEMBER void operator()(Share share) const {
#pragma unroll 4
    for (int64_t i = share.first; i < n; i += share.step) dst[to(i)] = src[i];
  }
};
template <int size, class To>
BANG_INLINE void permute_elements(void *dst, const void *src, int64_t n, const To &to) {
  typedef typename raw_of<size>::type Word;
  Permute<Word, To> work = {(Word *)dst, (const Word *)src, n, to};
  divide_work(dst, work);
}

template <int size>
BANG_CALLED void vec_transpose(void *dst, const void *src, int64_t height, int64_t width) {
  const int w = (int)width, h = (int)height;
  permute_elements<size>(dst, src, height * width,
                         [=](int64_t i) { return (int64_t)((int)i % w) * h + (int)i / w; });
}
template <int size>
BANG_CALLED void vec_rotate(void *dst, const void *src, int64_t height, int64_t width,
                            int quarters) {
  permute_elements<size>(dst, src, height * width, [=](int64_t i) {
    int64_t h = i / width, w = i % width;
    return quarters == 1   ? w * height + (height - 1 - h)
           : quarters == 2 ? (height - 1 - h) * width + (width - 1 - w)
                           : (width - 1 - w) * height + h;
  });
}
template <int size>
BANG_CALLED void vec_mirror(void *dst, const void *src, int64_t height, int64_t width) {
  permute_elements<size>(dst, src, height * width,
                         [=](int64_t i) { return i / width * width + (width - 1 - i % width); });
}
template <int size>
BANG_CALLED void vec_pad(void *dst, const void *src, const void *value, int64_t channel,
                         int64_t height, int64_t width, int64_t top, int64_t bottom, int64_t left,
                         int64_t right) {
  int64_t out_width = left + width + right;
  vec_fill<size>(dst, (top + height + bottom) * out_width * channel, value, 0, 0, 0, 0);
  int64_t row = width * channel;
  permute_elements<size>(dst, src, height * row, [=](int64_t i) {
    return ((top + i / row) * out_width + left) * channel + i % row;
  });
}

struct Transfer {
  char *dst;
  const char *src;
  const uint32_t *offset;
  const uint8_t *mask;
  int64_t bytes, stride, count;

  BANG_MEMBER bool selects(int64_t i) const { return !mask || bit_of(mask, i); }
};

/* An element of a transfer by one lane. */
BANG_INLINE void move_one(char *dst, const char *src, int64_t bytes) {
  switch (alignment_of((uint64_t)dst | (uint64_t)src | (uint64_t)bytes)) {
    case 16:
      for (int64_t i = 0; i < bytes; i += 16) *(uint4 *)(dst + i) = *(const uint4 *)(src + i);
      break;
    case 8:
      for (int64_t i = 0; i < bytes; i += 8) *(uint2 *)(dst + i) = *(const uint2 *)(src + i);
      break;
    case 4:
      for (int64_t i = 0; i < bytes; i += 4) *(uint32_t *)(dst + i) = *(const uint32_t *)(src + i);
      break;
    default:
      for (int64_t i = 0; i < bytes; ++i) dst[i] = src[i];
  }
}

/* Elements of one word, several of them on their way at a time. */
BANG_INLINE void gather_words(const Transfer &t) {
  enum { rounds = 8 };
  for (int64_t first = 0; first < t.count; first += rounds * warp_lanes) {
    uint32_t held[rounds] = {};
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      int64_t i = first + r * warp_lanes + lane_id();
      if (i < t.count && t.selects(i)) held[r] = *(const uint32_t *)(t.src + t.offset[i]);
    }
    __syncwarp();
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      int64_t i = first + r * warp_lanes + lane_id();
      if (i < t.count && t.selects(i)) *(uint32_t *)(t.dst + i * t.stride) = held[r];
    }
  }
}

enum { one_lane_bytes = 64 };

BANG_CALLED void gather_elements(Transfer t) {
  if (t.bytes <= 0) return;
  bool words = t.bytes == 4 && ((uint64_t)t.dst & 3) == 0 && ((uint64_t)t.src & 3) == 0 &&
               (t.stride & 3) == 0;
  if (words) { /* offsets are multiples of the element's size on the card */
    gather_words(t);
  } else if (t.bytes <= one_lane_bytes) {
    for (int64_t i = lane_id(); i < t.count; i += warp_lanes) {
      if (t.selects(i)) move_one(t.dst + i * t.stride, t.src + t.offset[i], t.bytes);
    }
  } else {
    for (int64_t i = 0; i < t.count; ++i) {
      if (t.selects(i)) move_bytes(t.dst + i * t.stride, t.src + t.offset[i], t.bytes);
    }
  }
  __syncwarp();
}

/* Words at multiples of their size: of those at one place the last lane's is written. */
BANG_INLINE void scatter_words(const Transfer &transfer) {
  const Transfer t = transfer;
  const int count = (int)t.count;
  for (int first = 0; first < count; first += warp_lanes) {
    int i = first + lane_id();
    bool writes = i < count && t.selects(i);
    uint32_t offset = writes ? t.offset[i] : 0xffffffffu;
    uint32_t value = writes ? *(const uint32_t *)(t.src + i * t.stride) : 0;
    uint32_t same = __match_any_sync(all_lanes, offset);
    if (writes && 31 - __clz(same) == lane_id()) *(uint32_t *)(t.dst + offset) = value;
    __syncwarp();
  }
}

/* Of elements at one place the last wins; lanes that write to overlapping places take turns. */
BANG_CALLED void scatter_elements(Transfer t) {
  if (t.bytes <= 0) return;
  if (t.bytes > one_lane_bytes) {
    for (int64_t i = 0; i < t.count; ++i) {
      if (t.selects(i)) move_bytes(t.dst + t.offset[i], t.src + i * t.stride, t.bytes);
    }
    return;
  }
  if (t.bytes == 4 && (((uint64_t)t.dst | (uint64_t)t.src | (uint64_t)t.stride) & 3) == 0) {
    scatter_words(t);
    return;
  }
  for (int64_t first = 0; first < t.count; first += warp_lanes) {
    int64_t i = first + lane_id();
    bool writes = i < t.count && t.selects(i);
    for (uint32_t lanes = __ballot_sync(all_lanes, writes); lanes; lanes &= lanes - 1) {
      if (lane_id() == __ffs(lanes) - 1)
        move_one(t.dst + t.offset[i], t.src + i * t.stride, t.bytes);
      __syncwarp();
    }
  }
}

/* ---- rows by the bulk engine, one per lane ---- */

enum { engine_row_bytes = 64 };

/* What the rows of a transfer have in common; all lanes know it. */
struct RowSpan {
  uint32_t low, high, bits; /* of the offsets */
  unsigned rows;            /* selected ones */
};
BANG_INLINE RowSpan span_of_rows(const Transfer &t) {
  RowSpan span = {0xffffffffu, 0, 0, 0};
  for (int i = lane_id(), count = (int)t.count; i < count; i += warp_lanes) {
    if (!t.selects(i)) continue;
    const uint32_t offset = t.offset[i];
    span.low = offset < span.low ? offset : span.low;
    span.high = offset > span.high ? offset : span.high;
    span.bits |= offset;
    ++span.rows;
  }
  span.low = __reduce_min_sync(all_lanes, span.low);
  span.high = __reduce_max_sync(all_lanes, span.high);
  span.bits = __reduce_or_sync(all_lanes, span.bits);
  span.rows = __reduce_add_sync(all_lanes, span.rows);
  return span;
}

/* Whether the engine can do it, except for the offsets. */
BANG_INLINE bool suits_engine(const Transfer &t, const char *onchip, const char *memory) {
  const uint64_t bits =
      (uint64_t)onchip | (uint64_t)memory | (uint64_t)t.bytes | (uint64_t)t.stride;
  return t.count > 0 && t.bytes >= engine_row_bytes && (bits & (bulk_align - 1)) == 0 &&
         t.stride >= 0 && __isShared(onchip) && __isGlobal(memory);
}

/* What the dense side of a transfer covers. */
BANG_INLINE uint64_t dense_end(const char *dense, const Transfer &t) {
  return (uint64_t)dense + (t.count - 1) * t.stride + t.bytes;
}

/* False: nothing was done. */
BANG_INLINE bool gather_by_engine(const Transfer &t) {
  if (!suits_engine(t, t.dst, t.src) || (t.stride < t.bytes && t.count > 1)) return false;
  __syncwarp();
  const RowSpan span = span_of_rows(t);
  if ((span.bits & (bulk_align - 1)) != 0) return false;
  if (span.rows == 0) return true;
  const CopyRecord record = {(uint64_t)t.dst, dense_end(t.dst, t), (uint64_t)t.src + span.low,
                             (uint64_t)t.src + span.high + t.bytes};
  const unsigned under_way = order_copy(record);
  if (under_way == 0) settle_for_engine();
  expect_bytes((int64_t)span.rows * t.bytes);
  for (int i = lane_id(), count = (int)t.count; i < count; i += warp_lanes) {
    if (t.selects(i)) bulk_load(t.dst + i * t.stride, t.src + t.offset[i], (unsigned)t.bytes);
  }
  record_copy<bulk_loaded>(record, under_way);
  return true;
}

/* Single words, one after the other by each lane. False: nothing was done. */
BANG_INLINE bool gather_words_async(const Transfer &t) {
  const uint64_t bits = (uint64_t)t.dst | (uint64_t)t.src | (uint64_t)t.stride;
  if (t.count <= 0 || t.bytes != 4 || (bits & 3) != 0 || t.stride < 4 || !__isShared(t.dst) ||
      !__isGlobal(t.src)) {
    return false;
  }
  __syncwarp();
  const RowSpan span = span_of_rows(t);
  if (span.rows == 0) return true;
  const CopyRecord record = {(uint64_t)t.dst, dense_end(t.dst, t), (uint64_t)t.src + span.low,
                             (uint64_t)t.src + span.high + t.bytes};
  const unsigned under_way = order_copy(record);
#pragma unroll 4
  for (int i = lane_id(), count = (int)t.count; i < count; i += warp_lanes) {
    if (t.selects(i)) load_word<4>(t.dst + i * t.stride, t.src + t.offset[i]);
  }
  record_copy<small_loaded>(record, under_way);
  return true;
}

BANG_CALLED void gather_beside_engine(int pipe, Transfer t) {
  if (gather_words_async(t)) return;
  __bang_sync_pipes(pipe);
  gather_elements(t);
}

/* Whether rows of up to warp_lanes transfers touch each other in memory. */
BANG_INLINE bool rows_meet(bool writes, uint32_t offset, int64_t bytes) {
  bool meets = false;
  const uint32_t all = __ballot_sync(all_lanes, writes), reach = (uint32_t)bytes - 1;
  for (int k = 0; k <= 31 - __clz(all); ++k) { /* each pair once: a lane looks at those before it */
    const uint32_t there = __shfl_sync(all_lanes, offset, k);
    const uint32_t distance = offset > there ? offset - there : there - offset;
    meets |= writes && k < lane_id() && (all >> k & 1) && distance <= reach;
  }
  return __any_sync(all_lanes, meets);
}

/* False: nothing was done. The engine keeps no order, so rows must not meet: more of them than
 * lanes follow each other. */
BANG_INLINE bool scatter_by_engine(const Transfer &t) {
  if (!suits_engine(t, t.src, t.dst) || t.count > warp_lanes) return false;
  __syncwarp();
  const RowSpan span = span_of_rows(t);
  if ((span.bits & (bulk_align - 1)) != 0) return false;
  if (span.rows == 0) return true;
  const int lane = lane_id();
  const bool writes = lane < (int)t.count && t.selects(lane);
  const uint32_t offset = writes ? t.offset[lane] : 0;
  if (rows_meet(writes, offset, t.bytes)) return false;
  const CopyRecord record = {(uint64_t)t.dst + span.low, (uint64_t)t.dst + span.high + t.bytes,
                             (uint64_t)t.src, dense_end(t.src, t)};
  const unsigned under_way = order_copy(record);
  settle_for_engine();
  __syncwarp();
  if (writes) bulk_store(t.dst + offset, t.src + lane * t.stride, (unsigned)t.bytes);
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  record_copy<bulk_stored>(record, under_way);
  return true;
}

}  // namespace bang_impl

typedef bang_impl::Transfer bangTransfer;

namespace bang_impl {
/* A memory core has no NRAM: it passes over what touches one. */
BANG_INLINE bool is_for_compute_cores(const Transfer &t) {
  return __isShared(t.dst) || __isShared(t.src);
}
}  // namespace bang_impl

BANG_INLINE void __bang_vec_gather(const bangTransfer *transfer) {
  if (bang_impl::is_for_compute_cores(*transfer) && __is_mpu()) return;
  bang_impl::gather_elements(*transfer);
}
BANG_INLINE void __bang_vec_scatter(const bangTransfer *transfer) {
  if (bang_impl::is_for_compute_cores(*transfer) && __is_mpu()) return;
  bang_impl::scatter_elements(*transfer);
}
/* What is not for the engine, nor single words, is done at once, after what the pipe has under way.
 */
BANG_INLINE void __bang_vec_gather_async(int pipe, const bangTransfer *transfer) {
  if (bang_impl::is_for_compute_cores(*transfer) && __is_mpu()) return;
  if (bang_impl::gather_by_engine(*transfer)) return;
  bang_impl::gather_beside_engine(pipe, *transfer);
}
BANG_INLINE void __bang_vec_scatter_async(int pipe, const bangTransfer *transfer) {
  if (bang_impl::is_for_compute_cores(*transfer) && __is_mpu()) return;
  if (bang_impl::scatter_by_engine(*transfer)) return;
  __bang_sync_pipes(pipe);
  bang_impl::scatter_elements(*transfer);
}

/* Element i of src repeat[i] times. */
BANG_INLINE void __bang_vec_extension(void *dst, const void *src, const uint8_t *repeat,
                                      int64_t size, int64_t n) {
  char *out = (char *)dst;
  for (int64_t i = 0; i < n; ++i) {
    for (int k = 0; k < repeat[i]; ++k) {
      bang_impl::move_bytes(out, (const char *)src + i * size, size);
      out += size;
    }
  }
}

/* [n][row] -> [64][n / 64][row], row in bytes */
BANG_INLINE void __bang_vec_reshape_filter(void *dst, const void *src, int64_t n,
                                           int64_t row_bytes) {
  if (n % 64 != 0) {
    bang_impl::fault(bang_impl::fault_illegal_operand,
                     "reshape_filter: the rows are no multiple of 64");
  }
  int64_t slots = n / 64;
  for (int64_t r = 0; r < n; ++r) {
    bang_impl::move_bytes((char *)dst + (r % 64 * slots + r / 64) * row_bytes,
                          (const char *)src + r * row_bytes, row_bytes);
  }
}

#define __bang_vec_transpose(size, ...) bang_impl::vec_transpose<(size)>(__VA_ARGS__)
#define __bang_vec_rotate(size, ...) bang_impl::vec_rotate<(size)>(__VA_ARGS__)
#define __bang_vec_mirror(size, ...) bang_impl::vec_mirror<(size)>(__VA_ARGS__)
#define __bang_vec_pad(size, ...) bang_impl::vec_pad<(size)>(__VA_ARGS__)

#endif /* BANG_VECTOR_MOVES_H_ */
