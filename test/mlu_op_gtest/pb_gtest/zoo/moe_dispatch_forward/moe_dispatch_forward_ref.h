/* SPDX-License-Identifier: MIT */
#ifndef ZOO_MOE_DISPATCH_FORWARD_REF_H_
#define ZOO_MOE_DISPATCH_FORWARD_REF_H_

#include <stdint.h>

#include "mlu_op.h"
#include "test/common/ref_share.h"

/* One call of the operator on host memory. */
typedef struct MoeDispatchForwardCall {
  mluOpDataType_t dtype; /* of gates, input and dispatch: float, half or bfloat16 */
  int64_t samples, capacity, hidden, num_experts;
  const void *gates;
  const int32_t *indices;
  const int32_t *locations;
  const void *input;
  void *dispatch;
  RefShare share; /* of the rows of dispatch, so that the last sample of a row wins */
} MoeDispatchForwardCall;

/* The definition of the operator: samples in increasing order; the last one of a row wins, the
 * others are dropped. */
void moe_dispatch_forward_ref(const MoeDispatchForwardCall *call);

/* Output rows that have a sample; -1 if there is no memory to count them. Needs only the sizes and
 * the routing arrays. */
int64_t moe_dispatch_forward_rows(const MoeDispatchForwardCall *call);

/* Minimum of bytes moved: the routing arrays, and each row with a sample once in and out. */
int64_t moe_dispatch_forward_theory_bytes(const MoeDispatchForwardCall *call);

/* One multiplication per element of a row with a sample. */
int64_t moe_dispatch_forward_theory_ops(const MoeDispatchForwardCall *call);

#endif /* ZOO_MOE_DISPATCH_FORWARD_REF_H_ */
