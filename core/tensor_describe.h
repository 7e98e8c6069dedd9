/* SPDX-License-Identifier: MIT
 *
 * Setting a tensor descriptor, with all checks.
 */
#ifndef CORE_TENSOR_DESCRIBE_H_
#define CORE_TENSOR_DESCRIBE_H_

#include "core/tensor.h"

/* Sizes or strides from the caller, 32 or 64 bits wide; both NULL: none given. */
typedef struct mluopSizes {
  const int *narrow;
  const int64_t *wide;
} mluopSizes;

/* Checks everything, then sets layout, dtype, dims and strides; without given strides the tensor is
 * contiguous. On failure the descriptor is unchanged. */
mluOpStatus_t mluop_tensor_describe(const char *api, mluOpTensorDescriptor_t desc,
                                    mluOpTensorLayout_t layout, mluOpDataType_t dtype, int dimNb,
                                    mluopSizes dimSize, const mluopSizes *dimStride);

#endif /* CORE_TENSOR_DESCRIBE_H_ */
