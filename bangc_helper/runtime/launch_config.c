/* SPDX-License-Identifier: MIT */
#include "launch_config.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "attributes.h"
#include "bang_runtime.h"
#include "kernel_registry.h"
#include "unions.h"

/* Kept small, because thread-local storage of a dlopened library is scarce. */
enum { MAX_NESTING = 8 };

/* Configured launches whose kernel was not called yet; arguments of a launch may launch kernels
 * themselves. cngdb reads the count. */
static __thread struct rt_launch_config nested[MAX_NESTING];
__thread unsigned rt_launch_depth;

cnrtRet_t rt_launch_refuse(const char *kernel, cnrtRet_t code, const char *format, ...) {
  char reason[256];
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof(reason), format, args);
  va_end(args);
  rt_warn("kernel %s not started: %s; error %d %s", kernel != NULL ? kernel : "(without name)",
          reason, (int)code, cnrtGetErrorName(code));
  return code;
}

RT_EXPORT void __bang_launch_configure(cnrtDim3_t dim, cnrtFunctionType_t type, cnrtQueue_t queue) {
  if (rt_launch_depth < MAX_NESTING) {
    nested[rt_launch_depth] = (struct rt_launch_config){dim, type, queue};
  }
  ++rt_launch_depth;
}

cnrtRet_t rt_launch_config_take(const char *kernel, struct rt_launch_config *config) {
  if (rt_launch_depth == 0) {
    return rt_launch_refuse(kernel, cnrtErrorIllegalState,
                            "it was called like a function, without <<<dim, type, queue>>>");
  }
  --rt_launch_depth;
  if (rt_launch_depth >= MAX_NESTING) {
    return rt_launch_refuse(kernel, cnrtErrorOpsNotPermitted,
                            "arguments of launches may launch kernels to a depth of %d, got %u",
                            MAX_NESTING, rt_launch_depth + 1);
  }
  *config = nested[rt_launch_depth];
  return cnrtSuccess;
}

static cnrtRet_t check_dimensions(const char *kernel, cnrtDim3_t dim,
                                  const struct rt_device *device) {
  const unsigned most = (unsigned)rt_device_value(device, cnrtAttrMaxDimX);
  if (dim.x == 0 || dim.y == 0 || dim.z == 0 || dim.x > most || dim.y > most || dim.z > most) {
    return rt_launch_refuse(kernel, cnrtErrorArgsInvalid,
                            "a dimension is a number from 1 to %u, got {%u, %u, %u}", most, dim.x,
                            dim.y, dim.z);
  }
  if ((uint64_t)dim.x * dim.y * dim.z > INT_MAX) {
    return rt_launch_refuse(kernel, cnrtErrorArgsInvalid,
                            "a launch has at most %d tasks, got {%u, %u, %u}", INT_MAX, dim.x,
                            dim.y, dim.z);
  }
  return cnrtSuccess;
}

static cnrtRet_t check_union(const char *kernel, unsigned dim_x, int clusters, bool is_large,
                             const struct rt_device *device) {
  const unsigned tasks = (unsigned)(rt_device_value(device, cnrtAttrMcorePerCluster) * clusters);
  if (dim_x % tasks != 0) {
    return rt_launch_refuse(kernel, cnrtErrorArgsInvalid,
                            "Union%d needs a first dimension that is a multiple of %u, got %u",
                            clusters, tasks, dim_x);
  }
  const int most = rt_device_value(device, cnrtAttrMaxClusterPerUnionLimitTask);
  if (is_large && clusters > most) {
    return rt_launch_refuse(kernel, (cnrtRet_t)CN_INVOKE_ERROR_OUT_OF_RESOURCES,
                            "Union%d needs %d clusters, a union of this device has at most %d",
                            clusters, clusters, most);
  }
  return cnrtSuccess;
}

cnrtRet_t rt_launch_config_check(const char *kernel, const struct rt_launch_config *config,
                                 const struct rt_device *device) {
  const cnrtRet_t error = check_dimensions(kernel, config->dim, device);
  if (error != cnrtSuccess) {
    return error;
  }
  if (config->type == cnrtFuncTypeBlock1) {
    return rt_launch_refuse(kernel, cnrtErrorNotSupport,
                            "Block1 needs a second kind of core, which no device has");
  }
  const int clusters = rt_union_clusters(config->type);
  const bool is_large = clusters > rt_device_facts(device)->union_clusters;
  if (clusters < 0 || (is_large && !rt_union_has_name(clusters))) {
    return rt_launch_refuse(kernel, cnrtErrorArgsInvalid,
                            "wanted cnrtFuncTypeBlock or cnrtFuncTypeUnion1 to %d, got type %d",
                            RT_MAX_UNION, (int)config->type);
  }
  return clusters == 0 ? cnrtSuccess
                       : check_union(kernel, config->dim.x, clusters, is_large, device);
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
  /* The inner launch reports through the last error, so an older error must not be mistaken for its
   * own. */
  const cnrtRet_t earlier = cnrtGetLastError();
  __bang_launch_configure(dim, ktype, queue);
  invoke(args);
  const cnrtRet_t error = cnrtPeekAtLastError();
  if (error == cnrtSuccess) {
    rt_fail(earlier);
  }
  return error;
}
