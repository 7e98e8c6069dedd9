/* SPDX-License-Identifier: MIT
 *
 * Copies of a task. Loads and stores in 16-byte pieces go to the bulk copy engine; other loads are
 * asynchronous word by word; everything else is done at once by the lanes.
 */
#ifndef BANG_ENGINE_H_
#define BANG_ENGINE_H_

#include "bang/cluster_copies.h"
#include "bang/enums.h"
#include "bang/inflight_copies.h"
#include "bang/moves.h"

namespace bang_impl {

/* Smaller copies are not worth the start-up time of the bulk engine. */
enum { bulk_bytes = 256, bulk_align = 16 };

/* ---- shapes ---- */

/* Every kernel has its own copy of the functions for segments, so they should be short. The number
 * of segments has 32 bits, because dividing 64 bits takes a hundred instructions. */
enum { max_segments = 1 << 30 };

struct Segments {
  char *dst;
  const char *src;
  int64_t size;
  int count;
  int dst_inner, src_inner; /* segments in the inner dimension, at most count */
  int64_t dst_stride0, dst_stride1, src_stride0, src_stride1;

  BANG_MEMBER char *to(int i) const {
    if (dst_inner == count) return dst + i * dst_stride0;
    const int outer = i / dst_inner;
    return dst + (i - outer * dst_inner) * dst_stride0 + outer * dst_stride1;
  }
  BANG_MEMBER const char *from(int i) const {
    if (src_inner == count) return src + i * src_stride0;
    const int outer = i / src_inner;
    return src + (i - outer * src_inner) * src_stride0 + outer * src_stride1;
  }
};

/* First and last byte of one side. */
BANG_INLINE void span(uint64_t base, int64_t size, int count, int inner, int64_t stride0,
                      int64_t stride1, uint64_t *begin, uint64_t *end) {
  int64_t inner_reach = (inner - 1) * stride0;
  int64_t outer_reach = inner < count ? (count - 1) / inner * stride1 : 0;
  *begin = base + (inner_reach < 0 ? inner_reach : 0) + (outer_reach < 0 ? outer_reach : 0);
  *end = base + (inner_reach > 0 ? inner_reach : 0) + (outer_reach > 0 ? outer_reach : 0) + size;
}

/* Both sides of a copy. */
struct Spans {
  uint64_t to, to_end, from, from_end;
};
BANG_INLINE Spans spans_of(const Segments &s) {
  Spans spans;
  span((uint64_t)s.dst, s.size, s.count, s.dst_inner, s.dst_stride0, s.dst_stride1, &spans.to,
       &spans.to_end);
  span((uint64_t)s.src, s.size, s.count, s.src_inner, s.src_stride0, s.src_stride1, &spans.from,
       &spans.from_end);
  return spans;
}
BANG_INLINE uint32_t nram_address(uint64_t generic) {
  return shared_address((const void *)generic);
}
BANG_INLINE CopyRecord load_record(const Spans &s) {
  return copy_between(nram_address(s.to), nram_address(s.to) + (uint32_t)(s.to_end - s.to), s.from,
                      s.from_end);
}
BANG_INLINE CopyRecord store_record(const Spans &s) {
  return copy_between(nram_address(s.from), nram_address(s.from) + (uint32_t)(s.from_end - s.from),
                      s.to, s.to_end);
}

/* ---- the bulk engine ---- */

/* A load that is being started. */
struct BulkLoad {
  uint32_t barrier;
  unsigned number;
};
/* Initialises an mbarrier. Done lazily: most tasks need few of them, and tasks should start
 * quickly. */
BANG_INLINE void set_up_barrier(uint32_t barrier) {
  asm volatile(
      "{\n\t.reg .pred first;\n\t"
      "elect.sync _|first, 0xffffffff;\n\t"
      "@first mbarrier.init.shared::cta.b64 [%0], 1;\n\t"
      "fence.mbarrier_init.release.cluster;\n\t}" ::"r"(barrier)
      : "memory");
}
/* Loads come after earlier writes to their targets; the fence is needed once per sync. */
BANG_INLINE BulkLoad begin_load(int64_t bytes) {
  const unsigned number = control.loads, since_sync = number - control.loads_synced;
  const BulkLoad load = {load_barrier_of(number), number};
  const bool is_new = number < load_slots;
  if (is_new) set_up_barrier(load.barrier);
  if (is_new || since_sync == 0) settle_for_engine();
  if (since_sync >= load_slots) wait_load(number - load_slots);
  __syncwarp();
  asm volatile(
      "{\n\t.reg .pred first;\n\t"
      "elect.sync _|first, 0xffffffff;\n\t"
      "@first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n\t}" ::"r"(load.barrier),
      "r"((unsigned)bytes)
      : "memory");
  control.loads = number + 1;
  return load;
}

BANG_INLINE void bulk_load(const BulkLoad &load, uint32_t dst, const char *src, unsigned size) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(dst),
      "l"(__cvta_generic_to_global(src)), "r"(size), "r"(load.barrier)
      : "memory");
}
/* Stored tiles are rarely read soon, so they are evicted first from the L2 cache, which keeps
 * loaded data. */
BANG_INLINE void bulk_store(char *dst, uint32_t src, unsigned size) {
  const uint64_t evict_first = 0x12f0000000000000; /* a policy in the encoding of createpolicy */
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, %3;" ::"l"(
          __cvta_generic_to_global(dst)),
      "r"(src), "r"(size), "l"(evict_first)
      : "memory");
}
/* Makes writes of the lanes visible to the engine, which reads them. */
BANG_INLINE void begin_store() {
  settle_for_engine();
  __syncwarp();
}
/* A lane can wait only for groups that it committed itself, so all lanes count all groups. Returns
 * the number of the store. */
BANG_INLINE unsigned end_store() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  const unsigned number = control.stores;
  __syncwarp();
  control.stores = number + 1;
  return number;
}

BANG_CALLED void bulk_load_segments(Segments s) {
  const BulkLoad load = begin_load(s.size * s.count);
#pragma unroll 1
  for (int i = lane_id(); i < s.count; i += warp_lanes) {
    bulk_load(load, shared_address(s.to(i)), s.from(i), (unsigned)s.size);
  }
  __syncwarp();
  record_copy(load_record(spans_of(s)), bulk_loaded, load.number);
}
BANG_CALLED void bulk_store_segments(Segments s) {
  begin_store();
#pragma unroll 1
  for (int i = lane_id(); i < s.count; i += warp_lanes) {
    bulk_store(s.to(i), shared_address(s.from(i)), (unsigned)s.size);
  }
  __syncwarp();
  record_copy(store_record(spans_of(s)), bulk_stored, end_store());
}

/* The words of short segments that a lane moves: the segment and the word in it. */
struct WordWalk {
  int words, segment, word, segment_step, word_step;

  BANG_MEMBER WordWalk(int words, Share share)
      : words(words),
        segment(share.first / words),
        word(share.first % words),
        segment_step(share.step / words),
        word_step(share.step % words) {}
  BANG_MEMBER void advance() {
    segment += segment_step;
    word += word_step;
    if (word >= words) {
      word -= words;
      ++segment;
    }
  }
};

/* ---- asynchronous copies of words ---- */

template <int bytes>
BANG_INLINE void load_word(char *dst, const char *src) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(dst)),
               "l"(__cvta_generic_to_global(src)), "n"(bytes)
               : "memory");
}
/* For 4, 8 or 16 bytes. A branch per word costs less than a loop for each size in every kernel. */
BANG_INLINE void load_word_of(unsigned bytes, char *dst, const char *src) {
  if (bytes == 16) {
    load_word<16>(dst, src);
  } else if (bytes == 8) {
    load_word<8>(dst, src);
  } else {
    load_word<4>(dst, src);
  }
}

BANG_INLINE void record_small_load(const CopyRecord &copy) {
  control.small_loads = 1;
  record_copy(copy, other_loaded, 0);
}

BANG_CALLED void small_load_segments(Segments s, unsigned bytes) {
  const int words = (int)s.size / (int)bytes; /* of NRAM */
  __syncwarp();
  if (words >= warp_lanes || s.count == 1) {
#pragma unroll 1
    for (int k = 0; k < s.count; ++k) {
      char *to = s.to(k);
      const char *from = s.from(k);
#pragma unroll 4
      for (int i = lane_id(); i < words; i += warp_lanes) {
        load_word_of(bytes, to + i * bytes, from + i * bytes);
      }
    }
  } else {
#pragma unroll 1
    for (WordWalk at(words, {lane_id(), warp_lanes}); at.segment < s.count; at.advance()) {
      const int offset = at.word * (int)bytes;
      load_word_of(bytes, s.to(at.segment) + offset, s.from(at.segment) + offset);
    }
  }
  __syncwarp();
  record_small_load(load_record(spans_of(s)));
}

/* ---- synchronous copies by the lanes ---- */

template <class Unit>
BANG_INLINE void move_unit(char *dst, const char *src) {
  *(Unit *)dst = *(const Unit *)src;
}
BANG_INLINE void move_unit_of(unsigned bytes, char *dst, const char *src) {
  switch (bytes) {
    case 16:
      return move_unit<uint4>(dst, src);
    case 8:
      return move_unit<uint2>(dst, src);
    case 4:
      return move_unit<uint32_t>(dst, src);
    case 2:
      return move_unit<uint16_t>(dst, src);
    default:
      return move_unit<uint8_t>(dst, src);
  }
}

BANG_CALLED void move_segments(Segments s, unsigned bytes) {
  __syncwarp();
  if (s.count > 1 && s.size < 16 * warp_lanes) {
    const int words = (int)s.size / (int)bytes;
#pragma unroll 1
    for (WordWalk at(words, share_of(s.dst)); at.segment < s.count; at.advance()) {
      const int offset = at.word * (int)bytes;
      move_unit_of(bytes, s.to(at.segment) + offset, s.from(at.segment) + offset);
    }
    __syncwarp();
    return;
  }
#pragma unroll 1
  for (int k = 0; k < s.count; ++k) move_bytes(s.to(k), s.from(k), s.size);
}

/* Splits a long run whose two sides are equally misaligned: the aligned middle goes to the engine.
 */
BANG_INLINE bool split_run(const Segments &s, Segments *middle, int *head, int *tail) {
  if (s.count != 1 || (((uint64_t)s.dst ^ (uint64_t)s.src) & (bulk_align - 1)) != 0) return false;
  *head = (int)(-(uint64_t)s.dst & (bulk_align - 1));
  *tail = (int)((s.size - *head) & (bulk_align - 1));
  *middle = s;
  middle->dst += *head;
  middle->src += *head;
  middle->size -= *head + *tail;
  return middle->size >= bulk_bytes;
}

BANG_INLINE void move_ends(const Segments &s, int head, int tail) {
  int lane = lane_id();
  if (lane < head) s.dst[lane] = s.src[lane];
  if (lane < tail) s.dst[s.size - tail + lane] = s.src[s.size - tail + lane];
}

/* Waits for the copies that a copy which is neither load nor store depends on. */
BANG_INLINE void order_local_copy(const Spans &s, bool is_nram) {
  if (!is_nram) {
    if (control.live != 0) finish_copies();
    return;
  }
  Spans target = {s.to, s.to_end, 0, 0}, source = {0, 0, s.from, s.from_end};
  order_copy<other_loaded>(load_record(target));
  order_copy<other_stored>(store_record(source));
}

BANG_CALLED void copy_segments(Segments s) {
  if (s.count == max_segments) __trap(); /* a message would bring printf into every kernel */
  __syncwarp();
  bool from_shared = __isShared(s.src), to_shared = __isShared(s.dst);
  bool load = to_shared && __isGlobal(s.src), store = from_shared && __isGlobal(s.dst);
  const Spans spans = spans_of(s);
  if (load) {
    order_copy<other_loaded>(load_record(spans));
  } else if (store) {
    order_copy<other_stored>(store_record(spans));
  } else {
    order_local_copy(spans, from_shared && to_shared);
  }
  uint64_t bits = (uint64_t)s.dst | (uint64_t)s.src | (uint64_t)s.size;
  if (s.count > 1) {
    bits |= (uint64_t)s.dst_stride0 | (uint64_t)s.src_stride0;
    if (s.dst_inner < s.count) bits |= (uint64_t)s.dst_stride1;
    if (s.src_inner < s.count) bits |= (uint64_t)s.src_stride1;
  }
  unsigned align = alignment_of(bits);
  bool is_long = s.size * s.count >= bulk_bytes;
  if ((load || store) && is_long && align == 16) {
    if (load) {
      bulk_load_segments(s);
    } else {
      bulk_store_segments(s);
    }
    return;
  }
  Segments middle;
  int head, tail;
  if ((load || store) && is_long && split_run(s, &middle, &head, &tail)) {
    move_ends(s, head, tail);
    if (load) {
      bulk_load_segments(middle);
    } else {
      bulk_store_segments(middle);
    }
    return;
  }
  if (load && align >= 4) {
    small_load_segments(s, align);
    return;
  }
  move_segments(s, align);
  if (store) record_lane_stores(spans.to, spans.to_end);
}

/* The record of a copy between NRAM and other memory. */
BANG_INLINE CopyRecord run_record(const char *onchip, const char *memory, int64_t size) {
  return copy_between(shared_address(onchip), shared_address(onchip) + (uint32_t)size,
                      (uint64_t)memory, (uint64_t)memory + size);
}

/* A few words, at most four per lane. */
BANG_INLINE void load_short_run(char *dst, const char *src, int size) {
  const CopyRecord record = run_record(dst, src, size);
  __syncwarp();
  order_copy<other_loaded>(record);
  for (int i = 4 * lane_id(); i < size; i += 4 * warp_lanes) load_word<4>(dst + i, src + i);
  __syncwarp();
  record_small_load(record);
}

/* At most one unit of `bytes` bytes per lane. */
BANG_INLINE void store_short_run(char *dst, const char *src, int size, unsigned bytes) {
  const CopyRecord record = run_record(src, dst, size);
  const int at = lane_id() * (int)bytes;
  __syncwarp();
  order_copy<other_stored>(record);
  if (at < size) move_unit_of(bytes, dst + at, src + at);
  __syncwarp();
  record_lane_stores(record.memory, record.memory_end);
}

/* For runs that are too short or too misaligned for the bulk engine. */
BANG_CALLED void copy_odd_run(char *dst, const char *src, int64_t size, bool load) {
  const unsigned align = alignment_of((uint64_t)dst | (uint64_t)src | (uint64_t)size);
  if (load && size <= 16 * warp_lanes && align >= 4) {
    load_short_run(dst, src, (int)size);
  } else if (size <= align * warp_lanes && __isShared(src) && __isGlobal(dst)) {
    store_short_run(dst, src, (int)size, align);
  } else {
    Segments s = {dst, src, size, 1, 1, 1, 0, 0, 0, 0};
    copy_segments(s);
  }
}

BANG_COPY_RUN void load_run(char *dst, const char *src, int64_t size) {
  const CopyRecord record = run_record(dst, src, size);
  order_copy<bulk_loaded>(record);
  const BulkLoad load = begin_load(size);
  if (lane_id() == 0) bulk_load(load, record.nram, src, (unsigned)size);
  __syncwarp();
  record_copy(record, bulk_loaded, load.number);
}
BANG_COPY_RUN void store_run(char *dst, const char *src, int64_t size) {
  const CopyRecord record = run_record(src, dst, size);
  order_copy<bulk_stored>(record);
  begin_store();
  if (lane_id() == 0) bulk_store(dst, record.nram, (unsigned)size);
  __syncwarp();
  record_copy(record, bulk_stored, end_store());
}

/* One contiguous run, the most frequent copy. */
BANG_INLINE void copy_run(char *dst, const char *src, int64_t size, int dir) {
  const bool may_load = dir != NRAM2GDRAM, may_store = dir != GDRAM2NRAM;
  const bool load = may_load && __isShared(dst) && __isGlobal(src);
  const bool store = may_store && __isShared(src) && __isGlobal(dst);
  bool bulk = (((uint64_t)dst | (uint64_t)src | (uint64_t)size) & (bulk_align - 1)) == 0 &&
              size >= bulk_bytes && (load || store);
  if (!bulk) {
    copy_odd_run(dst, src, size, load);
    return;
  }
  __syncwarp();
  if (load) {
    load_run(dst, src, size);
  } else {
    store_run(dst, src, size);
  }
}

}  // namespace bang_impl

/* ---- what the language's headers call ---- */

/* Pipe that carries a copy of this direction. */
BANG_INLINE int __bang_copy_pipe(int dir) {
  bool on_chip = dir == NRAM2NRAM || dir == NRAM2WRAM || dir == WRAM2NRAM || dir == SRAM2NRAM ||
                 dir == NRAM2SRAM || dir == SRAM2WRAM || dir == WRAM2SRAM || dir == SRAM2SRAM;
  return on_chip ? BANG_PIPE_MOVE : BANG_PIPE_IO;
}

namespace bang_impl {
/* A memory core has no NRAM and skips copies that involve it. */
BANG_INLINE bool is_for_compute_cores(int dir) {
  return dir != GDRAM2SRAM && dir != SRAM2GDRAM && dir != SRAM2SRAM && dir != GDRAM2GDRAM;
}
}  // namespace bang_impl

/* Shared RAM is in device memory, so copies between on-chip memories use the engine as well. */
BANG_INLINE void __bang_sync_pipes(int pipe_mask) {
  if (pipe_mask & (BANG_PIPE_IO | BANG_PIPE_MOVE)) {
    bang_impl::sync_copies();
  } else {
    __syncwarp();
  }
}

namespace bang_impl {

BANG_INLINE void copy_any(void *dst, const void *src, size_t size, int dir,
                          const bangCopyShape *shape) {
  if (!shape) {
    copy_run((char *)dst, (const char *)src, (int64_t)size, dir);
    return;
  }
  const int64_t dst_inner = (int64_t)shape->dst_segnum1 + 1;
  const int64_t src_inner = (int64_t)shape->src_segnum1 + 1;
  const int64_t dst_count = dst_inner * (int64_t)(shape->dst_segnum2 + 1);
  const int64_t src_count = src_inner * (int64_t)(shape->src_segnum2 + 1);
  const int64_t both = dst_count < src_count ? dst_count : src_count;
  const int count = (int)(both < max_segments ? both : max_segments);
  Segments s = {(char *)dst,
                (const char *)src,
                (int64_t)size,
                count,
                dst_inner < count ? (int)dst_inner : count,
                src_inner < count ? (int)src_inner : count,
                shape->dst_stride0,
                shape->dst_stride1,
                shape->src_stride0,
                shape->src_stride1};
  copy_segments(s);
}

/* Any core of a cluster may issue it; the first that does carries it out. */
BANG_CALLED void copy_of_cluster(void *dst, const void *src, size_t size, int dir,
                                 const bangCopyShape *shape) {
  const CopyClaim claim = begin_cluster_copy(key_of_copy(dst, src, size, dir, shape));
  if (claim == copy_issued) return;
  copy_any(dst, src, size, dir, shape);
  if (claim == copy_mine) end_cluster_copy();
}

}  // namespace bang_impl

BANG_INLINE void __bang_copy(void *dst, const void *src, size_t size, int dir,
                             const bangCopyShape *shape, int is_async) {
  if (bang_impl::is_for_compute_cores(dir) && bang_impl::is_memory_core()) return;
  const bool of_cluster = dir == GDRAM2SRAM || dir == SRAM2GDRAM || dir == SRAM2SRAM;
  if (of_cluster && bang_impl::has_cluster_copies()) {
    bang_impl::copy_of_cluster(dst, src, size, dir, shape);
  } else {
    bang_impl::copy_any(dst, src, size, dir, shape);
  }
  if (!is_async) __bang_sync_pipes(__bang_copy_pipe(dir));
}

#endif /* BANG_ENGINE_H_ */
