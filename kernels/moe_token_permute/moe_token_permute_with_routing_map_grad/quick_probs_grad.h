/* SPDX-License-Identifier: MIT
 *
 * The gradients of the probs without padding, for devices whose scalar code is slow. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_QUICK_PROBS_GRAD_H_
#define KERNELS_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_QUICK_PROBS_GRAD_H_

#include "cnrt.h"
#include "kernels/moe_token_permute/token_rows.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether it is the better way to do this call, and can do it. Probs have 2 or 4 bytes. */
bool QuickProbsGradSuits(const MoeTokenRowsArgs *args, int probs_bytes);

mluOpStatus_t KernelQuickProbsGrad(cnrtQueue_t queue, const MoeTokenRowsArgs *args,
                                   const void *permuted_probs_grad, int probs_bytes,
                                   void *probs_grad);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_QUICK_PROBS_GRAD_H_ */
