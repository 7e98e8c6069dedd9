/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_ONE_UNION_H_
#define KERNELS_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_ONE_UNION_H_

#include "core/context.h"
#include "kernels/moe_token_permute/moe_token_permute_with_routing_map/moe_token_permute_with_routing_map.h"
#include "kernels/moe_token_permute/routing_map_checks.h"

#define ONE_UNION_MAX_EXPERTS 256
/* These tasks need twice the memory that a task has in the largest possible union. Unions with a
 * name always fit. */
#define ONE_UNION_SHARE 2

/* Clusters of the union; 0: too little work for one. */
static inline int one_union_clusters(mluOpHandle_t handle, const MoeTokenPermuteArgs *args) {
  const size_t named = (size_t)handle->capability_job_limit / CN_KERNEL_CLASS_UNION;
  const size_t fitting = (size_t)handle->capability_union_clusters / ONE_UNION_SHARE;
  const size_t most = fitting > named ? fitting : named;
  const cnrtDim3_t dim =
      moe_task_dim(handle, (size_t)(args->out_rows * args->row_bytes), args->tokens_num);
  const size_t items = (size_t)args->tokens_num, all = permute_max_tasks(handle);
  const bool is_full = dim.x == (unsigned)mluop_context_core_num(handle);
  const size_t tasks = !is_full ? dim.x : items < all ? items : all;
  const size_t wanted = tasks / (size_t)handle->core_num_per_cluster;
  return mluop_context_union_of(handle, wanted < most ? wanted : most);
}

#endif /* KERNELS_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_ONE_UNION_H_ */
