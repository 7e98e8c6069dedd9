/* SPDX-License-Identifier: MIT
 *
 * A task on the GPU: a thread block of one warp. Scalar code runs in all lanes alike, so a store is
 * the store of one value and read-modify-write stays right; vector functions divide their elements
 * among the lanes and end with a barrier of the warp. Functions of the language are inlined: saving
 * registers around a call costs more than most of them.
 */
#ifndef BANG_TASK_H_
#define BANG_TASK_H_

#include "bang_runtime.h"
#include "bang/builtin.h"
#include "bang/inline.h"

/* The core's NRAM, and after the variables of the unit the place for those of functions. */
extern __shared__ __attribute__((aligned(128))) unsigned char __bang_arena[];

namespace bang_impl {

enum : unsigned { all_lanes = 0xffffffffu };
enum { warp_lanes = 32, copy_records = 24, load_slots = 16, scatter_slots = 4, scatter_rows = 8 };
/* The record of what the lanes have stored themselves, after those of copies. */
enum { lane_stores = copy_records };
static_assert(BANG_SM90_TASK_THREADS == warp_lanes, "a task is a warp");

/* Which elements a lane does: first, first + step, ... */
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

/* A copy between NRAM and other memory that may still be under way. */
struct CopyRecord {
  uint64_t memory, memory_end;
  uint32_t nram, nram_end; /* addresses of the shared memory */
  unsigned number;         /* among the loads or the stores of the bulk engine */
  unsigned kind;
};

/* Parts of a block's scratch memory, in bytes. */
struct Scratch {
  unsigned wram, ldram;
};

/* First free byte of each on-chip memory, by bangSpace, for the variables of functions. */
struct Tops {
  unsigned byte[4];
};

/* What a task is started with comes first, in pieces that are stored at once. */
struct alignas(16) Control {
  bangSm90Frame frame;
  Scratch scratch;
  Tops tops;
  unsigned live;                /* a bit for each record of a copy that may be under way */
  unsigned small_loads;         /* are under way */
  unsigned scatter_live;        /* a bit for each scattered row that may be under way */
  unsigned scatter_slot;        /* next one */
  unsigned loads, loads_synced; /* of the bulk engine, so far and at the last sync */
  unsigned stores, stores_done;
  unsigned barrier_generation[BANG_SM90_BARRIER_KINDS]; /* of unions */
  /* mbarriers; load n uses that of n % load_slots, and sets it up if it is the first one */
  uint64_t load_barrier[load_slots];
  CopyRecord records[copy_records + 1];
  /* The engine keeps no order among rows of scatters under way, so they are known: their addresses
   * in units of 16 bytes, the last 32 bits of those, some rows to a slot. */
  uint32_t scattered[scatter_slots * scatter_rows];
  unsigned scatter_number[scatter_slots]; /* of the stores that have the slots */
  unsigned scatter_bytes;                 /* of each row in the slots */
};

static __shared__ Control control;

BANG_INLINE int lane_id() {
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

/* A thread's own memory is worked on by each lane alone: there every lane has its copy. */
BANG_INLINE Share share_of(const void *dst) {
  if (__isLocal(dst)) return Share{0, 1};
  return Share{lane_id(), warp_lanes};
}

BANG_INLINE uint32_t shared_address(const void *p) {
  return (uint32_t)__cvta_generic_to_shared(p);
}

/* The same for operands, most of which are at constant distances from the start of NRAM: where that
 * is takes a special register to compute, so it is computed once. */
BANG_INLINE uint32_t operand_address(const void *p) {
  uint32_t start;
  asm("mov.u32 %0, __bang_arena;" : "=r"(start));
  return start + (uint32_t)((const unsigned char *)p - __bang_arena);
}

/* What the copy engine reads or writes next must be settled by those who touched it. */
BANG_INLINE void settle_for_engine() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
BANG_INLINE void settle_global_for_engine() {
  asm volatile("fence.proxy.async.global;" ::: "memory");
}

/* work(share) by all lanes, for memory from dst on. */
template <class Work>
BANG_INLINE void divide_work(const void *dst, const Work &work) {
  __syncwarp();
  work(share_of(dst));
  __syncwarp();
}

/* Ends the launch; the code (of cn_api.h) comes back from the next sync of the queue. */
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

/* Where a matrix that begins at an address of WRAM begins in lane 0. Addresses beyond that lane
 * count the bytes of all lanes, as one buffer for all of WRAM is divided. */
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
