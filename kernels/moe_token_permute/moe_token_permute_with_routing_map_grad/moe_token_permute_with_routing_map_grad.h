/* SPDX-License-Identifier: MIT
 *
 * The call of moe_token_permute_with_routing_map_grad and its forms. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_H_
#define KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_H_

#include "core/variant.h"
#include "kernels/moe_token_permute/token_rows.h"
#include "mlu_op.h"

/* All sizes are positive. Probs are only moved, so only the size of their type matters. */
typedef struct MoeTokenPermuteGradCall {
  mluOpDataType_t dtype; /* of tokens: float, half or bfloat16 */
  MoeTokenRowsArgs args;
  const void *permuted_tokens_grad, *permuted_probs_grad;
  int64_t hidden;
  int probs_bytes; /* 2 or 4 */
  void *tokens_grad;
  void *probs_grad; /* NULL: not wanted */
} MoeTokenPermuteGradCall;

extern const mluopVariantTable moe_token_permute_with_routing_map_grad_variants;

MLUOP_FORM(MoeTokenPermuteGradReference);
MLUOP_FORM(MoeTokenPermuteGradSmallTasks);

#endif /* KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_H_ */
