/* SPDX-License-Identifier: MIT
 *
 * Which form of moe_dispatch_backward_gate does a call. */
#include "kernels/kernel.h"
#include "kernels/moe_dispatch/moe_dispatch_backward_gate/moe_dispatch_backward_gate.h"

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const MoeDispatchBackwardGateCall *c = call;
  const int64_t rows = (int64_t)c->routing.num_experts * c->routing.capacity;
  (void)handle;
  return rows > GATHER_SPAN_BYTES / c->row_bytes ? "dispatch is larger than a gather reaches"
                                                 : NULL;
}

static const mluopVariant variants[] = {
    {"small_tasks", small_tasks_cannot, mluop_small_tasks_do_not_pay,
     MoeDispatchBackwardGateSmallTasks},
    {"reference", NULL, NULL, MoeDispatchBackwardGateReference},
};

const mluopVariantTable moe_dispatch_backward_gate_variants =
    MLUOP_VARIANT_TABLE("moe_dispatch_backward_gate", variants);
