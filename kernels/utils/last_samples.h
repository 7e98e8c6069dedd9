/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_UTILS_LAST_SAMPLES_H_
#define KERNELS_UTILS_LAST_SAMPLES_H_

/* Rows with a hint of their own (last_samples.mluh); a power of two. */
#define LAST_SAMPLES_HINTS (1 << 20)

#endif /* KERNELS_UTILS_LAST_SAMPLES_H_ */
