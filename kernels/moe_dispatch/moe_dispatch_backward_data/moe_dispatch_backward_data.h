/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_MOE_DISPATCH_MOE_DISPATCH_BACKWARD_DATA_MOE_DISPATCH_BACKWARD_DATA_H_
#define KERNELS_MOE_DISPATCH_MOE_DISPATCH_BACKWARD_DATA_MOE_DISPATCH_BACKWARD_DATA_H_

#include <stdint.h>

#include "cnrt.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches the kernel for tensors of `dtype` (float, half or bfloat16); all sizes are positive. */
mluOpStatus_t KernelMoeDispatchBackwardData(cnrtDim3_t k_dim, cnrtFunctionType_t k_type,
                                            cnrtQueue_t queue, mluOpDataType_t dtype,
                                            const void *gates, const int32_t *indices,
                                            const int32_t *locations, const void *dispatch,
                                            int samples, int capacity, int hidden, int num_experts,
                                            void *grad_input);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_DISPATCH_MOE_DISPATCH_BACKWARD_DATA_MOE_DISPATCH_BACKWARD_DATA_H_ */
