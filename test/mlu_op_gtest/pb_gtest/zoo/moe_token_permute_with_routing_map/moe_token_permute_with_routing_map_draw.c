/* SPDX-License-Identifier: MIT */
#include "moe_token_permute_with_routing_map_draw.h"

#include <stddef.h>
#include <stdio.h>

enum {
  TOKENS,
  ROUTING_MAP,
  PROBS,
  PERMUTED_TOKENS,
  PERMUTED_PROBS,
  SORTED_INDICES,
  COUNTS,
  N_TENSORS
};

typedef struct PermuteCase {
  mluopDrawTensor tensors[N_TENSORS];
  int64_t tokens_num, num_experts, hidden, num_out_tokens;
  bool drop_and_pad, has_probs, has_counts;
} PermuteCase;

static void draw_sizes(mluopCaseDraw *draw, PermuteCase *c) {
  c->drop_and_pad = mluop_draw_chance(draw, 50);
  c->tokens_num = mluop_draw_size(draw, 1, 2000);
  c->num_experts = mluop_draw_size(draw, 1, mluop_draw_chance(draw, 10) ? 20000 : 300);
  if (c->tokens_num * c->num_experts > 200000) {
    c->tokens_num = 200000 / c->num_experts;
  }
  int64_t top_k = mluop_draw_size(draw, 0, c->num_experts < 512 ? c->num_experts : 512);
  int64_t capacity = mluop_draw_size(draw, 0, c->tokens_num);
  int64_t rows = c->drop_and_pad ? capacity * c->num_experts : top_k * c->tokens_num;
  c->hidden = mluop_draw_size(draw, 1, mluop_draw_chance(draw, 10) ? 20000 : 600);
  if (rows * c->hidden > 1000000) {
    c->hidden = rows > 1000000 ? 1 : 1000000 / rows;
  }
  /* The remainder of the division is ignored. */
  int64_t groups = c->drop_and_pad ? c->num_experts : c->tokens_num;
  c->num_out_tokens = rows + mluop_draw_between(draw, 0, groups - 1);
  if (c->num_out_tokens > c->tokens_num * c->num_experts) {
    c->num_out_tokens = c->tokens_num * c->num_experts;
  }
}

/* Exactly topK ones per row, or any density: the operator defines the result for both. */
static void draw_map(mluopCaseDraw *draw, PermuteCase *c, int64_t per_token) {
  mluopDrawTensor *map = &c->tensors[ROUTING_MAP];
  int seed = (int)mluop_draw_between(draw, 1, 1000000);
  switch (mluop_draw_between(draw, 0, 3)) {
    case 0: /* values other than 0 and 1, about a third of them 0 */
      mluop_draw_integers(draw, map, -1, 1);
      map->dtype = "DTYPE_INT8";
      break;
    case 1:
      snprintf(map->data, sizeof map->data, "random_data { seed: %d distribution: BINOMIAL }",
               seed);
      break;
    default:
      snprintf(
          map->data, sizeof map->data,
          "random_data { seed: %d distribution: BINOMIAL dim_shape: %lld true_number: %lld }", seed,
          (long long)c->tokens_num,
          (long long)(c->drop_and_pad ? mluop_draw_between(draw, 0, c->num_experts) : per_token));
      break;
  }
}

static void draw_good(mluopCaseDraw *draw, PermuteCase *c) {
  static const char *const dtypes[] = {"DTYPE_FLOAT", "DTYPE_HALF", "DTYPE_BFLOAT16"};
  const char *dtype = dtypes[mluop_draw_between(draw, 0, 2)];
  draw_sizes(draw, c);
  c->has_probs = mluop_draw_chance(draw, 70);
  c->has_counts = mluop_draw_chance(draw, 50);
  int64_t groups = c->drop_and_pad ? c->num_experts : c->tokens_num;
  int64_t rows = c->num_out_tokens / groups * groups;
  const char *probs_dtype = dtype[6] == 'B' && mluop_draw_chance(draw, 50) ? "DTYPE_FLOAT" : dtype;
  mluopDrawTensor *t = c->tensors;
  t[TOKENS] = (mluopDrawTensor){
      .id = "tokens", .dtype = dtype, .rank = 2, .dims = {c->tokens_num, c->hidden}};
  t[ROUTING_MAP] =
      (mluopDrawTensor){.id = "routing_map",
                        .dtype = mluop_draw_chance(draw, 50) ? "DTYPE_BOOL" : "DTYPE_INT8",
                        .rank = 2,
                        .dims = {c->tokens_num, c->num_experts}};
  t[PROBS] = (mluopDrawTensor){.id = c->has_probs ? "probs" : "NULL",
                               .dtype = probs_dtype,
                               .rank = 2,
                               .dims = {c->tokens_num, c->num_experts}};
  t[PERMUTED_TOKENS] = (mluopDrawTensor){
      .id = "permuted_tokens", .dtype = dtype, .rank = 2, .dims = {rows, c->hidden}};
  t[PERMUTED_PROBS] = (mluopDrawTensor){.id = c->has_probs ? "permuted_probs" : "NULL",
                                        .dtype = probs_dtype,
                                        .rank = 1,
                                        .dims = {rows}};
  t[SORTED_INDICES] =
      (mluopDrawTensor){.id = "sorted_indices", .dtype = "DTYPE_INT32", .rank = 1, .dims = {rows}};
  t[COUNTS] =
      (mluopDrawTensor){.id = "tokens_per_expert",
                        .dtype = mluop_draw_chance(draw, 50) ? "DTYPE_INT32" : "DTYPE_INT64",
                        .rank = 1,
                        .dims = {c->num_experts}};
  mluop_draw_reals(draw, &t[TOKENS], -100, 100);
  mluop_draw_reals(draw, &t[PROBS], 0, 1);
  draw_map(draw, c, c->num_out_tokens / c->tokens_num);
}

/* Makes one thing invalid; returns the status that the operator must return. */
static const char *spoil(mluopCaseDraw *draw, PermuteCase *c) {
  mluopDrawTensor *t = c->tensors;
  static const int needed[] = {TOKENS, ROUTING_MAP, PERMUTED_TOKENS, SORTED_INDICES};
  mluopDrawTensor *any = &t[needed[mluop_draw_between(draw, 0, 3)]];
  switch (mluop_draw_between(draw, 0, 6)) {
    case 0:
      any->id = "NULL";
      break;
    case 1:
      any->dims[any->rank++] = 1;
      break;
    case 2:
      any->dims[0] += mluop_draw_between(draw, 1, 3);
      mluop_draw_integers(draw, any, 0, 1); /* legal for any size */
      break;
    case 3:
      any->dtype = "DTYPE_INT64";
      mluop_draw_integers(draw, any, 0, 3);
      break;
    case 4:
      c->num_out_tokens = -mluop_draw_between(draw, 1, 5);
      break;
    case 5:
      c->num_out_tokens = c->tokens_num * c->num_experts + mluop_draw_between(draw, 1, 5);
      break;
    default:
      t[TOKENS].has_strides = true;
      t[TOKENS].strides[0] = c->hidden + 2;
      t[TOKENS].strides[1] = 1;
      return "MLUOP_STATUS_NOT_SUPPORTED";
  }
  return "MLUOP_STATUS_BAD_PARAM";
}

void moe_token_permute_with_routing_map_draw(mluopCaseDraw *draw, bool valid) {
  PermuteCase c;
  const char *status = NULL;
  draw_good(draw, &c);
  if (!valid) {
    /* With a single row or none, some of the mistakes would be legal. */
    while (c.tokens_num < 2 || c.tensors[PERMUTED_TOKENS].dims[0] == 0) {
      draw_good(draw, &c);
    }
    status = spoil(draw, &c);
  }
  mluop_draw_begin(draw, "moe_token_permute_with_routing_map", status);
  for (int i = 0; i < N_TENSORS; ++i) {
    if (i != COUNTS || c.has_counts) {
      mluop_draw_tensor(draw, i >= PERMUTED_TOKENS ? "output" : "input", &c.tensors[i]);
    }
  }
  mluop_text_add(
      &draw->text,
      "moe_token_permute_with_routing_map_param {\n  num_out_tokens: %lld\n"
      "  drop_and_pad: %s\n}\n"
      "test_param {\n  error_func: DIFF3\n  error_threshold: 0\n  baseline_device: CPU\n}\n",
      (long long)c.num_out_tokens, c.drop_and_pad ? "true" : "false");
}
