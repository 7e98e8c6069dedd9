/* SPDX-License-Identifier: MIT
 *
 * Limits of launches, byte offsets and tables, for host and device code. */
#ifndef KERNELS_LIMITS_H_
#define KERNELS_LIMITS_H_

#include <stdint.h>

/* Reach of a gather or scatter: its byte offsets are unsigned and have 32 bits. */
#define GATHER_SPAN_BYTES ((int64_t)UINT32_MAX)

/* Tasks along one dimension of a launch, and of a whole launch: task numbers are ints. */
#define MAX_TASKS_PER_DIMENSION 65535
#define MAX_TASKS ((int64_t)1 << 30)

/* Rows with a hint of their own (utils/last_samples.mluh); a power of two. */
#define LAST_SAMPLES_HINTS (1 << 20)

#endif /* KERNELS_LIMITS_H_ */
