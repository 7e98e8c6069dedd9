/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_MY_OP_MY_OP_H_
#define KERNELS_MY_OP_MY_OP_H_

#include <stdint.h>

#include "cnrt.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The result type of a row, and its code in a descriptor. */
typedef float MyOpResult;
#define MY_OP_RESULT_DTYPE MLUOP_DTYPE_FLOAT

/* Launches the kernel for an input of `dtype` (float, half or bfloat16); rows and columns are
 * positive. */
mluOpStatus_t KernelMyOp(mluOpHandle_t handle, cnrtDim3_t dim, mluOpDataType_t dtype,
                         const void *input, int64_t rows, int64_t columns, MyOpResult *output);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MY_OP_MY_OP_H_ */
