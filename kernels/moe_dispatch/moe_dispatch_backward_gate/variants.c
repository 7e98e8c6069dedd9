/* SPDX-License-Identifier: MIT */
#include "kernels/moe_dispatch/dispatch_checks.h"
#include "kernels/moe_dispatch/moe_dispatch_backward_gate/moe_dispatch_backward_gate.h"

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const MoeDispatchBackwardGateCall *c = call;
  (void)handle;
  return dispatch_gather_refusal(&c->routing, c->row_bytes);
}

MLUOP_VARIANTS(moe_dispatch_backward_gate,
               {"small_tasks", small_tasks_cannot, mluop_small_tasks_do_not_pay,
                MoeDispatchBackwardGateSmallTasks},
               {"reference", NULL, NULL, MoeDispatchBackwardGateReference});
