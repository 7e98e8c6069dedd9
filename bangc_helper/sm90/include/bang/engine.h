/* SPDX-License-Identifier: MIT
 *
 * Copies of a task and waiting for them. Loads and stores of 16-byte pieces go to the bulk copy
 * engine; other loads are asynchronous word by word; everything else is done by the lanes at once.
 * A pipe of the card works in order, the engine does not: a copy that touches what an earlier one
 * still writes, or writes what it still reads, waits for it first.
 */
#ifndef BANG_ENGINE_H_
#define BANG_ENGINE_H_

#include "bang/enums.h"
#include "bang/moves.h"
#include "bang/task.h"

namespace bang_impl {

/* Copies below this size are not worth the bulk engine's start. */
enum { bulk_bytes = 256, bulk_align = 16 };

/* ---- waiting ---- */

BANG_INLINE void wait_load_phase(uint32_t barrier, unsigned phase) {
  asm volatile(
      "{\n\t.reg .pred done;\n"
      "WAIT_LOADS:\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
      "@!done bra WAIT_LOADS;\n\t}" ::"r"(barrier),
      "r"(phase)
      : "memory");
}

/* All copies of this task are complete and seen by all lanes. */
BANG_CALLED void finish_copies() {
  __syncwarp();
  unsigned loads = control.bulk_loads, stores = control.bulk_stores, small = control.small_loads;
  unsigned phase = control.load_phase;
  if (small) asm volatile("cp.async.wait_all;" ::: "memory");
  if (stores) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  if (loads) {
    uint32_t barrier = shared_address(&control.load_barrier);
    if (lane_id() == 0) {
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
    }
    wait_load_phase(barrier, phase);
  }
  settle_global_for_engine(); /* what this task has written may be read next */
  __syncwarp();
  if (lane_id() == 0) {
    control.load_phase = phase ^ (loads ? 1u : 0u);
    control.bulk_loads = control.bulk_stores = control.small_loads = control.record_count = 0;
  }
  __syncwarp();
}

BANG_INLINE void sync_copies() {
  if (control.record_count != 0) {
    finish_copies();
  } else {
    settle_global_for_engine();
    __syncwarp();
  }
}

/* ---- records ---- */

BANG_INLINE bool touches(uint64_t a, uint64_t a_end, uint64_t b, uint64_t b_end) {
  return a < b_end && b < a_end;
}

/* Waits when the copy depends on one under way; each lane looks at one record. Returns how many
 * are under way then. */
BANG_INLINE unsigned order_copy(const CopyRecord &copy) {
  const unsigned count = control.record_count;
  if (count == 0) return 0;
  bool conflict = false;
  if (lane_id() < count) {
    CopyRecord old = control.records[lane_id()];
    conflict = touches(copy.to, copy.to_end, old.to, old.to_end) ||
               touches(copy.to, copy.to_end, old.from, old.from_end) ||
               touches(copy.from, copy.from_end, old.to, old.to_end);
  }
  if (!__any_sync(0xffffffffu, conflict)) return count;
  finish_copies();
  return 0;
}

/* All places are taken: one record stands for several. Functions that are called take structures by
 * value: a reference would keep the caller's in its memory, which is slow after every wait. */
BANG_CALLED void widen_record(CopyRecord copy) {
  CopyRecord *place = &control.records[copy.to / 64 % copy_records];
  CopyRecord old = *place;
  place->to = old.to < copy.to ? old.to : copy.to;
  place->from = old.from < copy.from ? old.from : copy.from;
  place->to_end = old.to_end > copy.to_end ? old.to_end : copy.to_end;
  place->from_end = old.from_end > copy.from_end ? old.from_end : copy.from_end;
}

/* Remembers a copy, behind `count` others, and for what to wait. */
enum CopyKind { by_lanes, bulk_loaded, bulk_stored, small_loaded };
template <CopyKind kind>
BANG_INLINE void record_copy(const CopyRecord &copy, unsigned count) {
  if (lane_id() == 0) {
    if (count < copy_records) {
      control.records[count] = copy;
      control.record_count = count + 1;
    } else {
      widen_record(copy);
    }
    if (kind == bulk_loaded) control.bulk_loads = 1;
    if (kind == bulk_stored) control.bulk_stores = 1;
    if (kind == small_loaded) control.small_loads = 1;
  }
  __syncwarp();
}

/* ---- shapes ---- */

struct Segments {
  char *dst;
  const char *src;
  int64_t size;
  int64_t count;
  int64_t dst_inner, src_inner; /* segments of the inner dimension */
  int64_t dst_stride0, dst_stride1, src_stride0, src_stride1;

  BANG_MEMBER char *to(int64_t i) const {
    if (dst_inner >= count) return dst + i * dst_stride0;
    return dst + i % dst_inner * dst_stride0 + i / dst_inner * dst_stride1;
  }
  BANG_MEMBER const char *from(int64_t i) const {
    if (src_inner >= count) return src + i * src_stride0;
    return src + i % src_inner * src_stride0 + i / src_inner * src_stride1;
  }
};

/* First and last byte of a side. */
BANG_INLINE void span(uint64_t base, int64_t size, int64_t count, int64_t inner, int64_t stride0,
                      int64_t stride1, uint64_t *begin, uint64_t *end) {
  int64_t inner_reach = (inner < count ? inner - 1 : count - 1) * stride0;
  int64_t outer_reach = inner < count ? (count - 1) / inner * stride1 : 0;
  *begin = base + (inner_reach < 0 ? inner_reach : 0) + (outer_reach < 0 ? outer_reach : 0);
  *end = base + (inner_reach > 0 ? inner_reach : 0) + (outer_reach > 0 ? outer_reach : 0) + size;
}

BANG_INLINE CopyRecord record_of(const Segments &s) {
  CopyRecord record;
  span((uint64_t)s.dst, s.size, s.count, s.dst_inner, s.dst_stride0, s.dst_stride1, &record.to,
       &record.to_end);
  span((uint64_t)s.src, s.size, s.count, s.src_inner, s.src_stride0, s.src_stride1, &record.from,
       &record.from_end);
  return record;
}

/* ---- the bulk engine ---- */

BANG_INLINE void open_to_engine() {
  settle_for_engine();
  __syncwarp();
}

BANG_INLINE void expect_bytes(int64_t bytes) {
  if (lane_id() == 0) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(
                     shared_address(&control.load_barrier)),
                 "r"((unsigned)bytes)
                 : "memory");
  }
  __syncwarp();
}

BANG_INLINE void bulk_load(char *dst, const char *src, unsigned size) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(dst)),
      "l"(__cvta_generic_to_global(src)), "r"(size), "r"(shared_address(&control.load_barrier))
      : "memory");
}
BANG_INLINE void bulk_store(char *dst, const char *src, unsigned size) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                   __cvta_generic_to_global(dst)),
               "r"(shared_address(src)), "r"(size)
               : "memory");
}

BANG_CALLED void bulk_load_segments(Segments s, unsigned count) {
  open_to_engine();
  expect_bytes(s.size * s.count);
  for (int64_t i = lane_id(); i < s.count; i += warp_lanes) {
    bulk_load(s.to(i), s.from(i), (unsigned)s.size);
  }
  record_copy<bulk_loaded>(record_of(s), count);
}
BANG_CALLED void bulk_store_segments(Segments s, unsigned count) {
  open_to_engine();
  for (int64_t i = lane_id(); i < s.count; i += warp_lanes) {
    bulk_store(s.to(i), s.from(i), (unsigned)s.size);
  }
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  record_copy<bulk_stored>(record_of(s), count);
}

/* ---- words, asynchronously ---- */

template <int bytes>
BANG_INLINE void load_word(char *dst, const char *src) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(dst)),
               "l"(__cvta_generic_to_global(src)), "n"(bytes)
               : "memory");
}
template <int bytes>
BANG_INLINE void load_words(const Segments &s) {
  const int64_t words = s.size / bytes;
  if (words >= warp_lanes || s.count == 1) {
    for (int64_t k = 0; k < s.count; ++k) {
      char *to = s.to(k);
      const char *from = s.from(k);
#pragma unroll 4
      for (int64_t i = lane_id(); i < words; i += warp_lanes) {
        load_word<bytes>(to + i * bytes, from + i * bytes);
      }
    }
  } else {
    for (int64_t j = lane_id(); j < words * s.count; j += warp_lanes) {
      int64_t k = j / words, i = j % words;
      load_word<bytes>(s.to(k) + i * bytes, s.from(k) + i * bytes);
    }
  }
}

BANG_CALLED void small_load_segments(Segments s, unsigned align, unsigned count) {
  __syncwarp();
  if (align == 16) {
    load_words<16>(s);
  } else if (align == 8) {
    load_words<8>(s);
  } else {
    load_words<4>(s);
  }
  record_copy<small_loaded>(record_of(s), count);
}

/* ---- by the lanes at once ---- */

template <class Unit>
BANG_INLINE void move_small_segments(const Segments &s) {
  const int64_t words = s.size / (int64_t)sizeof(Unit);
  Share share = share_of(s.dst);
#pragma unroll 4
  for (int64_t j = share.first; j < words * s.count; j += share.step) {
    int64_t k = words == 1 ? j : j / words, i = words == 1 ? 0 : j % words;
    ((Unit *)s.to(k))[i] = ((const Unit *)s.from(k))[i];
  }
  __syncwarp();
}

BANG_CALLED void move_segments(Segments s, unsigned align) {
  __syncwarp();
  if (s.count > 1 && s.size < 16 * warp_lanes) {
    if (align == 16) {
      move_small_segments<uint4>(s);
    } else if (align == 8) {
      move_small_segments<uint2>(s);
    } else if (align == 4) {
      move_small_segments<uint32_t>(s);
    } else if (align == 2) {
      move_small_segments<uint16_t>(s);
    } else {
      move_small_segments<uint8_t>(s);
    }
    return;
  }
  for (int64_t k = 0; k < s.count; ++k) move_bytes(s.to(k), s.from(k), s.size);
}

/* A long run whose ends are odd in the same way: the middle goes to the engine. */
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

BANG_CALLED void copy_segments(Segments s) {
  __syncwarp();
  const unsigned count = order_copy(record_of(s));
  bool from_shared = __isShared(s.src), to_shared = __isShared(s.dst);
  bool load = to_shared && __isGlobal(s.src), store = from_shared && __isGlobal(s.dst);
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
      bulk_load_segments(s, count);
    } else {
      bulk_store_segments(s, count);
    }
    return;
  }
  Segments middle;
  int head, tail;
  if ((load || store) && is_long && split_run(s, &middle, &head, &tail)) {
    move_ends(s, head, tail);
    if (load) {
      bulk_load_segments(middle, count);
    } else {
      bulk_store_segments(middle, count);
    }
    return;
  }
  if (load && align >= 4) {
    small_load_segments(s, align, count);
    return;
  }
  move_segments(s, align);
  if (store) record_copy<by_lanes>(record_of(s), count); /* the engine sees it after a sync only */
}

/* A few words, at most four of a lane. */
BANG_INLINE void load_short_run(char *dst, const char *src, int size) {
  CopyRecord record = {(uint64_t)dst, (uint64_t)dst + size, (uint64_t)src, (uint64_t)src + size};
  __syncwarp();
  const unsigned count = order_copy(record);
  for (int i = 4 * lane_id(); i < size; i += 4 * warp_lanes) load_word<4>(dst + i, src + i);
  record_copy<small_loaded>(record, count);
}

/* What is too short or too odd for the bulk engine. */
BANG_CALLED void copy_odd_run(char *dst, const char *src, int64_t size, bool load) {
  if (load && size <= 16 * warp_lanes &&
      (((uint64_t)dst | (uint64_t)src | (uint64_t)size) & 3) == 0) {
    load_short_run(dst, src, (int)size);
  } else {
    Segments s = {dst, src, size, 1, 1, 1, 0, 0, 0, 0};
    copy_segments(s);
  }
}

/* One run of bytes, the most frequent copy. */
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
  CopyRecord record = {(uint64_t)dst, (uint64_t)dst + size, (uint64_t)src, (uint64_t)src + size};
  __syncwarp();
  const unsigned count = order_copy(record);
  /* A store reads what the lanes wrote; loads follow what was written to their targets before the
   * first of them. */
  if (store || count == 0) settle_for_engine();
  __syncwarp();
  if (lane_id() == 0) {
    if (load) {
      asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(
                       shared_address(&control.load_barrier)),
                   "r"((unsigned)size)
                   : "memory");
      bulk_load(dst, src, (unsigned)size);
    } else {
      bulk_store(dst, src, (unsigned)size);
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (load) {
    record_copy<bulk_loaded>(record, count);
  } else {
    record_copy<bulk_stored>(record, count);
  }
}

BANG_INLINE void start_engine() {
  if (lane_id() == 0) {
    asm volatile(
        "mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&control.load_barrier))
        : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    control.load_phase = 0;
    control.bulk_loads = control.bulk_stores = control.small_loads = control.record_count = 0;
    for (int i = 0; i < BANG_SM90_BARRIER_KINDS; ++i) control.barrier_generation[i] = 0;
  }
  __syncwarp();
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
/* A memory core has no NRAM: it passes over what touches one. */
BANG_INLINE bool is_for_compute_cores(int dir) {
  return dir != GDRAM2SRAM && dir != SRAM2GDRAM && dir != SRAM2SRAM && dir != GDRAM2GDRAM;
}
}  // namespace bang_impl

/* Shared RAM lies in device memory, so copies between on-chip memories go to the engine as well. */
BANG_INLINE void __bang_sync_pipes(int pipe_mask) {
  if (pipe_mask & (BANG_PIPE_IO | BANG_PIPE_MOVE)) {
    bang_impl::sync_copies();
  } else {
    __syncwarp();
  }
}

BANG_INLINE void __bang_copy(void *dst, const void *src, size_t size, int dir,
                             const bangCopyShape *shape, int is_async) {
  if (bang_impl::is_for_compute_cores(dir) && __is_mpu()) return;
  if (!shape) {
    bang_impl::copy_run((char *)dst, (const char *)src, (int64_t)size, dir);
  } else {
    int64_t dst_count = (int64_t)(shape->dst_segnum1 + 1) * (int64_t)(shape->dst_segnum2 + 1);
    int64_t src_count = (int64_t)(shape->src_segnum1 + 1) * (int64_t)(shape->src_segnum2 + 1);
    bang_impl::Segments s = {(char *)dst,
                             (const char *)src,
                             (int64_t)size,
                             dst_count < src_count ? dst_count : src_count,
                             (int64_t)shape->dst_segnum1 + 1,
                             (int64_t)shape->src_segnum1 + 1,
                             shape->dst_stride0,
                             shape->dst_stride1,
                             shape->src_stride0,
                             shape->src_stride1};
    bang_impl::copy_segments(s);
  }
  if (!is_async) __bang_sync_pipes(__bang_copy_pipe(dir));
}

#endif /* BANG_ENGINE_H_ */
