/* SPDX-License-Identifier: MIT */
#include "kernels/kernel.h"
#include "kernels/moe_token_permute/moe_token_permute_with_routing_map/moe_token_permute_with_routing_map.h"
#include "kernels/moe_token_permute/moe_token_permute_with_routing_map/one_union/one_union.h"
#include "kernels/moe_token_permute/moe_token_permute_with_routing_map/scalar_tables/scalar_tables.h"
#include "kernels/moe_token_permute/moe_token_permute_with_routing_map/small_tasks/small_tasks.h"

static const char *scalar_tables_cannot(mluOpHandle_t handle, const void *call) {
  const MoeTokenPermuteArgs *args = call;
  (void)handle;
  if (args->drop_and_pad) return "there is padding";
  return args->num_experts > SCALAR_TABLES_MAX_EXPERTS ? "there are too many experts" : NULL;
}

static const char *one_union_cannot(mluOpHandle_t handle, const void *call) {
  const MoeTokenPermuteArgs *args = call;
  if (args->drop_and_pad) return "there is padding";
  if (args->num_experts > ONE_UNION_MAX_EXPERTS) return "there are too many experts";
  return one_union_clusters(handle, args) == 0 ? "there is too little to do for a union" : NULL;
}

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const MoeTokenPermuteArgs *args = call;
  const int64_t probs_bytes = args->tokens_num * args->num_experts * args->probs_bytes;
  (void)handle;
  if (!args->drop_and_pad) return "there is no padding";
  if (args->num_experts > MAX_TASKS_PER_DIMENSION) return "there are too many experts";
  if (args->capacity > (int64_t)SMALL_TASKS_MAX_ROWS * MAX_TASKS_PER_DIMENSION)
    return "an expert has too many rows";
  const bool is_reached =
      probs_bytes <= GATHER_SPAN_BYTES && args->tokens_num <= GATHER_SPAN_BYTES / args->row_bytes;
  return is_reached ? NULL : "tokens or probs are larger than a gather reaches";
}

MLUOP_VARIANTS(moe_token_permute_with_routing_map,
               {"scalar_tables", scalar_tables_cannot, mluop_scalar_tables_do_not_pay,
                MoeTokenPermuteScalarTables},
               {"one_union", one_union_cannot, mluop_small_tasks_do_not_pay,
                MoeTokenPermuteOneUnion},
               {"small_tasks", small_tasks_cannot, mluop_small_tasks_do_not_pay,
                MoeTokenPermuteSmallTasks},
               {"reference", NULL, NULL, MoeTokenPermuteReference});
