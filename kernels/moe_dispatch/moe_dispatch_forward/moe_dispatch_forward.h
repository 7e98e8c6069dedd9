/* SPDX-License-Identifier: MIT
 *
 * The forms of moe_dispatch_forward and what each launch needs. */
#ifndef KERNELS_MOE_DISPATCH_MOE_DISPATCH_FORWARD_MOE_DISPATCH_FORWARD_H_
#define KERNELS_MOE_DISPATCH_MOE_DISPATCH_FORWARD_MOE_DISPATCH_FORWARD_H_

#include <stdbool.h>

#include "core/variant.h"
#include "kernels/moe_dispatch/dispatch_routing.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All sizes are positive. */
typedef struct MoeDispatchForwardCall {
  mluOpDataType_t dtype; /* float, half or bfloat16 */
  DispatchRouting routing;
  const void *gates, *input;
  int samples, hidden;
  int64_t row_bytes;
  void *dispatch;
} MoeDispatchForwardCall;

/* Input and dispatch are one memory. */
static inline bool MoeDispatchForwardIsInPlace(const MoeDispatchForwardCall *call) {
  return call->input == call->dispatch;
}

extern const mluopVariantTable moe_dispatch_forward_variants;

mluOpStatus_t MoeDispatchForwardReference(mluOpHandle_t handle, const void *call);
mluOpStatus_t MoeDispatchForwardScalarTables(mluOpHandle_t handle, const void *call);
mluOpStatus_t MoeDispatchForwardSmallTasks(mluOpHandle_t handle, const void *call);

/* The part of the reference form for calls in place; at most so many samples. */
#define DISPATCH_IN_PLACE_MAX_SAMPLES (1 << 19)
mluOpStatus_t MoeDispatchForwardInPlace(mluOpHandle_t handle, const void *call);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_DISPATCH_MOE_DISPATCH_FORWARD_MOE_DISPATCH_FORWARD_H_ */
