/* SPDX-License-Identifier: MIT
 *
 * The call of moe_token_permute_with_routing_map and its forms, for host and device code. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_PERMUTE_ARGS_H_
#define KERNELS_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_PERMUTE_ARGS_H_

#include <stdbool.h>

#include "core/variant.h"
#include "mlu_op.h"

/* Tasks of a group that adds up its counts. */
#define PERMUTE_GROUP_TASKS 16

/* All sizes are positive. Tokens and probs are only moved, so only the sizes of their types matter.
 */
typedef struct MoeTokenPermuteArgs {
  const int8_t *tokens;
  const int8_t *routing_map;
  const int8_t *probs; /* NULL: none */
  int64_t tokens_num;
  int num_experts;
  int64_t row_bytes;
  int probs_bytes; /* per element; 0: no probs */
  bool drop_and_pad;
  int per_token;    /* rows of a token without drop_and_pad */
  int64_t capacity; /* rows of an expert with drop_and_pad */
  int64_t out_rows;
  int32_t *counts;       /* [tasks, num_experts], selections by the tokens of a task */
  int32_t *group_counts; /* [groups of tasks, num_experts] */
  int32_t *next_rows;    /* [tasks, num_experts], for more experts than fit on chip; else NULL */
  int8_t *permuted_tokens;
  int8_t *permuted_probs;
  int32_t *sorted_indices;
  int8_t *tokens_per_expert; /* NULL: not wanted */
  bool is_count_int64;
  /* Set by the form from device facts. */
  int tile_bytes;
  bool are_copies_in_order; /* copies that touch the same memory need no sync between them */
  bool are_probs_scalar;    /* a scalar store takes less time than to issue a copy */
} MoeTokenPermuteArgs;

/* Most tasks of any form, for which the tables have rows. A core that can run several tasks gets
 * two, because a task spends much time issuing copies. */
static inline size_t permute_max_tasks(mluOpHandle_t handle) {
  const size_t cores = (size_t)mluop_context_core_num(handle);
  return mluop_small_tasks_overlap(&handle->facts) ? 2 * cores : cores;
}

MLUOP_FORM(MoeTokenPermuteReference);

/* A row of the map fits a tile on every device. */
#define SCALAR_TABLES_MAX_EXPERTS 1024
MLUOP_FORM(MoeTokenPermuteScalarTables);

MLUOP_FORM(MoeTokenPermuteOneUnion);
MLUOP_REFUSAL(MoeTokenPermuteOneUnionRefusal);

/* Most rows of a task. */
#define SMALL_TASKS_MAX_ROWS 256
MLUOP_FORM(MoeTokenPermuteSmallTasks);

#endif /* KERNELS_MOE_TOKEN_PERMUTE_WITH_ROUTING_MAP_PERMUTE_ARGS_H_ */
