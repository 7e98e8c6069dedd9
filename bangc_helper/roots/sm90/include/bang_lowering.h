/* SPDX-License-Identifier: MIT
 *
 * Support code for the C++ that cncc generates from BANG C. bang.h includes this file; user code
 * names nothing in it.
 */
#ifndef BANG_LOWERING_H_
#define BANG_LOWERING_H_

#include <utility>

#include "bang/barrier.h"
#include "bang_launch.h"
#include "bang_runtime.h"

#define __BANG_UNUSED __attribute__((unused))

/* ---- On-chip variables ---- */

constexpr unsigned long __bang_aligned(unsigned long at, unsigned long align) {
  return (at + align - 1) / align * align;
}

/* Largest size of NRAM variables in a block's shared memory. */
#define BANG_MAX_NRAM_BYTES (222ul * 1024)
/* Marks the offset of an NRAM variable that is in the block's scratch memory instead. */
#define BANG_SPILLED (1ul << 40)

/* A variable in WRAM spans all 64 lanes, and the next one starts after its part of a lane, because
 * a copy without strides fills only that part. */
constexpr unsigned long __bang_bytes_taken(bangSpace space, unsigned long size) {
  return space == BANG_SPACE_WRAM ? (size + 63) / 64 : size;
}

/* Offset of a variable, and the end of its memory's used part including it. */
struct __bang_reach {
  unsigned long at = 0, end = 0, spilled_end = 0;

  constexpr __bang_reach next(bangSpace space, unsigned long size, unsigned long align) const {
    __bang_reach n = *this;
    n.at = __bang_aligned(end, align);
    if (space == BANG_SPACE_NRAM && n.at + size > BANG_MAX_NRAM_BYTES) {
      n.at = __bang_aligned(spilled_end, align);
      n.spilled_end = n.at + size;
      n.at += BANG_SPILLED;
    } else {
      n.end = n.at + __bang_bytes_taken(space, size);
    }
    return n;
  }
};

/* By bangSpace: the bytes that file-scope variables take, and whether functions have on-chip
 * variables there. */
struct __bang_unit_sizes {
  __bang_reach nram, wram, sram, ldram;
  bool has_local[4];
};

/* cncc defines both at the end of the unit. The second sets the initial values. */
static __bang_unit_sizes __bang_unit();
static __device__ void __bang_unit_begin();

/* The scratch memory of a block: WRAM, LDRAM, and NRAM variables that did not fit. */
#define BANG_WRAM_BYTES ((unsigned)__MLU_WRAM_SIZE__ * 1024)

template <class Variable, bangSpace space>
BANG_INLINE Variable &__bang_onchip(unsigned long at) {
  using bang_impl::control;
  if (space == BANG_SPACE_NRAM && at < BANG_SPILLED) return *(Variable *)(__bang_arena + at);
  if (space == BANG_SPACE_SRAM) {
    unsigned cluster = blockIdx.x / control.frame.blocks_per_cluster;
    return *(Variable *)(control.frame.cluster_scratch +
                         cluster * control.frame.cluster_scratch_stride + at);
  }
  char *own = control.frame.task_scratch + blockIdx.x * control.frame.task_scratch_stride;
  if (space == BANG_SPACE_WRAM) return *(Variable *)(own + at);
  own += control.scratch.wram;
  if (space == BANG_SPACE_LDRAM) return *(Variable *)(own + at);
  return *(Variable *)(own + control.scratch.ldram + (at - BANG_SPILLED));
}

/* The limits for variables of functions. */
#define BANG_SRAM_BYTES ((unsigned)__MLU_SRAM_SIZE__ * 1024)
#define BANG_LOCAL_LDRAM_BYTES (1u << 20)

constexpr unsigned __bang_local_limit(bangSpace space) {
  return space == BANG_SPACE_NRAM   ? (unsigned)BANG_MAX_NRAM_BYTES
         : space == BANG_SPACE_WRAM ? BANG_WRAM_BYTES
         : space == BANG_SPACE_SRAM ? BANG_SRAM_BYTES
                                    : BANG_LOCAL_LDRAM_BYTES;
}

/* An on-chip variable of a function: allocated at its declaration, freed at the end of the
 * enclosing block. All cores of a cluster reach the declarations of shared RAM in the same order,
 * so they get the same address. */
template <class Variable, bangSpace space, unsigned long align>
class __bang_local {
 public:
  BANG_MEMBER __bang_local() : before_(bang_impl::control.tops.byte[space]) {
    at_ = (unsigned)__bang_aligned(before_, align);
    if (at_ + sizeof(Variable) > __bang_local_limit(space)) {
      bang_impl::fault(bang_impl::fault_illegal_operand,
                       "the on-chip variables of functions need more than there is");
    }
    set_top(at_ + (unsigned)__bang_bytes_taken(space, sizeof(Variable)));
  }
  BANG_MEMBER ~__bang_local() { set_top(before_); }
  BANG_MEMBER Variable &variable() const { return __bang_onchip<Variable, space>(at_); }

 private:
  unsigned before_, at_;

  BANG_MEMBER static void set_top(unsigned top) {
    __syncwarp();
    bang_impl::control.tops.byte[space] = top;
    __syncwarp();
  }
};

template <typename T, typename Image>
BANG_INLINE void __bang_store(T &variable, const Image &image) {
  static_assert(sizeof(T) == sizeof(Image), "an initial value has the size of its variable");
  const char *from = (const char *)&image;
  char *to = (char *)&variable;
  __syncwarp();
  if (__isLocal(from)) {
    for (size_t i = 0; i < sizeof(T); ++i) to[i] = from[i];
  } else {
    for (size_t i = bang_impl::lane_id(); i < sizeof(T); i += bang_impl::warp_lanes)
      to[i] = from[i];
  }
  __syncwarp();
}

/* ---- Kernels ---- */

namespace bang_impl {

/* Sets the built-in variables and the state of this block. */
BANG_INLINE void begin_task(const bangSm90Frame &frame, const Tops &tops, const Scratch &scratch) {
  const unsigned block = frame.first_block + blockIdx.x;
  const unsigned per_cluster = frame.blocks_per_cluster;
  unsigned task = block, core = 0, cluster = block;
  bool is_memory_core = false;
  if (frame.union_clusters != 0) {
    cluster = block / per_cluster;
    core = block % per_cluster;
    is_memory_core = core == BANG_SM90_CORES_PER_CLUSTER;
    /* The memory core has the task number of the cluster's first task. */
    task = cluster * BANG_SM90_CORES_PER_CLUSTER + (is_memory_core ? 0 : core);
  }
  if (lane_id() == 0) {
    if (frame.is_plain) { /* a plain launch uses nothing else of the frame */
      control.frame.union_clusters = 0;
      control.frame.task_scratch = control.frame.cluster_scratch = nullptr;
      control.frame.fault = frame.fault;
    } else {
      control.frame = frame;
      control.scratch = scratch;
      for (unsigned &generation : control.barrier_generation) generation = 0;
    }
    control.tops = tops;
    control.live = control.small_loads = control.scatter_live = control.scatter_slot = 0;
    control.loads = control.loads_synced = control.stores = control.stores_done = 0;
    taskId = (int)task;
    /* Subtracts instead of computing remainders: a division takes 20 instructions. */
    const unsigned line = task / frame.dim_x;
    const unsigned plane = frame.dim_z == 1 ? 0 : line / frame.dim_y;
    taskIdX = (int)(task - line * frame.dim_x);
    taskIdY = (int)(line - plane * frame.dim_y);
    taskIdZ = (int)plane;
    taskDimX = (int)frame.dim_x;
    taskDimY = (int)frame.dim_y;
    taskDimZ = (int)frame.dim_z;
    taskDim = (int)(frame.dim_x * frame.dim_y * frame.dim_z);
    coreId = is_memory_core ? BANG_MPU_CORE_ID : (int)core;
    coreDim = frame.union_clusters == 0 ? 1 : BANG_SM90_CORES_PER_CLUSTER;
    clusterId = frame.union_clusters == 0 ? 0 : (int)(cluster % frame.union_clusters);
    clusterDim = (int)frame.union_clusters;
  }
  __syncwarp();
}

/* Tasks of the next launch in the queue may start and prepare while this launch runs, but touch no
 * memory until it has ended. Allowing that costs 0.6 ns per task, in sequence: 1.4 us for 2304
 * tasks. */
BANG_INLINE void let_next_begin() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
BANG_INLINE void await_launch_before() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}

/* A task may end with copies in flight, because only other tasks of its union read what they write.
 */
BANG_INLINE void end_task() {
  if (control.frame.union_clusters == 0) {
    leave_copies();
    return;
  }
  sync_copies();
  leave_barriers();
}

}  // namespace bang_impl

/* The body is copied, because a task may modify its parameters. */
template <typename Body>
__global__ void __launch_bounds__(BANG_SM90_TASK_THREADS, BANG_SM90_TASKS_PER_SM)
    __bang_task(const bangSm90Frame frame, Body body, bang_impl::Tops tops,
                bang_impl::Scratch scratch) {
  if (frame.lets_next_begin) bang_impl::let_next_begin();
  bang_impl::begin_task(frame, tops, scratch);
  bang_impl::await_launch_before();
  __bang_unit_begin();
  body();
  bang_impl::end_task();
}

/* Replaces a kernel's body on the host; the launch configuration is pending. */
template <typename Body>
inline void __bang_kernel_entry(const char *name, const __bang_unit_sizes &unit, Body body) {
  const bool has_wram = unit.wram.end != 0 || unit.has_local[BANG_SPACE_WRAM];
  const bool has_sram = unit.sram.end != 0 || unit.has_local[BANG_SPACE_SRAM];
  bang_impl::Tops tops = {{(unsigned)unit.nram.end, (unsigned)unit.wram.end,
                           (unsigned)unit.sram.end, (unsigned)unit.ldram.end}};
  bang_impl::Scratch scratch = {has_wram ? BANG_WRAM_BYTES : 0,
                                unit.has_local[BANG_SPACE_LDRAM]
                                    ? BANG_LOCAL_LDRAM_BYTES
                                    : (unsigned)__bang_aligned(unit.ldram.end, 128)};
  bangSm90Kernel kernel = {};
  kernel.function = reinterpret_cast<const void *>(&__bang_task<Body>);
  kernel.name = name;
  kernel.threads = BANG_SM90_TASK_THREADS;
  kernel.blocks_per_cluster =
      has_sram ? BANG_SM90_CORES_PER_CLUSTER + 1 : BANG_SM90_CORES_PER_CLUSTER;
  /* Rounded up to 16-byte pieces: vector functions may read the rest of one. */
  kernel.onchip_bytes =
      unit.has_local[BANG_SPACE_NRAM] ? BANG_MAX_NRAM_BYTES : __bang_aligned(unit.nram.end, 16);
  kernel.task_scratch_bytes = scratch.wram + scratch.ldram + unit.nram.spilled_end;
  kernel.cluster_scratch_bytes = unit.has_local[BANG_SPACE_SRAM] ? BANG_SRAM_BYTES : unit.sram.end;
  static const size_t arg_bytes[] = {sizeof(body), sizeof(tops), sizeof(scratch), 0};
  kernel.arg_bytes = arg_bytes;
  void *args[] = {nullptr, &body, &tops, &scratch};
  __bang_sm90_submit(&kernel, args);
}

/* The values of a kernel's parameter pack, passed to its body one by one. */
template <typename... Values>
struct __bang_pack {
  template <typename Body, typename... Before>
  BANG_MEMBER void pass_to(Body &body, const Before &...before) const {
    body(before...);
  }
};

template <typename Value, typename... Rest>
struct __bang_pack<Value, Rest...> {
  Value value;
  __bang_pack<Rest...> rest;

  template <typename Body, typename... Before>
  BANG_MEMBER void pass_to(Body &body, const Before &...before) const {
    rest.pass_to(body, before..., value);
  }
};

template <typename Body, typename... Values>
struct __bang_body_with_pack {
  Body body;
  __bang_pack<Values...> pack;

  BANG_MEMBER void operator()() { pack.pass_to(body); }
};

inline __bang_pack<> __bang_packed() {
  return {};
}
template <typename Value, typename... Rest>
__bang_pack<Value, Rest...> __bang_packed(Value value, Rest... rest) {
  return {value, __bang_packed(rest...)};
}

template <typename Body, typename... Values>
__bang_body_with_pack<Body, Values...> __bang_with_pack(Body body, Values... values) {
  return {body, __bang_packed(values...)};
}

/* ---- Loops that the lanes share ---- */

/* Pass p of a loop has the iterations p, p + 32, and so on. Each lane makes one of them, but in
 * memory that each lane has for itself all. `stored`: what the loop stores to. */
template <typename... T>
BANG_INLINE bool __bang_is_own(const T *...stored) {
  return (__isLocal(stored) || ...);
}
template <typename... T>
BANG_INLINE int __bang_first_pass(const T *...stored) {
  __syncwarp();
  return __bang_is_own(stored...) ? 0 : bang_impl::lane_id();
}
template <typename... T>
BANG_INLINE int __bang_end_of_passes(const T *...stored) {
  return __bang_is_own(stored...) ? bang_impl::warp_lanes : bang_impl::lane_id() + 1;
}

/* Registers a kernel for cnrtInvokeKernel. */
template <typename Function, Function kernel>
class __bang_kernel_registrar;

template <typename... Args, void (*kernel)(Args...)>
class __bang_kernel_registrar<void (*)(Args...), kernel> {
 public:
  explicit __bang_kernel_registrar(const char *name) {
    __bang_register_kernel(reinterpret_cast<const void *>(kernel), name, &invoke);
  }

 private:
  template <size_t... index>
  static void call(void **args, std::index_sequence<index...>) {
    (void)args;
    kernel(*static_cast<typename std::remove_reference<Args>::type *>(args[index])...);
  }
  static void invoke(void **args) { call(args, std::index_sequence_for<Args...>()); }
};

#include "bang/kernel_registration.h"

#endif /* BANG_LOWERING_H_ */
