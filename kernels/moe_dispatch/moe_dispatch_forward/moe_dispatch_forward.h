/* SPDX-License-Identifier: MIT
 *
 * The call of moe_dispatch_forward and its forms. */
#ifndef KERNELS_MOE_DISPATCH_MOE_DISPATCH_FORWARD_MOE_DISPATCH_FORWARD_H_
#define KERNELS_MOE_DISPATCH_MOE_DISPATCH_FORWARD_MOE_DISPATCH_FORWARD_H_

#include <stdbool.h>

#include "core/variant.h"
#include "kernels/moe_dispatch/dispatch_routing.h"
#include "mlu_op.h"

/* All sizes are positive. */
typedef struct MoeDispatchForwardCall {
  mluOpDataType_t dtype; /* float, half or bfloat16 */
  DispatchRouting routing;
  const void *gates, *input;
  int samples, hidden;
  int64_t row_bytes;
  void *dispatch;
} MoeDispatchForwardCall;

static inline bool MoeDispatchForwardIsInPlace(const MoeDispatchForwardCall *call) {
  return call->input == call->dispatch;
}

extern const mluopVariantTable moe_dispatch_forward_variants;

MLUOP_FORM(MoeDispatchForwardReference);
MLUOP_FORM(MoeDispatchForwardScalarTables);
MLUOP_FORM(MoeDispatchForwardSmallTasks);

/* Part of the reference form, for calls where dispatch is input. */
#define DISPATCH_IN_PLACE_MAX_SAMPLES (1 << 19)
MLUOP_FORM(MoeDispatchForwardInPlace);

#endif /* KERNELS_MOE_DISPATCH_MOE_DISPATCH_FORWARD_MOE_DISPATCH_FORWARD_H_ */
