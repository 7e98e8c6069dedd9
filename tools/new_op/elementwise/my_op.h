/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_MY_OP_MY_OP_H_
#define KERNELS_MY_OP_MY_OP_H_

#include <stdint.h>

#include "cnrt.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches the kernel for tensors of `dtype` (float, half or bfloat16); count is positive. */
mluOpStatus_t KernelMyOp(mluOpHandle_t handle, cnrtDim3_t dim, mluOpDataType_t dtype,
                         const void *input, float factor, int64_t count, void *output);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MY_OP_MY_OP_H_ */
