/* SPDX-License-Identifier: MIT
 *
 * Device functions for launch tests, described in the same way as by cncc.
 */
#ifndef TEST_SM90_KERNELS_H_
#define TEST_SM90_KERNELS_H_

#include "bang_sm90.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a block observed. */
typedef struct BlockRecord {
  unsigned task;         /* its number in the launch */
  unsigned cluster_size; /* size of its hardware cluster */
  unsigned thread_count;
  unsigned union_clusters;
  unsigned sum; /* checksum of its on-chip memory, or of its scratch memory */
  unsigned met; /* blocks of its union that had arrived when it continued */
} BlockRecord;

/* All take (BlockRecord *records) unless noted; record i belongs to block i of the launch. */
extern const bangSm90Kernel kernel_record;          /* fills in the record */
extern const bangSm90Kernel kernel_onchip;          /* uses 200 KB on chip */
extern const bangSm90Kernel kernel_onchip_too_much; /* 1 MB on chip */
extern const bangSm90Kernel
    kernel_scratch;                      /* 64 MB of scratch memory per block, some per cluster */
extern const bangSm90Kernel kernel_meet; /* waits for the blocks of its union */
extern const bangSm90Kernel kernel_meet_memory_core; /* the same with 5 blocks per cluster */
extern const bangSm90Kernel kernel_spin;             /* (unsigned long long nanoseconds) */
extern const bangSm90Kernel kernel_fault;            /* (unsigned code): ends with a fault code */
extern const bangSm90Kernel kernel_store;            /* (int *address): stores there */

enum { ONCHIP_WORDS = 200 * 256 };
enum { TASK_SCRATCH_BYTES = 64 << 20, CLUSTER_SCRATCH_BYTES = 4096 };

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* TEST_SM90_KERNELS_H_ */
