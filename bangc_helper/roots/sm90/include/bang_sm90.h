/* SPDX-License-Identifier: MIT
 *
 * The contract between code that cncc compiles for Hopper GPUs and the runtime, beside the parts of
 * bang_runtime.h that hold for every root (__bang_launch_configure, __bang_register_kernel).
 *
 * A task is a thread block. cncc makes of a kernel a host function of the same name, which a
 * launch calls after __bang_launch_configure, and which describes the device function and hands its
 * arguments to __bang_sm90_submit.
 */
#ifndef BANG_SM90_H_
#define BANG_SM90_H_

#include <stddef.h>

#include "cnrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What the root gives a task ---- */

/* Threads of a task, and tasks the device attributes promise per multiprocessor. */
#define BANG_SM90_TASK_THREADS 32
#define BANG_SM90_TASKS_PER_SM 2
#define BANG_SM90_CORES_PER_CLUSTER 4
/* Tasks per multiprocessor of the largest union, if each takes no more on-chip memory than its
 * part: 26 KB. */
#define BANG_SM90_UNION_TASKS_PER_SM 8
/* Barriers of unions count in so many lines of words per block: a line for each kind of barrier. */
#define BANG_SM90_BARRIER_KINDS 5
#define BANG_SM90_BARRIER_LINE_WORDS 16

/* On-chip sizes as attributes and predefined macros report them. Kernels keep 128 KB of NRAM for
 * the stack by convention, which costs nothing here: a task takes only what its variables need. */
#define BANG_SM90_NRAM_KB 350
#define BANG_SM90_WRAM_KB 512
#define BANG_SM90_SRAM_KB 2048

/* ---- Launch ---- */

/* First parameter of every device function; the runtime fills it. The grid has one dimension. In a
 * Block launch block b is task first_block + b, x running fastest. In a UnionN launch every BANG
 * cluster has blocks_per_cluster blocks next to each other. */
typedef struct bangSm90Frame {
  unsigned dim_x, dim_y, dim_z; /* tasks of the launch, without memory cores */
  unsigned union_clusters;      /* N of UnionN, 0 for Block */
  unsigned blocks_per_cluster;  /* blocks that share a shared RAM; 1 in a Block launch */
  unsigned first_block;         /* blocks of this launch that ran before this grid */
  /* Blocks of a union are resident together. In a Union1 launch of 4 blocks per cluster they are a
   * hardware cluster, and this is NULL; else the lines of the grid's blocks that barriers
   * count in: zero at the start, and to be left so. */
  unsigned long long *union_barrier;
  /* Memory for block b of this grid at task_scratch + b * task_scratch_stride, for BANG cluster c
   * of this grid likewise. */
  char *task_scratch;
  size_t task_scratch_stride;
  char *cluster_scratch;
  size_t cluster_scratch_stride;
  /* A task that ends itself stores a driver fault code here (CN_INVOKE_..., see cn_api.h) and
   * traps; the next synchronisation returns it. */
  volatile unsigned *fault;
  unsigned is_hardware_union; /* a union is a hardware cluster without memory cores */
  unsigned lets_next_begin;   /* while this launch runs, the tasks of the next may get ready */
  unsigned is_plain;          /* a Block launch without scratch memory */
  unsigned unused;            /* so that all bytes are set */
} bangSm90Frame;

/* A device function and what a task of it needs. */
typedef struct bangSm90Kernel {
  const void *function; /* __global__ void (bangSm90Frame, ...) */
  const char *name;
  unsigned threads;             /* of a task */
  unsigned blocks_per_cluster;  /* 4, or 5 with a block for the memory core */
  size_t onchip_bytes;          /* dynamic shared memory of a task */
  size_t task_scratch_bytes;    /* global memory of a block */
  size_t cluster_scratch_bytes; /* global memory of a BANG cluster */
  const size_t *arg_bytes;      /* sizes of the parameters after the frame, then 0 */
} bangSm90Kernel;

/* Takes the innermost configuration of this thread and enqueues the kernel. args[0] is free for the
 * frame, args[1]... point to the values of the other parameters. Errors go to the last error; a
 * task that needs more than the device has is an error of the queue as well. */
void __bang_sm90_submit(const bangSm90Kernel *kernel, void **args);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* BANG_SM90_H_ */
