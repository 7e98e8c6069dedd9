/* SPDX-License-Identifier: MIT
 *
 * The call of moe_dispatch_backward_data and its forms. */
#ifndef KERNELS_MOE_DISPATCH_MOE_DISPATCH_BACKWARD_DATA_MOE_DISPATCH_BACKWARD_DATA_H_
#define KERNELS_MOE_DISPATCH_MOE_DISPATCH_BACKWARD_DATA_MOE_DISPATCH_BACKWARD_DATA_H_

#include "core/variant.h"
#include "kernels/moe_dispatch/dispatch_routing.h"
#include "mlu_op.h"

/* All sizes are positive. */
typedef struct MoeDispatchBackwardDataCall {
  mluOpDataType_t dtype; /* float, half or bfloat16 */
  DispatchRouting routing;
  const void *gates, *dispatch;
  int samples, hidden;
  int64_t row_bytes;
  void *grad_input;
} MoeDispatchBackwardDataCall;

extern const mluopVariantTable moe_dispatch_backward_data_variants;

MLUOP_FORM(MoeDispatchBackwardDataReference);
MLUOP_FORM(MoeDispatchBackwardDataSmallTasks);

/* Longest row of the small_tasks form: one tile. */
#define BACKWARD_DATA_SMALL_TILE_BYTES (16 * 1024)

#endif /* KERNELS_MOE_DISPATCH_MOE_DISPATCH_BACKWARD_DATA_MOE_DISPATCH_BACKWARD_DATA_H_ */
