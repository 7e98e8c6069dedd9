/* SPDX-License-Identifier: MIT */
#ifndef ZOO_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_REF_H_
#define ZOO_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_REF_H_

#include <stdbool.h>
#include <stdint.h>

#include "mlu_op.h"
#include "test/common/ref_share.h"

/* One call of the operator on host memory. */
typedef struct MoeTokenUnpermuteCall {
  mluOpDataType_t dtype, probs_dtype;
  int64_t tokens_num, num_experts, hidden, rows;
  bool drop_and_pad;
  const void *permuted_tokens;
  const int32_t *sorted_indices;
  const int8_t *routing_map;
  const void *probs; /* NULL: none */
  void *unpermuted_tokens;
  RefShare share; /* of the tokens */
} MoeTokenUnpermuteCall;

/* The definition of the operator, with the order of its sums. Returns 0, or -1 (no memory). */
int moe_token_unpermute_with_routing_map_ref(const MoeTokenUnpermuteCall *call);

/* Minimum of bytes moved: the indices, every row and every token once; with probs the map and the
 * probs. */
int64_t moe_token_unpermute_with_routing_map_theory_bytes(const MoeTokenUnpermuteCall *call);

/* An addition per element of a row; with probs a multiplication too. */
int64_t moe_token_unpermute_with_routing_map_theory_ops(const MoeTokenUnpermuteCall *call);

#endif /* ZOO_MOE_TOKEN_UNPERMUTE_WITH_ROUTING_MAP_REF_H_ */
