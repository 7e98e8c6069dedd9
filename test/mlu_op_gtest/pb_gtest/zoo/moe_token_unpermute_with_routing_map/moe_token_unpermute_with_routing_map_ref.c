/* SPDX-License-Identifier: MIT */
#include "moe_token_unpermute_with_routing_map_ref.h"

#include <stdlib.h>

#include "test/common/ref_element.h"

/* Sums in float. A flag per token marks started sums, because the first term is copied, not added
 * to 0. */
typedef struct Sums {
  float *sum;
  bool *is_begun;
} Sums;

static void add_row(const MoeTokenUnpermuteCall *call, const Sums *sums, int64_t token, int64_t row,
                    int64_t expert) {
  int64_t n = call->hidden;
  float *sum = sums->sum + token * n;
  for (int64_t j = 0; j < n; ++j) {
    float term = ref_load(call->dtype, call->permuted_tokens, row * n + j);
    if (call->probs)
      term *= ref_load(call->probs_dtype, call->probs, token * call->num_experts + expert);
    sum[j] = sums->is_begun[token] ? sum[j] + term : term;
  }
  sums->is_begun[token] = true;
}

/* The token's selected expert number `rank`, or -1. */
static int64_t expert_at(const MoeTokenUnpermuteCall *call, int64_t token, int64_t rank) {
  for (int64_t e = 0; e < call->num_experts; ++e) {
    if (call->routing_map[token * call->num_experts + e] != 0 && rank-- == 0) return e;
  }
  return -1;
}

static void add_slots(const MoeTokenUnpermuteCall *call, const Sums *sums) {
  int64_t top_k = call->rows / call->tokens_num;
  RefRange own = ref_share_range(call->share, call->tokens_num);
  for (int64_t t = own.begin; t < own.end; ++t) {
    for (int64_t slot = 0; slot < top_k; ++slot) {
      int64_t row = call->sorted_indices[t * top_k + slot];
      int64_t expert = call->probs ? expert_at(call, t, slot) : 0;
      if (row >= 0 && row < call->rows && expert >= 0) add_row(call, sums, t, row, expert);
    }
  }
}

static void add_rows(const MoeTokenUnpermuteCall *call, const Sums *sums) {
  int64_t capacity = call->rows / call->num_experts;
  RefRange own = ref_share_range(call->share, call->tokens_num);
  for (int64_t row = 0; row < call->rows; ++row) {
    int64_t token = call->sorted_indices[row];
    if (ref_range_holds(own, token)) add_row(call, sums, token, row, row / capacity);
  }
}

int moe_token_unpermute_with_routing_map_ref(const MoeTokenUnpermuteCall *call) {
  int64_t count = call->tokens_num * call->hidden;
  if (count == 0) return 0;
  Sums sums = {calloc((size_t)count, sizeof(float)),
               calloc((size_t)call->tokens_num, sizeof(bool))};
  if (sums.sum && sums.is_begun) {
    if (call->rows > 0 && call->drop_and_pad) add_rows(call, &sums);
    if (call->rows > 0 && !call->drop_and_pad) add_slots(call, &sums);
    RefRange own = ref_share_range(call->share, call->tokens_num);
    for (int64_t i = own.begin * call->hidden; i < own.end * call->hidden; ++i)
      ref_store(call->dtype, call->unpermuted_tokens, i, sums.sum[i]);
  }
  int result = sums.sum && sums.is_begun ? 0 : -1;
  free(sums.sum);
  free(sums.is_begun);
  return result;
}

int64_t moe_token_unpermute_with_routing_map_theory_bytes(const MoeTokenUnpermuteCall *call) {
  int64_t row_bytes = call->hidden * ref_element_bytes(call->dtype);
  int64_t weight_bytes = call->probs ? 1 + ref_element_bytes(call->probs_dtype) : 0;
  return call->rows * ((int64_t)sizeof(int32_t) + row_bytes) + call->tokens_num * row_bytes +
         call->tokens_num * call->num_experts * weight_bytes;
}

int64_t moe_token_unpermute_with_routing_map_theory_ops(const MoeTokenUnpermuteCall *call) {
  return (call->probs ? 2 : 1) * call->rows * call->hidden;
}
