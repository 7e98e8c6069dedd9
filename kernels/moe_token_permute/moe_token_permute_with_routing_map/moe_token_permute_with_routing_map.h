/* SPDX-License-Identifier: MIT
 *
 * The forms of moe_token_permute_with_routing_map, each launched with a MoeTokenPermuteArgs. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_H_
#define KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_H_

#include "core/variant.h"
#include "kernels/moe_token_permute/moe_token_permute_with_routing_map/permute_args.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const mluopVariantTable moe_token_permute_with_routing_map_variants;

mluOpStatus_t MoeTokenPermuteReference(mluOpHandle_t handle, const void *call);
mluOpStatus_t MoeTokenPermuteScalarTables(mluOpHandle_t handle, const void *call);
mluOpStatus_t MoeTokenPermuteOneUnion(mluOpHandle_t handle, const void *call);
mluOpStatus_t MoeTokenPermuteSmallTasks(mluOpHandle_t handle, const void *call);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_H_ */
