/* SPDX-License-Identifier: MIT
 *
 * What a tensor descriptor holds. Operators read it; only the descriptor functions write it.
 */
#ifndef CORE_TENSOR_H_
#define CORE_TENSOR_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

struct mluOpTensorStruct {
  mluOpDataType_t dtype;
  mluOpDataType_t onchip_dtype; /* MLUOP_DTYPE_INVALID: none */
  mluOpTensorLayout_t layout;
  mluOpPointerMode_t pointer_mode;
  int dim;           /* number of dimensions */
  int64_t *dims;     /* dims[0] is the slowest dimension */
  int64_t *strides;  /* in elements */
  int64_t total_num; /* elements: product of dims */
  int position;
  float scale;
  int offset;
  /* Holds dims and strides up to MLUOP_DIM_MAX dimensions; more dimensions share one allocation. */
  int64_t inline_dims[MLUOP_DIM_MAX];
  int64_t inline_strides[MLUOP_DIM_MAX];
};

/* Puts a descriptor that holds no allocation into its initial state. */
void mluop_tensor_init(mluOpTensorDescriptor_t desc);

/* Frees what the descriptor holds, not the descriptor. */
void mluop_tensor_release(mluOpTensorDescriptor_t desc);

/* True if the elements are not contiguous in memory. Dimensions of size 1 do not matter. */
bool mluop_tensor_is_strided(mluOpTensorDescriptor_t desc);

/* Elements from the first to the last one in memory, both included; 0 if the tensor is empty. */
int64_t mluop_tensor_extent(mluOpTensorDescriptor_t desc);

/* Bytes of that extent. */
size_t mluop_tensor_bytes(mluOpTensorDescriptor_t desc);

#ifdef __cplusplus
}
#endif
#endif /* CORE_TENSOR_H_ */
