/* SPDX-License-Identifier: MIT
 *
 * The operator with padding, by the rows of the experts, for devices whose scalar code is slow. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_PADDED_GATHER_H_
#define KERNELS_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_PADDED_GATHER_H_

#include "kernels/moe_token_permute/moe_token_permute_with_routing_map/moe_token_permute_with_routing_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether it can do this call, and pays. */
bool PaddedGatherSuits(const MoeTokenPermuteArgs *args);

mluOpStatus_t KernelPaddedGather(const PermuteTasks *tasks, cnrtQueue_t queue,
                                 const MoeTokenPermuteArgs *args);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_PADDED_GATHER_H_ */
