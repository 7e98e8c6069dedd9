/* SPDX-License-Identifier: MIT */
#ifndef ZOO_MOE_DISPATCH_BACKWARD_DATA_REF_H_
#define ZOO_MOE_DISPATCH_BACKWARD_DATA_REF_H_

#include <stdint.h>

#include "mlu_op.h"

/* One call of the operator on host memory. */
typedef struct MoeDispatchBackwardDataCall {
  mluOpDataType_t dtype; /* of gates, dispatch and grad_input: float, half or bfloat16 */
  int64_t samples, capacity, hidden, num_experts;
  const void *gates;
  const int32_t *indices;
  const int32_t *locations;
  const void *dispatch;
  void *grad_input;
} MoeDispatchBackwardDataCall;

/* The definition of the operator: a sample that is not in dispatch gets zeros. */
void moe_dispatch_backward_data_ref(const MoeDispatchBackwardDataCall *call);

/* Samples that are in dispatch. Needs only the sizes and the routing arrays. */
int64_t moe_dispatch_backward_data_rows(const MoeDispatchBackwardDataCall *call);

/* Minimum of bytes moved: the routing arrays, the rows of samples that are in dispatch, and all of
 * grad_input. Slots used twice are read twice. */
int64_t moe_dispatch_backward_data_theory_bytes(const MoeDispatchBackwardDataCall *call);

/* One multiplication per element of a row. */
int64_t moe_dispatch_backward_data_theory_ops(const MoeDispatchBackwardDataCall *call);

#endif /* ZOO_MOE_DISPATCH_BACKWARD_DATA_REF_H_ */
