/* SPDX-License-Identifier: MIT */
#ifndef ZOO_MOE_DISPATCH_BACKWARD_GATE_REF_H_
#define ZOO_MOE_DISPATCH_BACKWARD_GATE_REF_H_

#include <stdint.h>

#include "mlu_op.h"

/* One call of the operator on host memory. */
typedef struct MoeDispatchBackwardGateCall {
  mluOpDataType_t dtype; /* of input, dispatch and grad_gates: float, half or bfloat16 */
  int64_t samples, capacity, hidden, num_experts;
  const int32_t *indices;
  const int32_t *locations;
  const void *input;
  const void *dispatch;
  void *grad_gates;
} MoeDispatchBackwardGateCall;

/* The definition of the operator; sums in double. A sample that is not in dispatch gets 0. */
void moe_dispatch_backward_gate_ref(const MoeDispatchBackwardGateCall *call);

/* Minimum of bytes moved: the routing arrays, both rows of samples that are in dispatch, the
 * result. */
int64_t moe_dispatch_backward_gate_theory_bytes(const MoeDispatchBackwardGateCall *call);

/* A multiplication and an addition per element. */
int64_t moe_dispatch_backward_gate_theory_ops(const MoeDispatchBackwardGateCall *call);

#endif /* ZOO_MOE_DISPATCH_BACKWARD_GATE_REF_H_ */
