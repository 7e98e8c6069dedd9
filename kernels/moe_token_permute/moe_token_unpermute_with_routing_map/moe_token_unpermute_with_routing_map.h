/* SPDX-License-Identifier: MIT
 *
 * The call of moe_token_unpermute_with_routing_map and its forms. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_H_
#define KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_H_

#include "core/variant.h"
#include "kernels/moe_token_permute/token_rows.h"
#include "mlu_op.h"

/* All sizes are positive. */
typedef struct MoeTokenUnpermuteCall {
  mluOpDataType_t dtype;       /* float, half or bfloat16 */
  mluOpDataType_t probs_dtype; /* the same, or float with bfloat16 tokens */
  MoeTokenRowsArgs args;
  const void *permuted_tokens;
  int64_t hidden;
  void *unpermuted_tokens;
} MoeTokenUnpermuteCall;

extern const mluopVariantTable moe_token_unpermute_with_routing_map_variants;

MLUOP_FORM(MoeTokenUnpermuteReference);
MLUOP_FORM(MoeTokenUnpermuteSmallTasks);

#endif /* KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_H_ */
