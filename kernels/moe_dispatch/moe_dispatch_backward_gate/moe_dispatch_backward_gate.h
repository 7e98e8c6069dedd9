/* SPDX-License-Identifier: MIT
 *
 * The call of moe_dispatch_backward_gate and its forms. */
#ifndef KERNELS_MOE_DISPATCH_MOE_DISPATCH_BACKWARD_GATE_MOE_DISPATCH_BACKWARD_GATE_H_
#define KERNELS_MOE_DISPATCH_MOE_DISPATCH_BACKWARD_GATE_MOE_DISPATCH_BACKWARD_GATE_H_

#include "core/variant.h"
#include "kernels/moe_dispatch/dispatch_routing.h"
#include "mlu_op.h"

/* The reference form sums a row in chunks of this many elements and adds the chunks in order, so
 * the bits of a result depend on the row only. */
#define GATE_CHUNK 1024

/* Limit of the samples whose chunks are shared by tasks. */
#define GATE_MAX_SHARED_SAMPLES 512

/* All sizes are positive. */
typedef struct MoeDispatchBackwardGateCall {
  mluOpDataType_t dtype; /* float, half or bfloat16 */
  DispatchRouting routing;
  const void *input, *dispatch;
  int samples, hidden;
  int64_t row_bytes;
  /* [samples, chunks]: tasks share the chunks of a sample. NULL: a task sums whole samples. */
  float *partial_sums;
  void *grad_gates;
} MoeDispatchBackwardGateCall;

extern const mluopVariantTable moe_dispatch_backward_gate_variants;

MLUOP_FORM(MoeDispatchBackwardGateReference);
MLUOP_FORM(MoeDispatchBackwardGateSmallTasks);

#endif /* KERNELS_MOE_DISPATCH_MOE_DISPATCH_BACKWARD_GATE_MOE_DISPATCH_BACKWARD_GATE_H_ */
