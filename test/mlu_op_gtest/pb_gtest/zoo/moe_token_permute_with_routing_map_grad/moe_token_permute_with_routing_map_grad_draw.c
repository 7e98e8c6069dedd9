/* SPDX-License-Identifier: MIT */
#include "moe_token_permute_with_routing_map_grad_draw.h"

#include "zoo/moe_token_unpermute_with_routing_map/permuted_rows_draw.h"

enum {
  PERMUTED_TOKENS_GRAD,
  PERMUTED_PROBS_GRAD,
  SORTED_INDICES,
  ROUTING_MAP,
  TOKENS_GRAD,
  PROBS_GRAD,
  N_TENSORS
};

static PermutedRowsDraw draw_good(mluopCaseDraw *draw, mluopDrawTensor *t) {
  const PermutedRowsDraw d = permuted_rows_draw(draw);
  t[PERMUTED_TOKENS_GRAD] = (mluopDrawTensor){
      .id = "permuted_tokens_grad", .dtype = d.dtype, .rank = 2, .dims = {d.rows, d.hidden}};
  t[PERMUTED_PROBS_GRAD] = (mluopDrawTensor){.id = d.has_probs ? "permuted_probs_grad" : "NULL",
                                             .dtype = d.probs_dtype,
                                             .rank = 1,
                                             .dims = {d.rows}};
  t[SORTED_INDICES] = (mluopDrawTensor){
      .id = "sorted_indices", .dtype = "DTYPE_INT32", .rank = 1, .dims = {d.rows}};
  t[ROUTING_MAP] = (mluopDrawTensor){
      .id = "routing_map", .dtype = "DTYPE_INT8", .rank = 2, .dims = {d.tokens_num, d.num_experts}};
  t[TOKENS_GRAD] = (mluopDrawTensor){
      .id = "tokens_grad", .dtype = d.dtype, .rank = 2, .dims = {d.tokens_num, d.hidden}};
  t[PROBS_GRAD] = (mluopDrawTensor){.id = d.has_probs ? "probs_grad" : "NULL",
                                    .dtype = d.probs_dtype,
                                    .rank = 2,
                                    .dims = {d.tokens_num, d.num_experts}};
  mluop_draw_reals(draw, &t[PERMUTED_TOKENS_GRAD], -10, 10);
  mluop_draw_reals(draw, &t[PERMUTED_PROBS_GRAD], -10, 10);
  permuted_rows_draw_indices(draw, &d, &t[SORTED_INDICES]);
  permuted_rows_draw_map(draw, &d, &t[ROUTING_MAP]);
  return d;
}

void moe_token_permute_with_routing_map_grad_draw(mluopCaseDraw *draw, bool valid) {
  static const PermutedRowsKind kind = {
      .op = "moe_token_permute_with_routing_map_grad",
      .criteria = "  error_func: DIFF3\n  error_threshold: 0\n",
      .tensors = N_TENSORS,
      .first_output = TOKENS_GRAD,
      .needed = {PERMUTED_TOKENS_GRAD, SORTED_INDICES, ROUTING_MAP, TOKENS_GRAD},
      .draw_good = draw_good};
  permuted_rows_draw_case(draw, valid, &kind);
}
