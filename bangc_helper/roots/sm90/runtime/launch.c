/* SPDX-License-Identifier: MIT
 *
 * Turns a launch into grids of a stream. Most launches are one grid; a launch that needs more
 * memory or more resident blocks than there are becomes several grids of whole unions.
 */
#include <stdlib.h>
#include <string.h>

#include "function.h"
#include "kernel_graph.h"
#include "launch_config.h"
#include "op_node.h"
#include "order.h"
#include "queue.h"
#include "unions.h"

enum {
  MAX_CLUSTER_BLOCKS = 16, /* of a hardware cluster */
  BARRIER_WORDS = BANG_SM90_BARRIER_KINDS * BANG_SM90_BARRIER_LINE_WORDS, /* per block */
  SCRATCH_ALIGN = 256, /* also for saved arguments */
};

/* Limit of scratch memory per grid. */
static const size_t max_scratch = (size_t)2 << 30;

/* The layout of a launch. */
struct layout {
  unsigned clusters;       /* N of UnionN, 0 for Block */
  unsigned cluster_blocks; /* blocks that share one shared RAM: a BANG cluster, or a single block */
  unsigned union_blocks;   /* blocks per union */
  unsigned hardware_blocks; /* blocks per hardware cluster; 1: no clusters */
  bool cooperative;         /* all blocks of a grid must be resident */
  bool has_barriers;        /* barriers of unions count in memory */
  uint64_t blocks;          /* in the whole launch */
  uint64_t max_blocks;      /* per grid */
};

static size_t align_up(size_t bytes) {
  return (bytes + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;
}

/* Bytes of scratch memory for a grid. */
static size_t scratch_size(const bangSm90Kernel *kernel, const struct layout *layout,
                           uint64_t blocks) {
  return align_up(kernel->task_scratch_bytes) * blocks +
         align_up(kernel->cluster_scratch_bytes) * (blocks / layout->cluster_blocks);
}

/* Chooses the hardware clusters of a union: the whole union if it fits, otherwise one BANG cluster.
 * A hardware cluster must fit one part of the device, which can leave space unused there; if
 * therefore not all unions could run at once, plain blocks are used. */
static cnrtRet_t lay_out_union(const bangSm90Kernel *kernel, const struct rt_device *device,
                               struct layout *layout) {
  const unsigned cluster_blocks = kernel->blocks_per_cluster;
  layout->cluster_blocks = cluster_blocks;
  layout->union_blocks = layout->clusters * cluster_blocks;
  layout->has_barriers = layout->clusters != 1 || cluster_blocks != BANG_SM90_CORES_PER_CLUSTER;
  layout->hardware_blocks = layout->union_blocks;
  unsigned whole = 0;
  if (layout->union_blocks <= MAX_CLUSTER_BLOCKS) {
    whole = rt_function_resident_clusters(kernel, device, layout->union_blocks);
  }
  const bool is_crowded = layout->blocks > (uint64_t)whole * layout->union_blocks;
  if (is_crowded && layout->has_barriers &&
      layout->blocks <= rt_function_resident_clusters(kernel, device, 1)) {
    layout->hardware_blocks = 1;
    layout->cooperative = true;
    return cnrtSuccess;
  }
  if (whole != 0) {
    return cnrtSuccess;
  }
  const unsigned resident = rt_function_resident_clusters(kernel, device, cluster_blocks);
  const unsigned unions = resident / layout->clusters;
  if (unions == 0) {
    return rt_launch_refuse(kernel->name, (cnrtRet_t)CN_INVOKE_ERROR_OUT_OF_RESOURCES,
                            "the device cannot hold %u tasks of it at a time",
                            layout->union_blocks);
  }
  layout->hardware_blocks = cluster_blocks;
  layout->cooperative = true;
  layout->max_blocks = (uint64_t)unions * layout->union_blocks;
  return cnrtSuccess;
}

static cnrtRet_t lay_out(const bangSm90Kernel *kernel, const struct rt_launch_config *config,
                         const struct rt_device *device, struct layout *layout) {
  const uint64_t tasks = (uint64_t)config->dim.x * config->dim.y * config->dim.z;
  memset(layout, 0, sizeof(*layout));
  layout->clusters = (unsigned)rt_union_clusters(config->type);
  layout->cluster_blocks = 1;
  layout->union_blocks = 1;
  layout->hardware_blocks = 1;
  layout->blocks = tasks;
  layout->max_blocks = UINT64_MAX;
  if (layout->clusters != 0) {
    layout->blocks = tasks / BANG_SM90_CORES_PER_CLUSTER * kernel->blocks_per_cluster;
    const cnrtRet_t error = lay_out_union(kernel, device, layout);
    if (error != cnrtSuccess) {
      return error;
    }
  }
  if (kernel->task_scratch_bytes != 0 || kernel->cluster_scratch_bytes != 0) {
    const size_t each = scratch_size(kernel, layout, layout->union_blocks);
    const uint64_t unions = each < max_scratch ? max_scratch / each : 1;
    if (unions * layout->union_blocks < layout->max_blocks) {
      layout->max_blocks = unions * layout->union_blocks;
    }
  }
  return cnrtSuccess;
}

/* Assigns scratch memory and barriers to the grid; called with the queue's lock held. */
static cnrtRet_t fill_scratch(const bangSm90Kernel *kernel, const struct layout *layout,
                              uint64_t blocks, struct CNqueue_st *queue, bangSm90Frame *frame) {
  const size_t bytes = scratch_size(kernel, layout, blocks);
  char *memory = NULL;
  cnrtRet_t error = cnrtSuccess;
  if (layout->has_barriers) {
    error = rt_queue_barriers(queue, blocks * BARRIER_WORDS, &frame->union_barrier);
  }
  if (bytes == 0 || error != cnrtSuccess) {
    return error;
  }
  error = rt_queue_scratch(queue, bytes, &memory);
  if (error != cnrtSuccess) {
    return error;
  }
  frame->task_scratch_stride = align_up(kernel->task_scratch_bytes);
  frame->task_scratch = memory;
  memory += frame->task_scratch_stride * blocks;
  frame->cluster_scratch_stride = align_up(kernel->cluster_scratch_bytes);
  frame->cluster_scratch = memory;
  return cnrtSuccess;
}

/* Guesses whether the host is ahead of the queue's stream: many launches since it last waited. */
static bool is_ahead(struct CNqueue_st *queue) {
  enum { QUICK_LAUNCHES = 16 };
  return atomic_fetch_add(&queue->launches, 1) >= QUICK_LAUNCHES;
}

/* The launch may start while the previous one ends; its tasks wait for that themselves. */
static cudaError_t launch_overlapping(const struct rt_grid *grid, cudaStream_t stream,
                                      void **args) {
  cudaLaunchAttribute attributes[2];
  memset(attributes, 0, sizeof(attributes));
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim.x = grid->cluster_blocks;
  attributes[1].val.clusterDim.y = 1;
  attributes[1].val.clusterDim.z = 1;
  const cudaLaunchConfig_t config = {.gridDim = {grid->blocks, 1, 1},
                                     .blockDim = {grid->kernel->threads, 1, 1},
                                     .dynamicSmemBytes = grid->kernel->onchip_bytes,
                                     .stream = stream,
                                     .attrs = attributes,
                                     .numAttrs = grid->cluster_blocks > 1 ? 2 : 1};
  return cudaLaunchKernelExC(&config, grid->kernel->function, args);
}

/* Launches overlap if the host is ahead; otherwise the host's launch time matters more. args[0] is
 * the frame. */
static cnrtRet_t launch_grid(const bangSm90Kernel *kernel, const struct layout *layout,
                             uint64_t blocks, struct CNqueue_st *queue, bangSm90Frame *frame,
                             void **args) {
  const struct rt_grid grid = {kernel, (unsigned)blocks, layout->hardware_blocks,
                               layout->cooperative};
  const bool overlaps = is_ahead(queue) && !layout->cooperative;
  frame->lets_next_begin = overlaps; /* so that the next launch can overlap too */
  return rt_device_error(
      queue->device, overlaps ? launch_overlapping(&grid, queue->stream, args)
                              : rt_kernel_graph_launch(&queue->graphs, queue->stream, &grid, args));
}

/* ---- A launch as an operation of a queue ---- */

struct launch_op {
  struct rt_op op;
  bangSm90Kernel kernel;
  cnrtDim3_t dim;
  struct layout layout;
  unsigned *fault;
  void **args;
};

/* Holds the queue's lock, because launches that use the queue's scratch memory must not be
 * interleaved. */
static cnrtRet_t submit_grids(struct rt_op *op, struct CNqueue_st *queue) {
  struct launch_op *launch = (struct launch_op *)op;
  const struct layout *layout = &launch->layout;
  bangSm90Frame frame;
  memset(&frame, 0, sizeof(frame));
  frame.dim_x = launch->dim.x;
  frame.dim_y = launch->dim.y;
  frame.dim_z = launch->dim.z;
  frame.union_clusters = layout->clusters;
  frame.blocks_per_cluster = layout->cluster_blocks;
  frame.is_hardware_union = layout->clusters != 0 && !layout->cooperative &&
                            layout->cluster_blocks == BANG_SM90_CORES_PER_CLUSTER;
  frame.is_plain = layout->clusters == 0 && scratch_size(&launch->kernel, layout, 1) == 0;
  frame.fault = launch->fault;
  launch->args[0] = &frame;
  cnrtRet_t error = cnrtSuccess;
  for (uint64_t done = 0; done < layout->blocks && error == cnrtSuccess;) {
    const uint64_t left = layout->blocks - done;
    const uint64_t blocks = left < layout->max_blocks ? left : layout->max_blocks;
    frame.first_block = (unsigned)done;
    error = fill_scratch(&launch->kernel, layout, blocks, queue, &frame);
    if (error == cnrtSuccess) {
      error = launch_grid(&launch->kernel, layout, blocks, queue, &frame, launch->args);
    }
    done += blocks;
  }
  return error;
}

/* Copies the parameter values, which are on the caller's stack. */
static struct rt_op *keep_launch(const struct rt_op *op) {
  const struct launch_op *launch = (const struct launch_op *)op;
  const size_t *sizes = launch->kernel.arg_bytes;
  size_t count = 0;
  size_t bytes = 0;
  for (; sizes[count] != 0; ++count) {
    bytes += align_up(sizes[count]);
  }
  const size_t list = align_up(sizeof(*launch) + (count + 1) * sizeof(void *));
  struct launch_op *kept = aligned_alloc(SCRATCH_ALIGN, list + bytes);
  if (kept == NULL) {
    return NULL;
  }
  *kept = *launch;
  kept->args = (void **)(kept + 1);
  char *value = (char *)kept + list;
  for (size_t i = 0; i < count; ++i) {
    kept->args[i + 1] = memcpy(value, launch->args[i + 1], sizes[i]);
    value += align_up(sizes[i]);
  }
  return &kept->op;
}

static cnrtRet_t launch(const bangSm90Kernel *kernel, const struct rt_launch_config *config,
                        void **args) {
  cnrtRet_t error = cnrtSuccess;
  if (kernel == NULL || kernel->function == NULL || kernel->threads == 0 ||
      kernel->blocks_per_cluster < BANG_SM90_CORES_PER_CLUSTER || kernel->arg_bytes == NULL ||
      args == NULL) {
    return cnrtErrorInvalidKernel;
  }
  struct CNqueue_st *queue = rt_queue_acquire(config->queue, &error);
  if (queue == NULL) {
    return rt_launch_refuse(kernel->name, error, "its queue: %s", cnrtGetErrorStr(error));
  }
  error = rt_launch_config_check(kernel->name, config, queue->device);
  if (error == cnrtSuccess) {
    struct launch_op op = {.op = {.bytes = sizeof(op), .submit = submit_grids, .keep = keep_launch},
                           .kernel = *kernel,
                           .dim = config->dim,
                           .fault = rt_device_fault_word(queue->device),
                           .args = args};
    error = op.fault != NULL ? rt_function_prepare(kernel, queue->device) : cnrtErrorSysNoMem;
    if (error == cnrtSuccess) {
      error = lay_out(kernel, config, queue->device, &op.layout);
    }
    if (error == cnrtSuccess) {
      error = rt_queue_submit_or_capture(queue, &op.op, cnrtTaskTopoNodeTypeKernel, kernel->name);
    }
    /* A program may check only the queue, or only the result of its capture. */
    if (error != cnrtSuccess && !rt_queue_is_captured(queue)) {
      rt_queue_set_error(queue, error);
    }
  }
  rt_queue_release(queue);
  return error;
}

RT_EXPORT void __bang_sm90_submit(const bangSm90Kernel *kernel, void **args) {
  struct rt_launch_config config;
  const cnrtRet_t error = rt_launch_config_take(kernel != NULL ? kernel->name : NULL, &config);
  rt_fail(error != cnrtSuccess ? error : launch(kernel, &config, args));
}
