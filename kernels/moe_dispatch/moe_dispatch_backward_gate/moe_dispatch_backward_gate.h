/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_MOE_DISPATCH_MOE_DISPATCH_BACKWARD_GATE_MOE_DISPATCH_BACKWARD_GATE_H_
#define KERNELS_MOE_DISPATCH_MOE_DISPATCH_BACKWARD_GATE_MOE_DISPATCH_BACKWARD_GATE_H_

#include <stdint.h>

#include "cnrt.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row is summed in chunks of this many elements, and the sums of the chunks in their order; so
 * the bits of a result depend on the row only. */
#define GATE_CHUNK 1024

/* Tasks share the chunks of at most this many samples. */
#define GATE_MAX_SHARED_SAMPLES 1024

/* Launches the kernel for tensors of `dtype` (float, half or bfloat16); all sizes are positive.
 * partial_sums NULL: a task does whole samples. Otherwise it has room for one float per sample and
 * chunk, and tasks share the chunks of a sample. */
mluOpStatus_t KernelMoeDispatchBackwardGate(cnrtDim3_t k_dim, cnrtFunctionType_t k_type,
                                            cnrtQueue_t queue, mluOpDataType_t dtype,
                                            const int32_t *indices, const int32_t *locations,
                                            const void *input, const void *dispatch, int samples,
                                            int capacity, int hidden, int num_experts,
                                            float *partial_sums, void *grad_gates);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_DISPATCH_MOE_DISPATCH_BACKWARD_GATE_MOE_DISPATCH_BACKWARD_GATE_H_ */
