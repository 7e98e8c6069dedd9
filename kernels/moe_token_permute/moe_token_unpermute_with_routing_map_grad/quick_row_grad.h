/* SPDX-License-Identifier: MIT
 *
 * The operator without padding, for devices whose scalar code is slow. */
#ifndef KERNELS_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_QUICK_ROW_GRAD_H_
#define KERNELS_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_QUICK_ROW_GRAD_H_

#include "cnrt.h"
#include "kernels/moe_token_permute/token_rows.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether it is the better way to do this call, and can do it. */
bool QuickRowGradSuits(const MoeTokenRowsArgs *args, mluOpDataType_t dtype, int64_t hidden);

/* Types as of the operator, all sizes are positive. */
mluOpStatus_t KernelQuickRowGrad(cnrtQueue_t queue, mluOpDataType_t dtype,
                                 mluOpDataType_t probs_dtype, const MoeTokenRowsArgs *args,
                                 const void *unpermuted_tokens_grad, const void *permuted_tokens,
                                 int64_t hidden, void *permuted_tokens_grad, void *probs_grad);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_QUICK_ROW_GRAD_H_ */
