/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_H_
#define KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_H_

#include "cnrt.h"
#include "kernels/moe_token_permute/token_rows.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches the kernel for tokens of `dtype` (float, half or bfloat16); probs are only moved, so
 * their type is no more than a size. probs_grad NULL: not wanted. All sizes are positive. */
mluOpStatus_t KernelMoeTokenPermuteWithRoutingMapGrad(
    cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue, mluOpDataType_t dtype,
    const MoeTokenRowsArgs *args, const void *permuted_tokens_grad, const void *permuted_probs_grad,
    int probs_bytes, int64_t hidden, void *tokens_grad, void *probs_grad);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_H_ */
