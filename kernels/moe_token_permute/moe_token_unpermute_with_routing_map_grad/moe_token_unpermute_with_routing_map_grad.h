/* SPDX-License-Identifier: MIT
 *
 * The call of moe_token_unpermute_with_routing_map_grad and its forms. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_H_
#define KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_H_

#include "core/variant.h"
#include "kernels/moe_token_permute/token_rows.h"
#include "mlu_op.h"

/* All sizes are positive. Both modes need args.lists; only calls with probs use permuted_tokens and
 * probs_grad. */
typedef struct MoeTokenUnpermuteGradCall {
  mluOpDataType_t dtype;       /* float, half or bfloat16 */
  mluOpDataType_t probs_dtype; /* the same, or float with bfloat16 tokens */
  MoeTokenRowsArgs args;
  const void *unpermuted_tokens_grad, *permuted_tokens;
  int64_t hidden;
  void *permuted_tokens_grad, *probs_grad;
} MoeTokenUnpermuteGradCall;

extern const mluopVariantTable moe_token_unpermute_with_routing_map_grad_variants;

MLUOP_FORM(MoeTokenUnpermuteGradReference);
MLUOP_FORM(MoeTokenUnpermuteGradSmallTasks);

#endif /* KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_H_ */
