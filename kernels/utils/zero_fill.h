/* SPDX-License-Identifier: MIT
 *
 * Outputs that are all zero because nothing contributes to them. A kernel writes the zeros, not
 * cnrtMemsetAsync: it reaches whatever memory the operator's other kernels reach, and on a card it
 * is several times as fast. */
#ifndef KERNELS_UTILS_ZERO_FILL_H_
#define KERNELS_UTILS_ZERO_FILL_H_

#include <stddef.h>

#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Queues the zeroing of all elements of a tensor; desc NULL: an optional one that is absent. */
mluOpStatus_t mluop_zero_fill(mluOpHandle_t handle, const mluOpTensorDescriptor_t desc, void *data);

/* The launch behind it. */
mluOpStatus_t KernelZeroFill(cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue,
                             void *data, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_UTILS_ZERO_FILL_H_ */
