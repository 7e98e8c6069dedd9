/* SPDX-License-Identifier: MIT
 *
 * The forms of moe_token_permute_with_routing_map, each launched with a MoeTokenPermuteArgs. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_H_
#define KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_H_

#include "core/variant.h"
#include "kernels/moe_token_permute/moe_token_permute_with_routing_map/permute_args.h"
#include "mlu_op.h"

/* Most tasks of any form, for which the tables have rows. A core that can run several tasks gets
 * two, because a task spends much time issuing copies. */
static inline size_t permute_max_tasks(mluOpHandle_t handle) {
  const size_t cores = (size_t)mluop_context_core_num(handle);
  return mluop_small_tasks_overlap(&handle->facts) ? 2 * cores : cores;
}

extern const mluopVariantTable moe_token_permute_with_routing_map_variants;

MLUOP_FORM(MoeTokenPermuteReference);
MLUOP_FORM(MoeTokenPermuteScalarTables);
MLUOP_FORM(MoeTokenPermuteOneUnion);
MLUOP_FORM(MoeTokenPermuteSmallTasks);

#endif /* KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_H_ */
