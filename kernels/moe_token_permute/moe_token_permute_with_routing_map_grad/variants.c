/* SPDX-License-Identifier: MIT */
#include "kernels/moe_token_permute/moe_token_permute_with_routing_map_grad/moe_token_permute_with_routing_map_grad.h"
#include "kernels/moe_token_permute/small_tasks/row_sum.h"
#include "kernels/moe_token_permute/small_tasks/token_slots.h"

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const MoeTokenPermuteGradCall *c = call;
  (void)handle;
  const char *refusal = small_row_sum_refusal(&c->args, c->dtype, c->hidden);
  if (refusal != NULL || c->probs_grad == NULL) return refusal;
  return token_slots_refusal(&c->args, TOKEN_MAX_SLOTS, true, c->probs_bytes);
}

MLUOP_VARIANTS(moe_token_permute_with_routing_map_grad,
               {"small_tasks", small_tasks_cannot, mluop_small_tasks_do_not_pay,
                MoeTokenPermuteGradSmallTasks},
               {"reference", NULL, NULL, MoeTokenPermuteGradReference});
