/* SPDX-License-Identifier: MIT
 *
 * The built-in variables of the language. This file has debug information in every build, so that
 * debuggers know them as kernels do; programs cannot see these names, only those with __bang_.
 */
#include "common.h"

/* initial-exec TLS: fast to set for each task. */
#define FIXED_TLS __thread __attribute__((tls_model("initial-exec")))

#define BUILTIN(name)                                              \
  extern __attribute__((visibility("hidden"))) FIXED_TLS int name; \
  FIXED_TLS int name;                                              \
  extern RT_EXPORT FIXED_TLS int __bang_##name __attribute__((alias(#name)))

BUILTIN(taskId);
BUILTIN(taskIdX);
BUILTIN(taskIdY);
BUILTIN(taskIdZ);
BUILTIN(taskDim);
BUILTIN(taskDimX);
BUILTIN(taskDimY);
BUILTIN(taskDimZ);
BUILTIN(coreId);
BUILTIN(coreDim);
BUILTIN(clusterId);
BUILTIN(clusterDim);
