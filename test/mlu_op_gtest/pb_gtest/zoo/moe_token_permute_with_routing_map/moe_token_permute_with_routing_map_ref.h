/* SPDX-License-Identifier: MIT */
#ifndef ZOO_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_REF_H_
#define ZOO_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_REF_H_

#include <stdbool.h>
#include <stdint.h>

#include "test/common/ref_share.h"

/* One call of the operator on host memory. */
typedef struct MoeTokenPermuteCall {
  int64_t tokens_num, num_experts, hidden, num_out_tokens;
  bool drop_and_pad;
  int64_t token_bytes, probs_bytes, count_bytes; /* of one element */
  const void *tokens;
  const int8_t *routing_map;
  const void *probs; /* NULL: none */
  void *permuted_tokens;
  void *permuted_probs;
  int32_t *sorted_indices;
  void *tokens_per_expert; /* NULL: not requested */
  RefShare share;          /* of the output rows; share 0 also writes everything else */
} MoeTokenPermuteCall;

/* Number of output rows; 0 if there is nothing to permute. */
int64_t moe_token_permute_with_routing_map_rows(const MoeTokenPermuteCall *call);

/* The definition of the operator. */
void moe_token_permute_with_routing_map_ref(const MoeTokenPermuteCall *call);

/* Minimum of bytes moved: the map and the probs, every token once, every row once. */
int64_t moe_token_permute_with_routing_map_theory_bytes(const MoeTokenPermuteCall *call);

#endif /* ZOO_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_REF_H_ */
