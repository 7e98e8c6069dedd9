/* SPDX-License-Identifier: MIT
 *
 * A task on the GPU: a thread block of one warp. All lanes run the scalar code with the same
 * values, so a store writes one value, and read-modify-write is correct; vector functions divide
 * their elements among the lanes and end with a warp barrier. Functions of the language are
 * inlined, because saving registers around a call costs more than most of them.
 */
#ifndef BANG_TASK_H_
#define BANG_TASK_H_

#include "bang_runtime.h"
#include "bang/builtin.h"
#include "bang/inline.h"

/* The core's NRAM: the unit's variables, then space for variables of functions. */
extern __shared__ __attribute__((aligned(128))) unsigned char __bang_arena[];

namespace bang_impl {

enum : unsigned { all_lanes = 0xffffffffu };
enum { warp_lanes = 32, copy_records = 24, load_slots = 16, scatter_slots = 4, scatter_rows = 8 };
/* The record of the lanes' own stores; it follows those of copies. */
enum { lane_stores = copy_records };
static_assert(BANG_SM90_TASK_THREADS == warp_lanes, "a task is a warp");

/* The elements of a lane: first, first + step, ... */
struct Share {
  int first, step;
};

/* What a copy writes, and whether the bulk engine does it. */
enum CopyKind {
  writes_memory = 1,
  writes_nram = 2,
  not_bulk = 4,
  bulk_stored = writes_memory,
  bulk_loaded = writes_nram,
  other_stored = writes_memory | not_bulk,
  other_loaded = writes_nram | not_bulk,
  several_copied = writes_memory | writes_nram | not_bulk,
  bulk_scattered = writes_memory | 8,
};

/* A copy between NRAM and other memory that may still be in flight. */
struct CopyRecord {
  uint64_t memory, memory_end;
  uint32_t nram, nram_end; /* shared-memory addresses */
  unsigned number;         /* its number among the bulk engine's loads or stores */
  unsigned kind;
};

/* Regions of a block's scratch memory, in bytes. */
struct Scratch {
  unsigned wram, ldram;
};

/* By bangSpace: the first free byte, for variables of functions. */
struct Tops {
  unsigned byte[4];
};

/* The fields set at the start of a task come first, grouped so that they are stored together. */
struct alignas(16) Control {
  bangSm90Frame frame;
  Scratch scratch;
  Tops tops;
  unsigned live;                /* one bit per record of a copy that may be in flight */
  unsigned small_loads;         /* loads by words that may be in flight */
  unsigned scatter_live;        /* one bit per slot of scattered rows that may be in flight */
  unsigned scatter_slot;        /* the next slot to use */
  unsigned loads, loads_synced; /* of the bulk engine: in total, and at the last sync */
  unsigned stores, stores_done;
  unsigned barrier_generation[BANG_SM90_BARRIER_KINDS]; /* per kind of union barrier */
  /* mbarriers; load n uses number n % load_slots, and the first user initialises it */
  uint64_t load_barrier[load_slots];
  CopyRecord records[copy_records + 1];
  /* The engine keeps no order among scattered rows in flight, so their addresses are recorded: the
   * low 32 bits in units of 16 bytes, several rows per slot. */
  uint32_t scattered[scatter_slots * scatter_rows];
  unsigned scatter_number[scatter_slots]; /* number of the store that uses each slot */
  unsigned scatter_bytes;                 /* bytes of each row in the slots */
};

static __shared__ Control control;

BANG_INLINE int lane_id() {
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

/* Memory local to a thread exists once per lane, so each lane processes all of its copy. */
BANG_INLINE Share share_of(const void *dst) {
  if (__isLocal(dst)) return Share{0, 1};
  return Share{lane_id(), warp_lanes};
}

BANG_INLINE uint32_t shared_address(const void *p) {
  return (uint32_t)__cvta_generic_to_shared(p);
}

/* The same for operands. Most are at constant offsets from the start of NRAM, and computing that
 * address needs a special register, so it is computed once. */
BANG_INLINE uint32_t operand_address(const void *p) {
  uint32_t start;
  asm("mov.u32 %0, __bang_arena;" : "=r"(start));
  return start + (uint32_t)((const unsigned char *)p - __bang_arena);
}

/* Orders the lanes' accesses before the copy engine's next operation. */
BANG_INLINE void settle_for_engine() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
BANG_INLINE void settle_global_for_engine() {
  asm volatile("fence.proxy.async.global;" ::: "memory");
}

/* Runs work(share) on all lanes, for memory starting at dst. */
template <class Work>
BANG_INLINE void divide_work(const void *dst, const Work &work) {
  __syncwarp();
  work(share_of(dst));
  __syncwarp();
}

/* Ends the launch; the next sync of the queue returns the code (of cn_api.h). */
enum { fault_illegal_operand = 100127, fault_assert = 100128 };
BANG_CALLED void fault(int code, const char *message) {
  if (lane_id() == 0) {
    printf("BANG C: task %d: %s\n", taskId, message);
    if (control.frame.fault) *control.frame.fault = (unsigned)code;
    __threadfence_system();
  }
  __syncwarp();
  __trap();
}

}  // namespace bang_impl

/* Start of a matrix in WRAM, in lane 0. Kernels that divide one buffer count all bytes before the
 * matrix; an address past lane 0 is such a count, and a 64th of it is in each lane. */
BANG_INLINE void *__bang_wram_place(const void *address, size_t lane_bytes) {
  const bangSm90Frame &frame = bang_impl::control.frame;
  char *start = frame.task_scratch + blockIdx.x * frame.task_scratch_stride;
  const uint64_t offset = (uint64_t)address - (uint64_t)start;
  if (!frame.task_scratch || offset < lane_bytes || offset >= 64 * lane_bytes) {
    return const_cast<void *>(address);
  }
  return start + (offset / 64 & ~(uint64_t)7);
}

#endif /* BANG_TASK_H_ */
