/* SPDX-License-Identifier: MIT
 *
 * The contract between code compiled by cncc and the runtime (libcnrt). User code never names
 * anything of this file: cncc's lowering and bang.h do.
 *
 * How a kernel becomes host code. cncc turns
 *
 *     __mlu_global__ void K(int n, float *x) { body }
 *
 * into an ordinary function that submits itself when the host calls it,
 *
 *     void K(int n, float *x) { if (__bang_submit(<K>, "K", <unit>, n, x)) return; { body } }
 *
 * and `K<<<dim, type, queue>>>(n, x)` into `(__bang_launch_configure(dim, type, queue), K(n, x))`.
 * So overload resolution, template deduction, conversions, default arguments, extern templates and
 * kernels of other translation units follow the rules of C++ without any help. The arguments are
 * copied once at launch and once more per task (a task may modify its parameters).
 */
#ifndef BANG_RUNTIME_H_
#define BANG_RUNTIME_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bang/copies.h"
#include "bang/preferred_tile.h"
#include "cnrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Built-in variables ---- */

/* One set per core; the launcher writes them before a task starts. bang.h gives them their public
 * names (taskId, ...) so that a local variable of the same name may shadow them, as with the
 * vendor's compiler. */
extern __thread int __bang_taskId, __bang_taskIdX, __bang_taskIdY, __bang_taskIdZ;
extern __thread int __bang_taskDim, __bang_taskDimX, __bang_taskDimY, __bang_taskDimZ;
extern __thread int __bang_coreId, __bang_coreDim, __bang_clusterId, __bang_clusterDim;
/* Increases with every task this thread starts and is never 0 inside a task; used for "first use in
 * this task" tests. */
extern __thread uint64_t __bang_task_epoch;

/* coreId of a cluster's memory core. */
#define BANG_MPU_CORE_ID 0x80

/* ---- Launch ---- */

/* How the runtime copies, runs and frees a launch's closure (the kernel with its arguments). One
 * static object per kernel. */
typedef struct bangKernelOps {
  const char *name;
  size_t size;
  size_t align;
  void (*copy)(void *dst, const void *src); /* copy-construct at dst */
  void (*run)(const void *closure);         /* run one task on a private copy */
  void (*destroy)(void *closure);
} bangKernelOps;

/* Saves the configuration for the kernel call that follows on this thread. Configurations nest,
 * because an argument of a launch may itself launch. */
void __bang_launch_configure(cnrtDim3_t dim, cnrtFunctionType_t type, cnrtQueue_t queue);

/* Takes the innermost configuration and enqueues the kernel. Configuration errors become the last
 * error (cnrtGetLastError); without a configuration it is cnrtErrorIllegalState. */
void __bang_launch_submit(const bangKernelOps *ops, const void *closure);

/* Non-zero on a thread that is running a task. */
int __bang_in_task(void);

/* Registers `stub` for cnrtInvokeKernel. invoke(args) calls the stub with the values args[] point
 * to, after the runtime has configured the launch. */
void __bang_register_kernel(const void *stub, const char *name, void (*invoke)(void **args));

/* Registers a device variable for cnrtGetSymbolAddress and the like, until it is unregistered. */
void __bang_register_symbol(void *address, size_t size);
void __bang_unregister_symbol(void *address) __attribute__((nothrow)); /* called in a destructor */

/* ---- On-chip variables ---- */

typedef enum bangSpace {
  BANG_SPACE_NRAM = 0,
  BANG_SPACE_WRAM = 1,
  BANG_SPACE_SRAM = 2,
  BANG_SPACE_LDRAM = 3,
  BANG_SPACE_COUNT = 4,
  BANG_SPACE_OTHER = BANG_SPACE_COUNT, /* neither the core's memory nor its cluster's */
} bangSpace;

/* On-chip variables live in arenas: NRAM, WRAM and LDRAM per core, shared RAM per cluster. Each
 * translation unit starts at offset 0; units may overlap, because a running kernel uses one unit
 * only. A thread keeps its arenas for life, so code may cache addresses per thread. */

/* By bangSpace: start of the calling thread's arenas, NULL until first used. */
extern __thread char *__bang_space_base[BANG_SPACE_COUNT]
    __attribute__((tls_model("initial-exec")));
/* The start of an arena, which is created if needed. */
void *__bang_space_open(bangSpace space);
/* An address in WRAM or shared RAM. A function with such a variable calls this when it starts, so
 * that a root notices kernels that use more memory than it has. */
void *__bang_space_address(bangSpace space, size_t offset);

/* Which memory of the calling core or its cluster contains an address. */
bangSpace __bang_space_of(const void *address);

/* Bytes that a unit's variables take of each arena: those placed at compile time, from 0 upwards,
 * and all of them. `begin` initialises the variables in NRAM and LDRAM. */
typedef struct bangUnit {
  size_t counted[BANG_SPACE_COUNT];
  size_t used[BANG_SPACE_COUNT];
  void (*begin)(void);
} bangUnit;

/* Called at the start of a task. */
void __bang_unit_start(const bangUnit *unit);

/* Non-zero on a thread that is running a task, where the kernel `name` of this unit is then called
 * as a function. Faults if the task's own unit has variables at the same places. */
int __bang_in_task_of(const bangUnit *unit, const char *name);

/* Allocates NRAM or LDRAM for a function's variable until the task ends. */
void *__bang_space_take(bangSpace space, size_t size, size_t align);

/* Red zone after a variable: out of bounds for the address sanitizer and the checker. */
enum { BANG_RAM_REDZONE_BYTES = 64 };

/* A file-scope variable of a unit. */
typedef struct bangVariable {
  const char *name;
  bangSpace space;
  size_t at, size;
  bool is_set; /* initialised when a task starts */
} bangVariable;

/* Where red zones are checked: at the start of a task, only these variables and what was reserved
 * when the unit was loaded may be accessed in NRAM and LDRAM. Other variables are allowed one by
 * one later. */
void __bang_ram_watch(const bangVariable *variables, size_t count);
void __bang_ram_allow(void *address, size_t size, const char *name);

/* Start of a matrix in WRAM, in lane 0. Kernels that divide one buffer count all bytes before the
 * matrix; an address past lane 0 is such a count, and a 64th of it is in each lane. */
void *__bang_wram_place(const void *address, size_t lane_bytes);

/* ---- Copies and pipes ---- */

/* Pipe that carries a copy of this direction (a mluMemcpyDirection_t). */
int __bang_copy_pipe(int dir);

/* A shape of NULL means one segment. With is_async the copy is recorded and done at its pipe's next
 * sync. A synchronous copy first completes what its pipe has recorded, since a pipe works in order.
 * Copies within NRAM are done at once; so are those between GDRAM and shared RAM in a union task,
 * once for all cores of a cluster that issue them. */
void __bang_copy(void *dst, const void *src, size_t size, int dir, const bangCopyShape *shape,
                 int is_async);

/* Records any other asynchronous operation: fn(args) runs in its pipe's order. args is copied, at
 * most 96 bytes. */
void __bang_defer(int pipe, void (*fn)(const void *args), const void *args, size_t size);

/* Completes everything recorded on the pipes in the mask. */
void __bang_sync_pipes(int pipe_mask);

/* Called by the launcher: the first drops what an aborted task recorded, the second completes what
 * a finished task left. */
void __bang_copy_engine_reset(void);
void __bang_copy_engine_finish(void);

/* ---- Barriers ---- */

typedef enum bangBarrier {
  BANG_BARRIER_CLUSTER = 0,     /* compute cores of a cluster and its MPU */
  BANG_BARRIER_CLUSTER_IPU = 1, /* compute cores of a cluster */
  BANG_BARRIER_ALL_IPU = 2,     /* compute cores of a union group */
  BANG_BARRIER_ALL_MPU = 3,     /* memory cores of a union group */
  BANG_BARRIER_ALL = 4,         /* all cores of a union group */
} bangBarrier;

/* Completes this core's pipes, then waits for the live cores of the set. A core that has returned
 * does not count. If all live cores wait at barriers that cannot open, the launch ends with a
 * deadlock report. */
void __bang_barrier(bangBarrier which, const char *file, int line);

/* ---- Faults ---- */

/* Ends the calling task with a driver fault code (CN_..., see cn_api.h), which the next sync of
 * the queue returns. Does not return in a task; on a host thread it sets the last error and
 * returns. */
void __bang_fault(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#if defined(__aarch64__)
/* A source location, in the layout that compilers pass to their check handlers. */
struct bangSourcePlace {
  const char *file;
  uint32_t line, column;
};

/* Called before an integer division by zero in a kernel file, because on this CPU such a division
 * yields 0 instead of a trap. If it returns, the result is 0. */
void __bang_divided_by_zero(const struct bangSourcePlace *place, uintptr_t dividend,
                            uintptr_t divisor);
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* BANG_RUNTIME_H_ */
