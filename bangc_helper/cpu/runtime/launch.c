/* SPDX-License-Identifier: MIT
 *
 * From `kernel<<<dim, type, queue>>>(...)` to an operation of a queue.
 */
#include "launch.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "fault.h"
#include "kernel_registry.h"
#include "trace.h"

/* Small: thread-local storage of a library that programs may dlopen must be. */
enum { MAX_NESTING = 8 };

struct configuration {
  cnrtDim3_t dim;
  cnrtFunctionType_t type;
  cnrtQueue_t queue;
};

/* Configured launches whose kernel call has not happened yet: its arguments may launch kernels
 * themselves. */
static __thread struct configuration nested[MAX_NESTING];
static __thread unsigned depth;

RT_EXPORT void __bang_launch_configure(cnrtDim3_t dim, cnrtFunctionType_t type, cnrtQueue_t queue) {
  if (depth < MAX_NESTING) {
    nested[depth] = (struct configuration){dim, type, queue};
  }
  ++depth;
}

/* N of UnionN; 0 for Block; -1 for anything else. */
static int union_clusters(cnrtFunctionType_t type) {
  switch (type) {
    case cnrtFuncTypeBlock:
      return 0;
    case cnrtFuncTypeUnion1:
      return 1;
    case cnrtFuncTypeUnion2:
      return 2;
    case cnrtFuncTypeUnion4:
      return 4;
    case cnrtFuncTypeUnion8:
      return 8;
    case cnrtFuncTypeUnion16:
      return 16;
    default:
      return -1;
  }
}

static cnrtRet_t check(const struct configuration *configuration, const bangKernelOps *kernel) {
  const cnrtDim3_t dim = configuration->dim;
  const int clusters = union_clusters(configuration->type);
  if (kernel == NULL || kernel->run == NULL || kernel->copy == NULL || kernel->destroy == NULL) {
    return cnrtErrorInvalidKernel;
  }
  if (dim.x == 0 || dim.y == 0 || dim.z == 0 || dim.x > RT_MAX_DIM || dim.y > RT_MAX_DIM ||
      dim.z > RT_MAX_DIM || (uint64_t)dim.x * dim.y * dim.z > INT_MAX) {
    return cnrtErrorArgsInvalid;
  }
  if (configuration->type == cnrtFuncTypeBlock1) {
    return cnrtErrorNotSupport; /* there is no second kind of core */
  }
  if (clusters < 0) {
    return cnrtErrorArgsInvalid;
  }
  if (clusters > 0) {
    const struct rt_settings *settings = rt_settings();
    if (dim.x % (settings->cores * (unsigned)clusters) != 0) {
      return cnrtErrorArgsInvalid;
    }
    if ((unsigned)clusters > settings->clusters) {
      return (cnrtRet_t)CN_INVOKE_ERROR_OUT_OF_RESOURCES;
    }
  }
  return cnrtSuccess;
}

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
  free(launch);
}

/* A launch with a copy of the closure behind it; NULL when memory is short. */
static struct rt_launch *create_launch(const struct configuration *configuration,
                                       const bangKernelOps *kernel, const void *closure) {
  size_t align =
      kernel->align > _Alignof(struct rt_launch) ? kernel->align : _Alignof(struct rt_launch);
  if (align < sizeof(void *)) {
    align = sizeof(void *);
  }
  const size_t offset = (sizeof(struct rt_launch) + align - 1) / align * align;
  const size_t size = (offset + kernel->size + align - 1) / align * align;
  struct rt_launch *launch = aligned_alloc(align, size);
  if (launch == NULL) {
    return NULL;
  }
  memset(launch, 0, sizeof(*launch));
  launch->op.start = start_launch;
  launch->op.destroy = destroy_launch;
  launch->kernel = kernel;
  launch->dim = configuration->dim;
  launch->union_clusters = (unsigned)union_clusters(configuration->type);
  launch->closure = (char *)launch + offset;
  kernel->copy(launch->closure, closure);
  return launch;
}

static cnrtRet_t launch_kernel(const struct configuration *configuration,
                               const bangKernelOps *kernel, const void *closure) {
  cnrtRet_t error = check(configuration, kernel);
  if (error != cnrtSuccess) {
    return error;
  }
  struct CNqueue_st *queue = rt_queue_acquire(configuration->queue, &error);
  if (queue == NULL) {
    return error;
  }
  rt_fault_install();
  struct rt_launch *launch = create_launch(configuration, kernel, closure);
  error = launch != NULL ? rt_queue_submit(queue, &launch->op) : cnrtErrorSysNoMem;
  rt_queue_release(queue);
  return error;
}

RT_EXPORT void __bang_launch_submit(const bangKernelOps *ops, const void *closure) {
  if (depth == 0) { /* the kernel was called like a function */
    rt_fail(cnrtErrorIllegalState);
    return;
  }
  --depth;
  if (depth >= MAX_NESTING) { /* the configuration did not fit */
    rt_fail(cnrtErrorOpsNotPermitted);
    return;
  }
  const struct configuration configuration = nested[depth];
  rt_fail(launch_kernel(&configuration, ops, closure));
}

RT_EXPORT cnrtRet_t cnrtInvokeKernel(const void *kernel, cnrtDim3_t dim, cnrtFunctionType_t ktype,
                                     void **args, size_t reserved, cnrtQueue_t queue) {
  if (kernel == NULL) {
    return rt_fail(cnrtErrorInvalidKernel);
  }
  if (reserved != 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  rt_kernel_invoke_t invoke = rt_kernel_find(kernel);
  if (invoke == NULL) {
    return rt_fail(cnrtErrorNoKernel);
  }
  /* The launch inside reports through the last error; an older one must not be taken for it. */
  const cnrtRet_t earlier = cnrtGetLastError();
  __bang_launch_configure(dim, ktype, queue);
  invoke(args);
  const cnrtRet_t error = cnrtPeekAtLastError();
  if (error == cnrtSuccess) {
    rt_fail(earlier);
  }
  return error;
}
