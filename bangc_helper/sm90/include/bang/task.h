/* SPDX-License-Identifier: MIT
 *
 * A task on the GPU: a thread block. Its first warp runs the kernel. Scalar code runs in all lanes
 * of that warp alike, so a store is the store of one value and read-modify-write stays right.
 * Vector functions divide their elements among the lanes; long ones are shared with the other
 * warps, which wait for such work.
 */
#ifndef BANG_TASK_H_
#define BANG_TASK_H_

#include <new>

#include "bang_runtime.h"
#include "bang/builtin.h"
#include "bang/inline.h"

/* The core's NRAM, and behind the variables of the unit the place for those of functions. */
extern __shared__ __attribute__((aligned(128))) unsigned char __bang_arena[];

namespace bang_impl {

enum { warp_lanes = 32, copy_records = 32, task_threads = BANG_SM90_TASK_THREADS };

/* Which elements a lane does: first, first + step, ... */
struct Share {
  int first, step;
};

/* Work for all warps: a function and the object it works on. */
struct Order {
  void (*run)(const void *work, Share share);
  bool is_global; /* writes to global memory */
  alignas(16) unsigned char work[112];
};

/* A copy that may still be under way: what it writes and what it reads. */
struct CopyRecord {
  uint64_t to, to_end, from, from_end;
};

/* Parts of a block's scratch memory, in bytes. */
struct Scratch {
  unsigned wram, ldram;
};

struct Control {
  uint64_t load_barrier; /* mbarrier of the bulk loads */
  unsigned load_phase;
  unsigned bulk_loads, bulk_stores, small_loads; /* under way */
  unsigned record_count;
  unsigned nram_top; /* first free byte of the arena */
  Scratch scratch;
  bangSm90Frame frame;
  unsigned barrier_generation[5];
  Order order;
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

/* ---- sharing work with the other warps ---- */

enum { order_given = 1, order_done = 2, shared_work_bytes = 4096 };

BANG_INLINE void meet_warps(int barrier) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"((int)task_threads) : "memory");
}

/* What the copy engine reads or writes next must be settled by those who touched it. */
BANG_INLINE void settle_for_engine() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
BANG_INLINE void settle_global_for_engine() {
  asm volatile("fence.proxy.async.global;" ::: "memory");
}

template <class Work>
static __device__ __noinline__ void run_order(const void *work, Share share) {
  const Work own = *(const Work *)work; /* in registers: what it writes cannot change it */
  own(share);
}

/* work(share) by all warps; Work is plain data with pointers to memory that all can see. */
template <class Work>
BANG_INLINE void by_all_warps(const Work &work, bool is_global) {
  static_assert(sizeof(Work) <= sizeof(Order::work), "an order is short");
  __syncwarp();
  if (lane_id() == 0) {
    ::new ((void *)control.order.work) Work(work);
    control.order.run = &run_order<Work>;
    control.order.is_global = is_global;
  }
  meet_warps(order_given);
  run_order<Work>(control.order.work, Share{lane_id(), task_threads});
  meet_warps(order_done);
}

/* work(share) that writes `bytes` bytes from dst on: by as many warps as it is worth. */
template <class Work>
BANG_INLINE void divide_work(const void *dst, int64_t bytes, const Work &work) {
  if (task_threads > warp_lanes && bytes >= shared_work_bytes && !__isLocal(dst)) {
    by_all_warps(work, __isGlobal(dst));
  } else {
    __syncwarp();
    run_order<Work>(&work, share_of(dst));
    __syncwarp();
  }
}

/* The life of a warp that does not run the kernel. */
BANG_INLINE void serve_orders() {
  for (;;) {
    meet_warps(order_given);
    auto run = control.order.run;
    if (!run) return;
    run(control.order.work, Share{(int)threadIdx.x, task_threads});
    settle_for_engine();
    if (control.order.is_global) settle_global_for_engine();
    meet_warps(order_done);
  }
}
BANG_INLINE void dismiss_warps() {
  if (task_threads == warp_lanes) return;
  __syncwarp();
  if (lane_id() == 0) control.order.run = nullptr;
  meet_warps(order_given);
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
