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
/* Grows with every task this thread starts, never 0 inside a task: "first use in this task" tests.
 */
extern __thread uint64_t __bang_task_epoch;

/* coreId of a cluster's memory core. */
#define BANG_MPU_CORE_ID 0x80

/* ---- Launch ---- */

/* What the runtime needs to keep a launch's closure, the kernel with its arguments, and to run it;
 * one static object per kernel. */
typedef struct bangKernelOps {
  const char *name;
  size_t size;
  size_t align;
  void (*copy)(void *dst, const void *src); /* copy-construct at dst */
  void (*run)(const void *closure);         /* run one task on a private copy */
  void (*destroy)(void *closure);
} bangKernelOps;

/* Remembers the configuration for the kernel call that follows on this thread. Nests: an argument
 * of a launch may itself launch. */
void __bang_launch_configure(cnrtDim3_t dim, cnrtFunctionType_t type, cnrtQueue_t queue);

/* Takes the innermost configuration and enqueues the kernel; configuration errors go to the last
 * error (cnrtGetLastError). Without a configuration: cnrtErrorIllegalState. */
void __bang_launch_submit(const bangKernelOps *ops, const void *closure);

/* Non-zero on a thread that is running a task. */
int __bang_in_task(void);

/* Makes `stub` known to cnrtInvokeKernel. invoke(args) calls the stub with the values args[] point
 * to, after the runtime has configured the launch. */
void __bang_register_kernel(const void *stub, const char *name, void (*invoke)(void **args));

/* Makes a variable of kernels known to cnrtGetSymbolAddress and its kin until it is taken back. */
void __bang_register_symbol(void *address, size_t size);
void __bang_unregister_symbol(void *address);

/* ---- On-chip variables ---- */

typedef enum bangSpace {
  BANG_SPACE_NRAM = 0,
  BANG_SPACE_WRAM = 1,
  BANG_SPACE_SRAM = 2,
  BANG_SPACE_LDRAM = 3,
  BANG_SPACE_COUNT = 4,
  BANG_SPACE_OTHER = BANG_SPACE_COUNT, /* no memory of the core or its cluster */
} bangSpace;

/* Variables lie in arenas: NRAM, WRAM and LDRAM one per core, shared RAM one per cluster. Every
 * translation unit counts its places from 0: units lie over each other, and two of them never share
 * a running kernel. A thread keeps its arenas for life, so addresses may be kept per thread. */

/* Where the calling thread's arenas begin, NULL until they are asked for; by bangSpace. */
extern __thread char *__bang_space_base[BANG_SPACE_COUNT]
    __attribute__((tls_model("initial-exec")));
/* The same, and it is there afterwards. */
void *__bang_space_open(bangSpace space);
/* A place in WRAM or shared RAM. A function that names such a variable asks for it when it begins,
 * so that a root sees which kernels use more than it has. */
void *__bang_space_address(bangSpace space, size_t offset);

/* Which memory of the calling core, or of its cluster, an address lies in. */
bangSpace __bang_space_of(const void *address);

/* What the variables of a unit take of each arena: those counted at compile time from 0 upwards,
 * and all of them. `begin` gives NRAM and LDRAM variables their initial values. */
typedef struct bangUnit {
  size_t counted[BANG_SPACE_COUNT];
  size_t used[BANG_SPACE_COUNT];
  void (*begin)(void);
} bangUnit;

/* At the start of a task. */
void __bang_unit_start(const bangUnit *unit);

/* Non-zero on a thread that is running a task. The kernel `name` of this unit is called there as a
 * function: a fault where the task's own unit has variables at the same places. */
int __bang_in_task_of(const bangUnit *unit, const char *name);

/* A place in NRAM or LDRAM, for a variable of a function, until the task ends. */
void *__bang_space_take(bangSpace space, size_t size, size_t align);

/* Bytes after a variable that are out of bounds to the address sanitizer and to checks. */
enum { BANG_RAM_GAP_BYTES = 64 };

/* A file-scope variable of a unit. */
typedef struct bangVariable {
  const char *name;
  bangSpace space;
  size_t at, size;
  bool is_set; /* it has a value when a task begins */
} bangVariable;

/* Where ends of variables are watched: at the beginning of a task, nothing of NRAM and LDRAM may be
 * used but these, what is allowed later one by one, and what was reserved when the unit was loaded.
 */
void __bang_ram_watch(const bangVariable *variables, size_t count);
void __bang_ram_allow(void *address, size_t size, const char *name);

/* Where a matrix in WRAM begins in lane 0. An address beyond that lane counts the bytes of what
 * lies before it, as kernels do that divide one buffer: a 64th of them is in each lane. */
void *__bang_wram_place(const void *address, size_t lane_bytes);

/* ---- Copies and pipes ---- */

/* Pipe that carries a copy of this direction (a mluMemcpyDirection_t). */
int __bang_copy_pipe(int dir);

/* shape NULL: one segment. is_async: recorded now, done at the next sync of its pipe. A synchronous
 * copy first completes what its own pipe still has recorded: a pipe works in order. Copies inside
 * NRAM are done at once, and so are those between GDRAM and shared RAM in a union task, once for
 * all cores of a cluster that issue them. */
void __bang_copy(void *dst, const void *src, size_t size, int dir, const bangCopyShape *shape,
                 int is_async);

/* Any other asynchronous operation: fn(args) runs in its pipe's order. args is copied, at most 96
 * bytes. */
void __bang_defer(int pipe, void (*fn)(const void *args), const void *args, size_t size);

/* Completes everything recorded on the pipes of the mask. */
void __bang_sync_pipes(int pipe_mask);

/* Called by the launcher: forget what an aborted task left, and complete what a finished task left.
 */
void __bang_copy_engine_reset(void);
void __bang_copy_engine_finish(void);

/* ---- Barriers ---- */

typedef enum bangBarrier {
  BANG_BARRIER_CLUSTER = 0,     /* compute cores of a cluster and its MPU */
  BANG_BARRIER_CLUSTER_IPU = 1, /* compute cores of a cluster */
  BANG_BARRIER_ALL_IPU = 2,     /* compute cores of a union group */
  BANG_BARRIER_ALL_MPU = 3,     /* memory cores of a union group */
  BANG_BARRIER_ALL = 4,         /* everything of a union group */
} bangBarrier;

/* Completes this core's pipes, then waits for the live cores of the set. A core that returned does
 * not count; if all live cores wait on barriers that cannot open, the launch ends with a dead-lock
 * report. */
void __bang_barrier(bangBarrier which, const char *file, int line);

/* ---- Faults ---- */

/* Ends the calling task with a driver fault code (CN_..., see cn_api.h); the code comes back from
 * the next sync of the queue. Does not return. On a host thread: sets the last error and returns.
 */
void __bang_fault(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#if defined(__aarch64__)
/* A place in the source, as compilers hand it to what they call for their checks. */
struct bangSourcePlace {
  const char *file;
  uint32_t line, column;
};

/* Called before an integer is divided by zero in a file of kernels: this CPU has a result, 0, and
 * no trap. Where it returns, the division has that result. */
void __bang_divided_by_zero(const struct bangSourcePlace *place, uintptr_t dividend,
                            uintptr_t divisor);
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* BANG_RUNTIME_H_ */
