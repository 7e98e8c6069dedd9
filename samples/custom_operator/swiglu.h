/* SPDX-License-Identifier: MIT
 *
 * An operator of one's own, from scratch: out = gate / (1 + e^-gate) * up, the activation between
 * the two halves of an expert. Host part in swiglu.c, device part in swiglu.mlu. */
#ifndef SWIGLU_H_
#define SWIGLU_H_

#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The operator. gate, up and out are float tensors of one shape, contiguous, in device memory. */
mluOpStatus_t swiglu(mluOpHandle_t handle, mluOpTensorDescriptor_t gate_desc, const void *gate,
                     mluOpTensorDescriptor_t up_desc, const void *up,
                     mluOpTensorDescriptor_t out_desc, void *out);

/* The launcher, in the file of the kernel because only cncc knows <<<...>>>. */
void launch_swiglu(cnrtDim3_t dim, cnrtQueue_t queue, const float *gate, const float *up,
                   float *out, int64_t n);

#ifdef __cplusplus
}
#endif

#endif /* SWIGLU_H_ */
