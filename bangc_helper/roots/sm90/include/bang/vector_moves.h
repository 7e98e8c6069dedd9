/* SPDX-License-Identifier: MIT
 *
 * Moves elements: transposition and similar, gather and scatter. Included by bang/vector_api.h.
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

/* One lane copies one element of a transfer. */
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

/* Elements of one word, several in flight. Lanes past the end fetch the last element again. */
template <bool masked>
BANG_INLINE void gather_words(const Transfer &t) {
  enum { rounds = 4 };
  const int last = (int)t.count - 1, stride = (int)t.stride;
#pragma unroll 1
  for (int begin = 0; begin <= last; begin += rounds * warp_lanes) { /* warp-uniform, because the
                                                                      * body has a warp barrier */
    const int first = begin + lane_id();
    uint32_t held[rounds] = {};
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      const int i = first + r * warp_lanes < last ? first + r * warp_lanes : last;
      if (!masked || t.selects(i)) held[r] = *(const uint32_t *)(t.src + t.offset[i]);
    }
    __syncwarp();
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      const int i = first + r * warp_lanes;
      if (i <= last && (!masked || t.selects(i))) *(uint32_t *)(t.dst + i * stride) = held[r];
    }
  }
}

enum { one_lane_bytes = 64 };

BANG_CALLED void gather_elements(Transfer t) {
  if (t.bytes <= 0) return;
  bool words = t.bytes == 4 && ((uint64_t)t.dst & 3) == 0 && ((uint64_t)t.src & 3) == 0 &&
               (t.stride & 3) == 0;
  if (words && !t.mask) { /* the card requires offsets that are multiples of the element size */
    gather_words<false>(t);
  } else if (words) {
    gather_words<true>(t);
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

/* Aligned words: of several at the same address, the highest lane's is written. */
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

/* Of several elements at the same address the last wins; lanes with overlapping targets are
 * serialised. */
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

/* What all rows of a transfer have in common; equal in all lanes. */
struct RowSpan {
  uint32_t low, high, bits; /* of the offsets */
  unsigned rows;            /* number of selected rows */

  BANG_MEMBER void add(uint32_t offset) {
    low = offset < low ? offset : low;
    high = offset > high ? offset : high;
    bits |= offset;
  }
  BANG_MEMBER void share() {
    low = __reduce_min_sync(all_lanes, low);
    high = __reduce_max_sync(all_lanes, high);
    bits = __reduce_or_sync(all_lanes, bits);
  }
};
/* The lane's first row; most transfers have no more. */
struct OwnRow {
  uint32_t offset;
  bool is_selected;
};
BANG_INLINE OwnRow own_row(const Transfer &t) {
  OwnRow own = {0, lane_id() < t.count && t.selects(lane_id())};
  if (own.is_selected) own.offset = t.offset[lane_id()];
  return own;
}
BANG_INLINE RowSpan span_of_rows(const Transfer &t, const OwnRow &own) {
  RowSpan span = {0xffffffffu, 0, 0, own.is_selected};
  const int count = (int)t.count;
  if (own.is_selected) span.add(own.offset);
#pragma unroll 1
  for (int i = lane_id() + warp_lanes; i < count; i += warp_lanes) {
    if (!t.selects(i)) continue;
    span.add(t.offset[i]);
    ++span.rows;
  }
  span.rows = t.mask ? __reduce_add_sync(all_lanes, span.rows) : (unsigned)count;
  span.share();
  return span;
}

/* True if the engine can do it, apart from the offsets. */
BANG_INLINE bool suits_engine(const Transfer &t, const char *onchip, const char *memory) {
  const uint64_t bits =
      (uint64_t)onchip | (uint64_t)memory | (uint64_t)t.bytes | (uint64_t)t.stride;
  return t.count > 0 && t.bytes >= engine_row_bytes && (bits & (bulk_align - 1)) == 0 &&
         t.stride >= 0 && __isShared(onchip) && __isGlobal(memory);
}

/* The dense side of a transfer is in NRAM; the rows are elsewhere, within the span. */
BANG_INLINE CopyRecord record_of_rows(const Transfer &t, const char *onchip, const char *memory,
                                      const RowSpan &span) {
  const uint32_t nram = shared_address(onchip), bytes = (uint32_t)t.bytes;
  return copy_between(nram, nram + ((uint32_t)t.count - 1) * (uint32_t)t.stride + bytes,
                      (uint64_t)memory + span.low, (uint64_t)memory + span.high + bytes);
}

/* Returns false if nothing was done. */
BANG_INLINE bool gather_by_engine(const Transfer &t) {
  if (!suits_engine(t, t.dst, t.src) || (t.stride < t.bytes && t.count > 1)) return false;
  __syncwarp();
  const OwnRow own = own_row(t);
  const RowSpan span = span_of_rows(t, own);
  if ((span.bits & (bulk_align - 1)) != 0) return false;
  if (span.rows == 0) return true;
  const CopyRecord record = record_of_rows(t, t.dst, t.src, span);
  order_copy<bulk_loaded>(record);
  const uint32_t bytes = (uint32_t)t.bytes, stride = (uint32_t)t.stride;
  const BulkLoad load = begin_load((int64_t)span.rows * bytes);
  if (own.is_selected) {
    bulk_load(load, record.nram + lane_id() * stride, t.src + own.offset, bytes);
  }
#pragma unroll 1
  for (int i = lane_id() + warp_lanes, count = (int)t.count; i < count; i += warp_lanes) {
    if (t.selects(i)) bulk_load(load, record.nram + i * stride, t.src + t.offset[i], bytes);
  }
  __syncwarp();
  record_copy(record, bulk_loaded, load.number);
  return true;
}

/* Single words, one after the other per lane. Returns false if nothing was done. */
BANG_INLINE bool gather_words_async(const Transfer &t) {
  const uint64_t bits = (uint64_t)t.dst | (uint64_t)t.src | (uint64_t)t.stride;
  if (t.count <= 0 || t.bytes != 4 || (bits & 3) != 0 || t.stride < 4 || !__isShared(t.dst) ||
      !__isGlobal(t.src)) {
    return false;
  }
  __syncwarp();
  const OwnRow own = own_row(t);
  const RowSpan span = span_of_rows(t, own);
  if (span.rows == 0) return true;
  const CopyRecord record = record_of_rows(t, t.dst, t.src, span);
  order_copy<other_loaded>(record);
#pragma unroll 4
  for (int i = lane_id(), count = (int)t.count; i < count; i += warp_lanes) {
    if (t.selects(i)) load_word<4>(t.dst + i * t.stride, t.src + t.offset[i]);
  }
  __syncwarp();
  record_small_load(record);
  return true;
}

BANG_CALLED void gather_beside_engine(int pipe, Transfer t) {
  if (gather_words_async(t)) return;
  __bang_sync_pipes(pipe);
  gather_elements(t);
}

/* ---- scattered rows ---- */

/* Reserves slots for `count` rows of this size, after waiting for the scatters that used them. */
BANG_INLINE unsigned take_scatter_slots(unsigned bytes, int count) {
  const bool is_other_size = control.scatter_live != 0 && control.scatter_bytes != bytes;
  __syncwarp();
  if (is_other_size) finish_copies();
  control.scatter_bytes = bytes;
  const unsigned first = control.scatter_slot, live = control.scatter_live;
  const unsigned needed = (unsigned)(count + scatter_rows - 1) / scatter_rows;
  __syncwarp();
  for (unsigned k = 0; k < needed; ++k) {
    const unsigned slot = (first + k) % scatter_slots;
    const unsigned slot_rows = 0xffu << (slot * scatter_rows);
    if ((live & slot_rows) != 0) {
      wait_stores(control.stores - control.scatter_number[slot] - 1);
      control.scatter_live &= ~slot_rows;
    }
  }
  control.scatter_slot = (first + needed) % scatter_slots;
  return first;
}

BANG_INLINE unsigned rotate_left(unsigned bits, unsigned by) {
  return __funnelshift_l(bits, bits, by);
}

/* True if rows of a scatter overlap each other in memory; waits for earlier rows that they overlap.
 * Each lane has the address of one new row in units of 16 bytes, and compares with one recorded
 * row. The new rows are recorded. */
BANG_INLINE bool rows_meet(unsigned written, uint32_t unit, unsigned bytes, int count,
                           unsigned *new_rows, unsigned *first_slot) {
  const unsigned slot = take_scatter_slots(bytes, count), first = slot * scatter_rows;
  const unsigned own = rotate_left(written, first), known = control.scatter_live | own;
  if (written >> lane_id() & 1) {
    control.scattered[(first + lane_id()) % (scatter_slots * scatter_rows)] = unit;
  }
  __syncwarp();
  const uint32_t other = control.scattered[lane_id()], length = bytes / 16;
  bool meets = false;
#pragma unroll 4
  for (int k = 0; k < count; ++k) {
    const uint32_t row = __shfl_sync(all_lanes, unit, k);
    const bool is_itself = (first + k) % (scatter_slots * scatter_rows) == (unsigned)lane_id();
    meets |= row - other + (length - 1) < 2 * length - 1 && !is_itself && (written >> k & 1);
  }
  const unsigned met = __ballot_sync(all_lanes, meets) & known;
  *new_rows = own;
  *first_slot = slot;
  if ((met & own) != 0) return true;
  if (met != 0) finish_copies();
  return false;
}

/* Returns false if nothing was done. The engine keeps no order, so the rows in flight must not
 * overlap; more rows than lanes are done in several rounds. */
BANG_INLINE bool scatter_by_engine(const Transfer &t) {
  if (!suits_engine(t, t.src, t.dst) || t.count > warp_lanes) return false;
  __syncwarp();
  const int lane = lane_id(), count = (int)t.count;
  const bool writes = lane < count && t.selects(lane);
  const uint32_t offset = writes ? t.offset[lane] : 0;
  RowSpan span = {0xffffffffu, 0, 0, 0};
  if (writes) span.add(offset);
  span.share();
  if ((span.bits & (bulk_align - 1)) != 0) return false;
  const unsigned written = __ballot_sync(all_lanes, writes), bytes = (unsigned)t.bytes;
  if (written == 0) return true;
  const CopyRecord record = record_of_rows(t, t.src, t.dst, span);
  order_copy<bulk_stored>(record, true);
  unsigned new_rows, slot;
  const uint32_t unit = (uint32_t)(((uint64_t)t.dst + offset) / 16);
  if (rows_meet(written, unit, bytes, count, &new_rows, &slot)) return false;
  begin_store();
  if (writes) bulk_store(t.dst + offset, record.nram + lane * (uint32_t)t.stride, bytes);
  __syncwarp();
  const unsigned number = end_store();
  control.scatter_live |= new_rows;
  for (int row = 0; row < count; row += scatter_rows) {
    control.scatter_number[(slot + row / scatter_rows) % scatter_slots] = number;
  }
  record_copy(record, bulk_scattered, number);
  return true;
}

}  // namespace bang_impl

typedef bang_impl::Transfer bangTransfer;

namespace bang_impl {
/* A memory core has no NRAM and skips transfers that involve it. */
BANG_INLINE bool is_for_compute_cores(const Transfer &t) {
  return __isShared(t.dst) || __isShared(t.src);
}
}  // namespace bang_impl

BANG_INLINE void __bang_vec_gather(const bangTransfer *transfer) {
  if (bang_impl::is_for_compute_cores(*transfer) && bang_impl::is_memory_core()) return;
  bang_impl::gather_elements(*transfer);
}
BANG_INLINE void __bang_vec_scatter(const bangTransfer *transfer) {
  if (bang_impl::is_for_compute_cores(*transfer) && bang_impl::is_memory_core()) return;
  bang_impl::scatter_elements(*transfer);
}
/* Transfers that neither the engine nor word copies can do are done at once, after everything in
 * flight on the pipe. */
BANG_INLINE void __bang_vec_gather_async(int pipe, const bangTransfer *transfer) {
  if (bang_impl::is_for_compute_cores(*transfer) && bang_impl::is_memory_core()) return;
  if (bang_impl::gather_by_engine(*transfer)) return;
  bang_impl::gather_beside_engine(pipe, *transfer);
}
BANG_INLINE void __bang_vec_scatter_async(int pipe, const bangTransfer *transfer) {
  if (bang_impl::is_for_compute_cores(*transfer) && bang_impl::is_memory_core()) return;
  if (bang_impl::scatter_by_engine(*transfer)) return;
  __bang_sync_pipes(pipe);
  bang_impl::scatter_elements(*transfer);
}

/* Repeats element i of src repeat[i] times. */
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
