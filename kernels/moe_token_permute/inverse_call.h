/* SPDX-License-Identifier: MIT
 *
 * The call of the operators that go from tokens back to permuted rows, and their forms, for host
 * and device code. */
#ifndef KERNELS_MOE_TOKEN_PERMUTE_INVERSE_CALL_H_
#define KERNELS_MOE_TOKEN_PERMUTE_INVERSE_CALL_H_

#include <stdbool.h>

#include "core/variant.h"
#include "kernels/kernel.h"
#include "mlu_op.h"

/* How tokens and permuted rows belong together. */
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
  int32_t *lists;   /* workspace, [rows_num] or more; NULL if not needed */
} MoeTokenRowsArgs;

/* All sizes are positive. What an operator does not have is NULL. */
typedef struct MoeInverseCall {
  mluOpDataType_t dtype;       /* of tokens and rows: float, half or bfloat16 */
  mluOpDataType_t probs_dtype; /* the same, or float with bfloat16 tokens */
  MoeTokenRowsArgs args;
  int64_t hidden;
  const void *rows;       /* permuted tokens, or their gradients */
  const void *row_probs;  /* gradients of the permuted probs */
  const void *token_grad; /* gradients of the unpermuted tokens */
  void *tokens;           /* sums of rows */
  void *row_grad, *probs_grad;
} MoeInverseCall;

MLUOP_FORM(MoeTokenUnpermuteReference);
MLUOP_FORM(MoeTokenPermuteGradReference);
MLUOP_FORM(MoeTokenUnpermuteGradReference);

/* The gradient of an unpermutation: clears the gradients of rows that no token uses; without
 * padding, finds the owners of the others. */
MLUOP_FORM(MoeClearUnusedRows);

/* ---- forms with scalar loops, which read rows in place ---- */

static inline const char *moe_scalar_rows_do_not_pay(mluOpHandle_t handle, const void *call) {
  return mluop_scalar_rows_of_type_do_not_pay(handle, ((const MoeInverseCall *)call)->dtype);
}

/* Sums the rows of each token; also the gradients of the probs, if the call has them. */
MLUOP_FORM(MoeRowSumScalarRows);
/* For calls with probs. */
MLUOP_FORM(MoeTokenUnpermuteGradScalarRows);

/* ---- forms with small tasks: a token, or a part of it ---- */

#define TOKEN_MAX_SLOTS 64
#define TOKEN_MAX_EXPERTS 512
/* Slots of a token whose rows fit a tile of the gradient of an unpermutation. */
#define UNPERMUTE_GRAD_MAX_SLOTS 16

/* Words of the workspace per row for sums with padding. */
#define PADDED_LIST_WORDS 5
/* With padding: lists the rows of each token in the workspace (token_lists.mlu). */
MLUOP_FORM(MoeListTokenRows);
/* Sums the rows of each token; a task has a part of one token. */
MLUOP_FORM(MoeRowSumSmallTasks);
MLUOP_REFUSAL(MoeRowSumRefusal);
MLUOP_FORM(MoeTokenPermuteGradSmallTasks);
MLUOP_FORM(MoeTokenUnpermuteGradSmallTasks);

/* Why such tasks cannot do a call with up to max_slots slots and rows of row_bytes bytes, or NULL.
 */
static inline const char *moe_token_slots_refusal(const MoeTokenRowsArgs *args, int max_slots,
                                                  bool has_map, int64_t row_bytes) {
  if (args->per_token > max_slots) return "a token has too many slots";
  if (has_map && args->num_experts > TOKEN_MAX_EXPERTS) return "there are too many experts";
  const bool is_reached = args->rows_num <= GATHER_SPAN_BYTES / row_bytes;
  return is_reached ? NULL : "the rows are larger than a gather reaches";
}

/* Why the workspace cannot hold the lists of the tokens with padding, or NULL. It may begin
 * anywhere, but atomic operations need aligned words. */
static inline const char *moe_token_lists_refusal(const MoeTokenRowsArgs *args) {
  if (!args->drop_and_pad) return NULL;
  if ((uintptr_t)args->lists % sizeof(int32_t) != 0) return "the workspace is not aligned";
  const bool is_large = 2 * args->tokens_num < (PADDED_LIST_WORDS - 2) * args->rows_num;
  return is_large ? NULL : "there are too many tokens for the workspace";
}

#endif /* KERNELS_MOE_TOKEN_PERMUTE_INVERSE_CALL_H_ */
