/* SPDX-License-Identifier: MIT */
#include "moe_token_unpermute_with_routing_map_draw.h"

#include "zoo/moe_token_unpermute_with_routing_map/permuted_rows_draw.h"

enum { PERMUTED_TOKENS, SORTED_INDICES, ROUTING_MAP, PROBS, UNPERMUTED_TOKENS, N_TENSORS };

static PermutedRowsDraw draw_good(mluopCaseDraw *draw, mluopDrawTensor *t) {
  const PermutedRowsDraw d = permuted_rows_draw(draw);
  t[PERMUTED_TOKENS] = (mluopDrawTensor){
      .id = "permuted_tokens", .dtype = d.dtype, .rank = 2, .dims = {d.rows, d.hidden}};
  t[SORTED_INDICES] = (mluopDrawTensor){
      .id = "sorted_indices", .dtype = "DTYPE_INT32", .rank = 1, .dims = {d.rows}};
  t[ROUTING_MAP] = (mluopDrawTensor){
      .id = "routing_map", .dtype = "DTYPE_INT8", .rank = 2, .dims = {d.tokens_num, d.num_experts}};
  t[PROBS] = (mluopDrawTensor){.id = d.has_probs ? "probs" : "NULL",
                               .dtype = d.probs_dtype,
                               .rank = 2,
                               .dims = {d.tokens_num, d.num_experts}};
  t[UNPERMUTED_TOKENS] = (mluopDrawTensor){
      .id = "unpermuted_tokens", .dtype = d.dtype, .rank = 2, .dims = {d.tokens_num, d.hidden}};
  mluop_draw_reals(draw, &t[PERMUTED_TOKENS], -10, 10);
  permuted_rows_draw_indices(draw, &d, &t[SORTED_INDICES]);
  permuted_rows_draw_map(draw, &d, &t[ROUTING_MAP]);
  mluop_draw_reals(draw, &t[PROBS], -10, 10);
  return d;
}

void moe_token_unpermute_with_routing_map_draw(mluopCaseDraw *draw, bool valid) {
  static const PermutedRowsKind kind = {
      .op = "moe_token_unpermute_with_routing_map",
      .criteria = "  error_func: DIFF3\n  error_threshold: 0\n",
      .tensors = N_TENSORS,
      .first_output = UNPERMUTED_TOKENS,
      .needed = {PERMUTED_TOKENS, SORTED_INDICES, ROUTING_MAP, UNPERMUTED_TOKENS},
      .draw_good = draw_good};
  permuted_rows_draw_case(draw, valid, &kind);
}
