/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_MOE_DISPATCH_MOE_DISPATCH_FORWARD_MOE_DISPATCH_FORWARD_H_
#define KERNELS_MOE_DISPATCH_MOE_DISPATCH_FORWARD_MOE_DISPATCH_FORWARD_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cnrt.h"
#include "kernels/moe_dispatch/dispatch_routing.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches the kernel for tensors of `dtype` (float, half or bfloat16); all sizes are positive. */
mluOpStatus_t KernelMoeDispatchForward(cnrtDim3_t k_dim, cnrtFunctionType_t k_type,
                                       cnrtQueue_t queue, mluOpDataType_t dtype, const void *gates,
                                       const int32_t *indices, const int32_t *locations,
                                       const void *input, int samples, int capacity, int hidden,
                                       int num_experts, void *dispatch);

/* The same by two kernels, one after the other: tagged_rows.mluh says how. Rows must be whole words
 * and within 4 GB, samples at most MOE_DISPATCH_TAGGED_SAMPLES. No task of the second may have more
 * samples than the function says; it says 0 where this way does not pay. */
#define MOE_DISPATCH_TAGGED_SAMPLES (1 << 20)
/* The most tasks that tag, and that move where a task does not get too many samples by it. */
#define MOE_DISPATCH_MOST_TASKS 32768

mluOpStatus_t KernelTagSamples(cnrtQueue_t queue, mluOpDataType_t dtype, DispatchRouting routing,
                               int samples, uint32_t row_bytes, void *dispatch);

int KernelMoveTaggedSamples(void);

mluOpStatus_t KernelMoveTagged(cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue,
                               mluOpDataType_t dtype, const void *gates, DispatchRouting routing,
                               const void *input, int samples, int hidden, void *dispatch);

/* In place of KernelMoveTagged where rows have such a size. */
bool QuickMoveSuits(size_t row_bytes);

mluOpStatus_t KernelQuickMove(cnrtQueue_t queue, mluOpDataType_t dtype, const void *gates,
                              DispatchRouting routing, const void *input, int samples, int hidden,
                              void *dispatch);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_DISPATCH_MOE_DISPATCH_FORWARD_MOE_DISPATCH_FORWARD_H_ */
