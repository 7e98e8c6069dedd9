/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_H_
#define KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_H_

#include "cnrt.h"
#include "kernels/moe_token_permute/token_rows.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches the kernels for tokens of `dtype` (float, half or bfloat16) and probs of the same type
 * or, beside bfloat16, float; all sizes are positive. permuted_tokens and probs_grad are only used
 * with probs. args->lists is needed in both modes. */
mluOpStatus_t KernelMoeTokenUnpermuteWithRoutingMapGrad(
    cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue, mluOpDataType_t dtype,
    mluOpDataType_t probs_dtype, const MoeTokenRowsArgs *args, const void *unpermuted_tokens_grad,
    const void *permuted_tokens, int64_t hidden, void *permuted_tokens_grad, void *probs_grad);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_H_ */
