/* SPDX-License-Identifier: MIT */
#ifndef ZOO_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_REF_H_
#define ZOO_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_REF_H_

#include <stdbool.h>
#include <stdint.h>

#include "mlu_op.h"
#include "test/common/ref_share.h"

/* One call of the operator on host memory. */
typedef struct MoeTokenUnpermuteGradCall {
  mluOpDataType_t dtype, probs_dtype;
  int64_t tokens_num, num_experts, hidden, rows;
  bool drop_and_pad;
  const void *unpermuted_tokens_grad;
  const void *permuted_tokens;
  const int32_t *sorted_indices;
  const int8_t *routing_map;
  const void *probs; /* NULL: none */
  void *permuted_tokens_grad;
  void *probs_grad;
  RefShare share; /* of the tokens; share 0 does everything if two use the same row */
} MoeTokenUnpermuteGradCall;

/* The definition of the operator; sums of products are in double. Returns 0, or -1 (no memory). */
int moe_token_unpermute_with_routing_map_grad_ref(const MoeTokenUnpermuteGradCall *call);

/* Minimum of bytes moved: the indices, every token once, every row written once; with probs also
 * every row read once, the map and the probs twice. */
int64_t moe_token_unpermute_with_routing_map_grad_theory_bytes(
    const MoeTokenUnpermuteGradCall *call);

/* With probs three operations per element of a row. */
int64_t moe_token_unpermute_with_routing_map_grad_theory_ops(const MoeTokenUnpermuteGradCall *call);

#endif /* ZOO_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_GRAD_REF_H_ */
