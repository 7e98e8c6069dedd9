/* SPDX-License-Identifier: MIT */
#include "kernels/moe_token_permute/moe_token_unpermute_with_routing_map/moe_token_unpermute_with_routing_map.h"
#include "kernels/moe_token_permute/small_tasks/row_sum.h"

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const MoeTokenUnpermuteCall *c = call;
  (void)handle;
  return small_row_sum_refusal(&c->args, c->dtype, c->hidden);
}

mluOpStatus_t MoeTokenUnpermuteSmallTasks(mluOpHandle_t handle, const void *call) {
  const MoeTokenUnpermuteCall *c = call;
  return KernelSmallRowSum(handle, c->dtype, c->probs_dtype, &c->args, c->permuted_tokens,
                           c->hidden, c->unpermuted_tokens);
}

MLUOP_VARIANTS(moe_token_unpermute_with_routing_map,
               {"small_tasks", small_tasks_cannot, mluop_small_tasks_do_not_pay,
                MoeTokenUnpermuteSmallTasks},
               {"reference", NULL, NULL, MoeTokenUnpermuteReference});
