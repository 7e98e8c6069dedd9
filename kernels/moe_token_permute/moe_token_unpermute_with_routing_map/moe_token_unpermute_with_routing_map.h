/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_H_
#define KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_H_

#include "cnrt.h"
#include "kernels/moe_token_permute/token_rows.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches the kernel for tokens of `dtype` (float, half or bfloat16) and probs of the same type
 * or, beside bfloat16, float; all sizes are positive. */
mluOpStatus_t KernelMoeTokenUnpermuteWithRoutingMap(cnrtDim3_t k_dim, cnrtFunctionType_t k_type,
                                                    cnrtQueue_t queue, mluOpDataType_t dtype,
                                                    mluOpDataType_t probs_dtype,
                                                    const MoeTokenRowsArgs *args,
                                                    const void *permuted_tokens, int64_t hidden,
                                                    void *unpermuted_tokens);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_H_ */
