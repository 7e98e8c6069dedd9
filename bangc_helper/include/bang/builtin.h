/* SPDX-License-Identifier: MIT
 *
 * Built-in variables. They are objects, not macros, so that a local variable of the same name may
 * shadow them.
 */
#ifndef BANG_BUILTIN_H_
#define BANG_BUILTIN_H_

#include "bang/inline.h"

#include "bang_runtime.h"

extern __thread const int taskId __asm__("__bang_taskId");
extern __thread const int taskIdX __asm__("__bang_taskIdX");
extern __thread const int taskIdY __asm__("__bang_taskIdY");
extern __thread const int taskIdZ __asm__("__bang_taskIdZ");
extern __thread const int taskDim __asm__("__bang_taskDim");
extern __thread const int taskDimX __asm__("__bang_taskDimX");
extern __thread const int taskDimY __asm__("__bang_taskDimY");
extern __thread const int taskDimZ __asm__("__bang_taskDimZ");
extern __thread const int coreId __asm__("__bang_coreId");
extern __thread const int coreDim __asm__("__bang_coreDim");
extern __thread const int clusterId __asm__("__bang_clusterId");
extern __thread const int clusterDim __asm__("__bang_clusterDim");

BANG_INLINE bool __is_mpu() {
  return coreId == BANG_MPU_CORE_ID;
}
BANG_INLINE bool __is_ipu() {
  return coreId != BANG_MPU_CORE_ID;
}

#endif /* BANG_BUILTIN_H_ */
