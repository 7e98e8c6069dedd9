/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_H_
#define KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_H_

#include <stdbool.h>
#include <stdint.h>

#include "cnrt.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A task keeps one number per expert on chip up to this many experts, and in memory beyond. */
#define PERMUTE_ONCHIP_EXPERTS 2048
/* Tasks whose counts may be added up before all of them read the sums. */
#define PERMUTE_GROUP_TASKS 16

/* What the kernels need. Tokens and probs are only moved, so their types are no more than sizes.
 */
typedef struct MoeTokenPermuteArgs {
  const int8_t *tokens;
  const int8_t *routing_map;
  const int8_t *probs; /* NULL: none */
  int64_t tokens_num;
  int num_experts;
  int64_t row_bytes;
  int probs_bytes; /* of one element */
  bool drop_and_pad;
  int per_token;    /* rows of one token, when not drop_and_pad */
  int64_t capacity; /* rows of one expert, when drop_and_pad */
  int64_t out_rows;
  int32_t *counts;       /* [tasks, num_experts]: selections among the tokens of a task */
  int32_t *group_counts; /* [groups of tasks, num_experts] */
  int32_t
      *next_rows; /* [tasks, num_experts] when there are too many experts for the chip, or NULL */
  int8_t *permuted_tokens;
  int8_t *permuted_probs;
  int32_t *sorted_indices;
  void *tokens_per_expert; /* NULL: not wanted */
  bool is_count_int64;
} MoeTokenPermuteArgs;

/* Tasks for the tokens: single ones, and as one union, if it has tasks at all. */
typedef struct PermuteTasks {
  cnrtDim3_t blocks;
  cnrtDim3_t in_union;
  cnrtFunctionType_t union_type;
} PermuteTasks;

/* Launches the kernels; all sizes are positive. */
mluOpStatus_t KernelMoeTokenPermuteWithRoutingMap(const PermuteTasks *tasks, cnrtQueue_t queue,
                                                  const MoeTokenPermuteArgs *args);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_MOE_TOKEN_PERMUTE_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_H_ */
