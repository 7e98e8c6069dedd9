/* SPDX-License-Identifier: MIT */
#include "core/tool.h"
#include "kernels/moe_token_permute/moe_token_unpermute_with_routing_map_grad/moe_token_unpermute_with_routing_map_grad.h"
#include "kernels/moe_token_permute/moe_token_unpermute_with_routing_map_grad/small_tasks/small_tasks.h"
#include "kernels/moe_token_permute/small_tasks/token_slots.h"

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const MoeTokenUnpermuteGradCall *c = call;
  const int64_t row_bytes = c->hidden * (int64_t)mluop_dtype_size(c->dtype);
  (void)handle;
  /* The workspace may begin anywhere, but atomic operations need aligned words. */
  if ((uintptr_t)c->args.lists % sizeof(int32_t) != 0) return "the workspace is not aligned";
  return token_slots_refusal(&c->args, SMALL_TASKS_MAX_SLOTS, c->args.probs != NULL, row_bytes);
}

MLUOP_VARIANTS(moe_token_unpermute_with_routing_map_grad,
               {"small_tasks", small_tasks_cannot, mluop_small_tasks_do_not_pay,
                MoeTokenUnpermuteGradSmallTasks},
               {"reference", NULL, NULL, MoeTokenUnpermuteGradReference});
