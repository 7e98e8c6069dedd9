/* SPDX-License-Identifier: MIT */
#include "launch_config.h"

#include <limits.h>

#include "bang_runtime.h"
#include "kernel_registry.h"

/* Small: thread-local storage of a library that programs may dlopen must be. */
enum { MAX_NESTING = 8 };

/* Configured launches whose kernel call has not happened yet: its arguments may launch kernels
 * themselves. */
static __thread struct rt_launch_config nested[MAX_NESTING];
static __thread unsigned depth;

RT_EXPORT void __bang_launch_configure(cnrtDim3_t dim, cnrtFunctionType_t type, cnrtQueue_t queue) {
  if (depth < MAX_NESTING) {
    nested[depth] = (struct rt_launch_config){dim, type, queue};
  }
  ++depth;
}

cnrtRet_t rt_launch_config_take(struct rt_launch_config *config) {
  if (depth == 0) { /* the kernel was called like a function */
    return cnrtErrorIllegalState;
  }
  --depth;
  if (depth >= MAX_NESTING) { /* the configuration did not fit */
    return cnrtErrorOpsNotPermitted;
  }
  *config = nested[depth];
  return cnrtSuccess;
}

int rt_union_clusters(cnrtFunctionType_t type) {
  if (type == cnrtFuncTypeBlock) {
    return 0;
  }
  return type > 0 && type % cnrtFuncTypeUnion1 == 0 ? (int)type / cnrtFuncTypeUnion1 : -1;
}

bool rt_union_has_name(int clusters) {
  return clusters <= RT_MAX_UNION && (clusters & (clusters - 1)) == 0;
}

int rt_largest_union(unsigned clusters) {
  int n = 1;
  while (n < RT_MAX_UNION && (unsigned)n * 2 <= clusters) {
    n *= 2;
  }
  return n;
}

cnrtRet_t rt_launch_config_check(const struct rt_launch_config *config,
                                 const struct rt_device *device) {
  const cnrtDim3_t dim = config->dim;
  const int clusters = rt_union_clusters(config->type);
  if (dim.x == 0 || dim.y == 0 || dim.z == 0 || dim.x > RT_MAX_DIM || dim.y > RT_MAX_DIM ||
      dim.z > RT_MAX_DIM || (uint64_t)dim.x * dim.y * dim.z > INT_MAX) {
    return cnrtErrorArgsInvalid;
  }
  if (config->type == cnrtFuncTypeBlock1) {
    return cnrtErrorNotSupport; /* there is no second kind of core */
  }
  const bool is_large = clusters > rt_device_facts(device)->union_clusters;
  if (clusters < 0 || (is_large && !rt_union_has_name(clusters))) {
    return cnrtErrorArgsInvalid;
  }
  if (clusters > 0) {
    const int cores = rt_device_value(device, cnrtAttrMcorePerCluster);
    if (dim.x % (unsigned)(cores * clusters) != 0) {
      return cnrtErrorArgsInvalid;
    }
    if (is_large && clusters > rt_device_value(device, cnrtAttrMaxClusterPerUnionLimitTask)) {
      return (cnrtRet_t)CN_INVOKE_ERROR_OUT_OF_RESOURCES;
    }
  }
  return cnrtSuccess;
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
