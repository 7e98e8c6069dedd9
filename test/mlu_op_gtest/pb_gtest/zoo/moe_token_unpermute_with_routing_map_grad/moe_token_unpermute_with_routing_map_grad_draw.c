/* SPDX-License-Identifier: MIT */
#include "moe_token_unpermute_with_routing_map_grad_draw.h"

#include "zoo/moe_token_unpermute_with_routing_map/permuted_rows_draw.h"

enum {
  UNPERMUTED_TOKENS_GRAD,
  PERMUTED_TOKENS,
  SORTED_INDICES,
  ROUTING_MAP,
  PROBS,
  PERMUTED_TOKENS_GRAD,
  PROBS_GRAD,
  N_TENSORS
};

static PermutedRowsDraw draw_good(mluopCaseDraw *draw, mluopDrawTensor *t) {
  const PermutedRowsDraw d = permuted_rows_draw(draw);
  t[UNPERMUTED_TOKENS_GRAD] = (mluopDrawTensor){.id = "unpermuted_tokens_grad",
                                                .dtype = d.dtype,
                                                .rank = 2,
                                                .dims = {d.tokens_num, d.hidden}};
  t[PERMUTED_TOKENS] = (mluopDrawTensor){.id = d.has_probs ? "permuted_tokens" : "NULL",
                                         .dtype = d.dtype,
                                         .rank = 2,
                                         .dims = {d.rows, d.hidden}};
  t[SORTED_INDICES] = (mluopDrawTensor){
      .id = "sorted_indices", .dtype = "DTYPE_INT32", .rank = 1, .dims = {d.rows}};
  t[ROUTING_MAP] = (mluopDrawTensor){
      .id = "routing_map", .dtype = "DTYPE_INT8", .rank = 2, .dims = {d.tokens_num, d.num_experts}};
  t[PROBS] = (mluopDrawTensor){.id = d.has_probs ? "probs" : "NULL",
                               .dtype = d.probs_dtype,
                               .rank = 2,
                               .dims = {d.tokens_num, d.num_experts}};
  t[PERMUTED_TOKENS_GRAD] = (mluopDrawTensor){
      .id = "permuted_tokens_grad", .dtype = d.dtype, .rank = 2, .dims = {d.rows, d.hidden}};
  t[PROBS_GRAD] = (mluopDrawTensor){.id = d.has_probs ? "probs_grad" : "NULL",
                                    .dtype = d.probs_dtype,
                                    .rank = 2,
                                    .dims = {d.tokens_num, d.num_experts}};
  /* All of one sign, so that sums do not cancel and their relative error is meaningful. */
  mluop_draw_reals(draw, &t[UNPERMUTED_TOKENS_GRAD], 0, 4);
  mluop_draw_reals(draw, &t[PERMUTED_TOKENS], 0, 4);
  permuted_rows_draw_indices(draw, &d, &t[SORTED_INDICES]);
  permuted_rows_draw_map(draw, &d, &t[ROUTING_MAP]);
  mluop_draw_reals(draw, &t[PROBS], -10, 10);
  return d;
}

void moe_token_unpermute_with_routing_map_grad_draw(mluopCaseDraw *draw, bool valid) {
  static const PermutedRowsKind kind = {
      .op = "moe_token_unpermute_with_routing_map_grad",
      .criteria =
          "  error_func: DIFF1\n  error_func: DIFF2\n  error_threshold: 0.003\n"
          "  error_threshold: 0.003\n",
      .tensors = N_TENSORS,
      .first_output = PERMUTED_TOKENS_GRAD,
      .needed = {UNPERMUTED_TOKENS_GRAD, SORTED_INDICES, ROUTING_MAP, PERMUTED_TOKENS_GRAD},
      .draw_good = draw_good};
  permuted_rows_draw_case(draw, valid, &kind);
}
