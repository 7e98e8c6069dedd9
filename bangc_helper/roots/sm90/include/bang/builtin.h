/* SPDX-License-Identifier: MIT
 *
 * Built-in variables: one set per task, in the memory of its thread block. They are objects, not
 * macros, so that a local variable of the same name may shadow them.
 */
#ifndef BANG_BUILTIN_H_
#define BANG_BUILTIN_H_

#include "bang_runtime.h"
#include "bang/inline.h"

static __shared__ int taskId, taskIdX, taskIdY, taskIdZ;
static __shared__ int taskDim, taskDimX, taskDimY, taskDimZ;
static __shared__ int coreId, coreDim, clusterId, clusterDim;

BANG_INLINE bool __is_mpu() {
  return coreId == BANG_MPU_CORE_ID;
}
BANG_INLINE bool __is_ipu() {
  return coreId != BANG_MPU_CORE_ID;
}

namespace bang_impl {
/* True if this core must skip work for compute cores. If the memory core has nothing to do in a
 * unit, cncc says so, and this is false at compile time. */
BANG_INLINE bool is_memory_core() {
#ifdef __BANG_IDLE_MEMORY_CORE__
  return false;
#else
  return __is_mpu();
#endif
}
}  // namespace bang_impl

#endif /* BANG_BUILTIN_H_ */
