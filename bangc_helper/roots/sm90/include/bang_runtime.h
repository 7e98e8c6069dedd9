/* SPDX-License-Identifier: MIT
 *
 * The contract between code compiled by cncc, bang.h and the runtime of the GPU root. A kernel's
 * body is a device lambda; the function under the kernel's name is host code that hands it to the
 * runtime (bang_sm90.h). User code never names anything of this file.
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

/* Bytes of one pipeline buffer that suit this device: several tasks share the memory of a
 * multiprocessor, and a copy should be long enough for the bulk copy engine. */
#define __BANG_PREFERRED_TILE_BYTES__ 16384

typedef enum bangBarrier {
  BANG_BARRIER_CLUSTER = 0,     /* compute cores of a cluster and its MPU */
  BANG_BARRIER_CLUSTER_IPU = 1, /* compute cores of a cluster */
  BANG_BARRIER_ALL_IPU = 2,     /* compute cores of a union group */
  BANG_BARRIER_ALL_MPU = 3,     /* memory cores of a union group */
  BANG_BARRIER_ALL = 4,         /* everything of a union group */
} bangBarrier;

#ifdef __cplusplus
extern "C" {
#endif

/* Remembers the configuration for the kernel call that follows on this thread. */
void __bang_launch_configure(cnrtDim3_t dim, cnrtFunctionType_t type, cnrtQueue_t queue);

/* Makes `stub` known to cnrtInvokeKernel. invoke(args) calls the stub with the values args[] point
 * to, after the runtime has configured the launch. */
void __bang_register_kernel(const void *stub, const char *name, void (*invoke)(void **args));

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* BANG_RUNTIME_H_ */
