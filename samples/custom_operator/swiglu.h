/* SPDX-License-Identifier: MIT
 *
 * A custom operator from scratch: out = gate / (1 + e^-gate) * up, the activation between the two
 * matrix products of an expert. Host part in swiglu.c, device part in swiglu.mlu. */
#ifndef SWIGLU_H_
#define SWIGLU_H_

#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The operator. gate, up and out are contiguous float tensors of the same shape, in device memory.
 */
mluOpStatus_t swiglu(mluOpHandle_t handle, mluOpTensorDescriptor_t gate_desc, const void *gate,
                     mluOpTensorDescriptor_t up_desc, const void *up,
                     mluOpTensorDescriptor_t out_desc, void *out);

/* The launcher. It is in the kernel's file, because only cncc understands <<<...>>>. */
void launch_swiglu(cnrtDim3_t dim, cnrtQueue_t queue, const float *gate, const float *up,
                   float *out, int64_t n);

#ifdef __cplusplus
}
#endif

#endif /* SWIGLU_H_ */
