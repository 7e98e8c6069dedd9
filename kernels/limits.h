/* SPDX-License-Identifier: MIT
 *
 * Limits of launches and of offsets that host and device code share. */
#ifndef KERNELS_LIMITS_H_
#define KERNELS_LIMITS_H_

#include <stdint.h>

/* What the unsigned 32-bit offsets of a gather or scatter reach. */
#define GATHER_SPAN_BYTES ((int64_t)UINT32_MAX)

/* Tasks of one dimension of a launch, and of all of them: task numbers are ints. */
#define MAX_TASKS_PER_DIMENSION 65535
#define MAX_TASKS ((int64_t)1 << 30)

#endif /* KERNELS_LIMITS_H_ */
