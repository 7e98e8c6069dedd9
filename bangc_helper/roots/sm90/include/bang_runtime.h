/* SPDX-License-Identifier: MIT
 *
 * The contract between code compiled by cncc, bang.h and the runtime of the GPU root. A kernel's
 * body is a device lambda; the function with the kernel's name is host code that passes it to the
 * runtime (bang_sm90.h). User code names nothing in this file.
 */
#ifndef BANG_RUNTIME_H_
#define BANG_RUNTIME_H_

#include <stddef.h>
#include <stdint.h>

#include "bang/copies.h"
#include "bang_sm90.h"
#include "cnrt.h"

/* coreId of a cluster's memory core. */
#define BANG_MPU_CORE_ID 0x80

typedef enum bangSpace {
  BANG_SPACE_NRAM = 0,
  BANG_SPACE_WRAM = 1,
  BANG_SPACE_SRAM = 2,
  BANG_SPACE_LDRAM = 3,
} bangSpace;

/* A good size in bytes for one pipeline buffer: several tasks share a multiprocessor's memory, and
 * copies should be long enough for the bulk copy engine. */
#define __BANG_PREFERRED_TILE_BYTES__ 16384

typedef enum bangBarrier {
  BANG_BARRIER_CLUSTER = 0,     /* compute cores of a cluster and its MPU */
  BANG_BARRIER_CLUSTER_IPU = 1, /* compute cores of a cluster */
  BANG_BARRIER_ALL_IPU = 2,     /* compute cores of a union group */
  BANG_BARRIER_ALL_MPU = 3,     /* memory cores of a union group */
  BANG_BARRIER_ALL = 4,         /* all cores of a union group */
} bangBarrier;

#ifdef __cplusplus
extern "C" {
#endif

/* Saves the configuration for the kernel call that follows on this thread. */
void __bang_launch_configure(cnrtDim3_t dim, cnrtFunctionType_t type, cnrtQueue_t queue);

/* Registers `stub` for cnrtInvokeKernel. invoke(args) calls the stub with the values args[] point
 * to, after the runtime has configured the launch. */
void __bang_register_kernel(const void *stub, const char *name, void (*invoke)(void **args));

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* BANG_RUNTIME_H_ */
