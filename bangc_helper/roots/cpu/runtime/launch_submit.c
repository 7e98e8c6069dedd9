/* SPDX-License-Identifier: MIT
 *
 * From a launch to an operation of a queue.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "fault.h"
#include "launch.h"
#include "launch_config.h"
#include "trace.h"
#include "union.h"
#include "unions.h"

/* Launches with few arguments fit into blocks of one size. */
enum { COMMON_BYTES = 512, COMMON_ALIGN = 64 };

static enum rt_op_state start_launch(struct rt_op *op) {
  struct rt_launch *launch = (struct rt_launch *)op;
  rt_trace_launch(launch);
  return launch->union_clusters == 0 ? rt_block_start(launch) : rt_union_start(launch);
}

static void destroy_launch(struct rt_op *op) {
  struct rt_launch *launch = (struct rt_launch *)op;
  if (launch->trace_number != 0) {
    rt_trace_launch_over(launch);
  }
  launch->kernel->destroy(launch->closure);
  if (launch->is_common) {
    rt_block_cache_put(&op->queue->launch_memory, launch);
  } else {
    free(launch);
  }
}

/* A launch with a copy of the closure after it; NULL when memory is short. */
static struct rt_launch *create_launch(struct CNqueue_st *queue,
                                       const struct rt_launch_config *config,
                                       const bangKernelOps *kernel, const void *closure) {
  size_t align =
      kernel->align > _Alignof(struct rt_launch) ? kernel->align : _Alignof(struct rt_launch);
  if (align < sizeof(void *)) {
    align = sizeof(void *);
  }
  const size_t offset = (sizeof(struct rt_launch) + align - 1) / align * align;
  const bool is_common = align <= COMMON_ALIGN && offset + kernel->size <= COMMON_BYTES;
  const size_t size = (offset + kernel->size + align - 1) / align * align;
  struct rt_launch *launch = is_common ? rt_block_cache_take(&queue->launch_memory) : NULL;
  if (launch == NULL) {
    launch = is_common ? aligned_alloc(COMMON_ALIGN, COMMON_BYTES) : aligned_alloc(align, size);
  }
  if (launch == NULL) {
    return NULL;
  }
  memset(launch, 0, sizeof(*launch));
  launch->is_common = is_common;
  launch->op.start = start_launch;
  launch->op.destroy = destroy_launch;
  launch->kernel = kernel;
  launch->dim = config->dim;
  launch->union_clusters = (unsigned)rt_union_clusters(config->type);
  launch->closure = (char *)launch + offset;
  kernel->copy(launch->closure, closure);
  return launch;
}

static cnrtRet_t submit_launch(struct CNqueue_st *queue, const struct rt_launch_config *config,
                               const bangKernelOps *kernel, const void *closure) {
  struct rt_launch *launch = create_launch(queue, config, kernel, closure);
  if (launch == NULL) {
    return cnrtErrorSysNoMem;
  }
  if (launch->union_clusters != 0) { /* cluster threads do the work, so starting is brief */
    rt_queue_submit_brief(queue, &launch->op);
  } else {
    rt_queue_submit(queue, &launch->op);
  }
  return cnrtSuccess;
}

/* ---- In a capture ---- */

struct launch_node {
  struct CNtaskTopoNode_st node;
  struct rt_launch_config config;
  const bangKernelOps *kernel;
  void *closure;
};

static cnrtRet_t submit_node(struct CNtaskTopoNode_st *node, struct CNqueue_st *queue) {
  const struct launch_node *launch = (const struct launch_node *)node;
  return submit_launch(queue, &launch->config, launch->kernel, launch->closure);
}

static void end_node(struct CNtaskTopoNode_st *node) {
  struct launch_node *launch = (struct launch_node *)node;
  launch->kernel->destroy(launch->closure);
  free(launch->closure);
  free(launch);
}

static cnrtRet_t capture_launch(struct CNqueue_st *queue, const struct rt_launch_config *config,
                                const bangKernelOps *kernel, const void *closure) {
  const size_t align = kernel->align > sizeof(void *) ? kernel->align : sizeof(void *);
  struct launch_node *launch = calloc(1, sizeof(*launch));
  void *copy = aligned_alloc(align, (kernel->size / align + 1) * align);
  if (launch == NULL || copy == NULL) {
    free(launch);
    free(copy);
    return cnrtErrorSysNoMem;
  }
  kernel->copy(copy, closure);
  *launch = (struct launch_node){.node = {.type = cnrtTaskTopoNodeTypeKernel,
                                          .name = kernel->name,
                                          .submit = submit_node,
                                          .end = end_node},
                                 .config = *config,
                                 .kernel = kernel,
                                 .closure = copy};
  return rt_capture_node(queue, &launch->node);
}

static cnrtRet_t launch_kernel(const struct rt_launch_config *config, const bangKernelOps *kernel,
                               const void *closure) {
  if (kernel == NULL || kernel->run == NULL || kernel->copy == NULL || kernel->destroy == NULL) {
    return cnrtErrorInvalidKernel;
  }
  cnrtRet_t error = rt_launch_config_check(kernel->name, config, rt_current_device());
  if (error != cnrtSuccess) {
    return error;
  }
  struct CNqueue_st *queue = rt_queue_acquire(config->queue, &error);
  if (queue == NULL) {
    return rt_launch_refuse(kernel->name, error, "its queue: %s", cnrtGetErrorStr(error));
  }
  rt_fault_install();
  error = rt_queue_is_captured(queue) ? capture_launch(queue, config, kernel, closure)
                                      : submit_launch(queue, config, kernel, closure);
  rt_queue_release(queue);
  return error;
}

RT_EXPORT void __bang_launch_submit(const bangKernelOps *ops, const void *closure) {
  struct rt_launch_config config;
  const cnrtRet_t error = rt_launch_config_take(ops != NULL ? ops->name : NULL, &config);
  rt_fail(error != cnrtSuccess ? error : launch_kernel(&config, ops, closure));
}
