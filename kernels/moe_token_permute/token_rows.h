/* SPDX-License-Identifier: MIT
 *
 * Arguments of the kernels that go from tokens back to permuted rows. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_TOKEN_ROWS_H_
#define KERNELS_MOE_TOKEN_PERMUTE_TOKEN_ROWS_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct MoeTokenRowsArgs {
  const int32_t *sorted_indices; /* [rows_num] */
  const int8_t *routing_map;     /* [tokens_num, num_experts] */
  const void *probs;             /* [tokens_num, num_experts], or NULL: no weights */
  int64_t tokens_num;
  int num_experts;
  int64_t rows_num;
  bool drop_and_pad;
  int per_token;    /* slots of a token without drop_and_pad */
  int64_t capacity; /* rows of an expert with drop_and_pad */
  int32_t *lists;   /* workspace, [rows_num]; NULL if not needed */
} MoeTokenRowsArgs;

#endif /* KERNELS_MOE_TOKEN_PERMUTE_TOKEN_ROWS_H_ */
