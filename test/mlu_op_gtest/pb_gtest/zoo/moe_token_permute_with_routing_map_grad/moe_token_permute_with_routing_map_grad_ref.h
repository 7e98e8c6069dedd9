/* SPDX-License-Identifier: MIT */
#ifndef ZOO_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_REF_H_
#define ZOO_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_REF_H_

#include <stdbool.h>
#include <stdint.h>

#include "mlu_op.h"
#include "test/common/ref_share.h"

/* One call of the operator on host memory. */
typedef struct MoeTokenPermuteGradCall {
  mluOpDataType_t dtype;
  int64_t probs_bytes; /* of one element */
  int64_t tokens_num, num_experts, hidden, rows;
  bool drop_and_pad;
  const void *permuted_tokens_grad;
  const void *permuted_probs_grad; /* NULL: none */
  const int32_t *sorted_indices;
  const int8_t *routing_map;
  void *tokens_grad;
  void *probs_grad;
  RefShare share; /* of the tokens */
} MoeTokenPermuteGradCall;

/* The definition of the operator, with the order of its sums. Returns 0, or -1 (no memory). */
int moe_token_permute_with_routing_map_grad_ref(const MoeTokenPermuteGradCall *call);

/* Minimum of bytes moved: the indices, every row and every token once; with probs the map and both
 * probs. */
int64_t moe_token_permute_with_routing_map_grad_theory_bytes(const MoeTokenPermuteGradCall *call);

/* An addition per element of a row. */
int64_t moe_token_permute_with_routing_map_grad_theory_ops(const MoeTokenPermuteGradCall *call);

#endif /* ZOO_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_GRAD_REF_H_ */
