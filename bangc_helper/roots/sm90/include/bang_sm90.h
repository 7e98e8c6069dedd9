/* SPDX-License-Identifier: MIT
 *
 * The contract between code that cncc compiles for Hopper GPUs and the runtime, in addition to the
 * parts of bang_runtime.h that all roots share (__bang_launch_configure, __bang_register_kernel).
 *
 * A task is a thread block. From a kernel cncc makes a host function of the same name. A launch
 * calls it after __bang_launch_configure; it describes the device function and passes its arguments
 * to __bang_sm90_submit.
 */
#ifndef BANG_SM90_H_
#define BANG_SM90_H_

#include <stddef.h>

#include "cnrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Resources of a task ---- */

/* Threads per task, and tasks per multiprocessor that the device attributes promise. */
#define BANG_SM90_TASK_THREADS 32
#define BANG_SM90_TASKS_PER_SM 2
#define BANG_SM90_CORES_PER_CLUSTER 4
/* Tasks per multiprocessor in the largest union, if each takes at most its part of the on-chip
 * memory, 26 KB. */
#define BANG_SM90_UNION_TASKS_PER_SM 8
/* Barriers of unions count in memory: one cache line of words per block for each kind of barrier.
 */
#define BANG_SM90_BARRIER_KINDS 5
#define BANG_SM90_BARRIER_LINE_WORDS 16

/* On-chip sizes that attributes and predefined macros report. By convention kernels leave 128 KB of
 * NRAM for the stack, which costs nothing here: a task takes only what its variables need. */
#define BANG_SM90_NRAM_KB 350
#define BANG_SM90_WRAM_KB 512
#define BANG_SM90_SRAM_KB 2048

/* ---- Launch ---- */

/* First parameter of every device function, filled by the runtime. The grid is one-dimensional. In
 * a Block launch, block b is task first_block + b, with x varying fastest. In a UnionN launch every
 * BANG cluster has blocks_per_cluster consecutive blocks. */
typedef struct bangSm90Frame {
  unsigned dim_x, dim_y, dim_z; /* tasks of the launch, without memory cores */
  unsigned union_clusters;      /* N of UnionN, 0 for Block */
  unsigned blocks_per_cluster;  /* blocks that share one shared RAM; 1 in a Block launch */
  unsigned first_block;         /* blocks of this launch in earlier grids */
  /* Blocks of a union are resident at the same time. A Union1 launch with 4 blocks per cluster uses
   * hardware clusters, and this is NULL. Otherwise it points to the barrier lines of the grid's
   * blocks, which are zero at the start and must be zero at the end. */
  unsigned long long *union_barrier;
  /* Scratch memory: block b of this grid has task_scratch + b * task_scratch_stride, and BANG
   * cluster c has its own likewise. */
  char *task_scratch;
  size_t task_scratch_stride;
  char *cluster_scratch;
  size_t cluster_scratch_stride;
  /* A task that ends itself stores a driver fault code here (CN_INVOKE_..., see cn_api.h) and
   * traps; the next synchronisation returns the code. */
  volatile unsigned *fault;
  unsigned is_hardware_union; /* a union is a hardware cluster without memory cores */
  unsigned lets_next_begin;   /* tasks of the next launch may start while this launch runs */
  unsigned is_plain;          /* a Block launch without scratch memory */
  unsigned unused;            /* padding, so that all bytes are defined */
} bangSm90Frame;

/* A device function and the resources of its tasks. */
typedef struct bangSm90Kernel {
  const void *function; /* __global__ void (bangSm90Frame, ...) */
  const char *name;
  unsigned threads;             /* per task */
  unsigned blocks_per_cluster;  /* 4, or 5 with a block for the memory core */
  size_t onchip_bytes;          /* dynamic shared memory per task */
  size_t task_scratch_bytes;    /* global memory per block */
  size_t cluster_scratch_bytes; /* global memory per BANG cluster */
  const size_t *arg_bytes;      /* sizes of the parameters after the frame, ended by 0 */
} bangSm90Kernel;

/* Takes this thread's innermost configuration and enqueues the kernel. args[0] is reserved for the
 * frame; args[1]... point to the other parameters. Errors become the last error; a task that needs
 * more than the device has is also an error of the queue. */
void __bang_sm90_submit(const bangSm90Kernel *kernel, void **args);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* BANG_SM90_H_ */
