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

/* The core's NRAM, and behind the variables of the unit the place for those of functions. */
extern __shared__ __attribute__((aligned(128))) unsigned char __bang_arena[];

namespace bang_impl {

enum : unsigned { all_lanes = 0xffffffffu };
enum { warp_lanes = 32, copy_records = 32 };
static_assert(BANG_SM90_TASK_THREADS == warp_lanes, "a task is a warp");

/* Which elements a lane does: first, first + step, ... */
struct Share {
  int first, step;
};

/* A copy that may still be under way: what it writes and what it reads. */
struct CopyRecord {
  uint64_t to, to_end, from, from_end;
};

/* Parts of a block's scratch memory, in bytes. */
struct Scratch {
  unsigned wram, ldram;
};

/* First free byte of each on-chip memory, by bangSpace, for the variables of functions. */
struct Tops {
  unsigned byte[4];
};

struct Control {
  uint64_t load_barrier; /* mbarrier of the bulk loads */
  unsigned load_phase;
  unsigned bulk_loads, bulk_stores, small_loads; /* under way */
  unsigned record_count;
  Tops tops;
  Scratch scratch;
  bangSm90Frame frame;
  unsigned barrier_generation[BANG_SM90_BARRIER_KINDS];
  CopyRecord records[copy_records];
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

#endif /* BANG_TASK_H_ */
