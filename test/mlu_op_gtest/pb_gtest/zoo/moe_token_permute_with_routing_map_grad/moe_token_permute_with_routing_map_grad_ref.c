/* SPDX-License-Identifier: MIT */
#include "moe_token_permute_with_routing_map_grad_ref.h"

#include <stdlib.h>
#include <string.h>

#include "test/common/ref_element.h"

/* Sums in float. A flag per token marks started sums, because the first term is copied, not added
 * to 0. */
typedef struct Sums {
  float *sum;
  bool *is_begun;
} Sums;

static void add_row(const MoeTokenPermuteGradCall *call, const Sums *sums, int64_t token,
                    int64_t row) {
  int64_t n = call->hidden;
  float *sum = sums->sum + token * n;
  for (int64_t j = 0; j < n; ++j) {
    float term = ref_load(call->dtype, call->permuted_tokens_grad, row * n + j);
    sum[j] = sums->is_begun[token] ? sum[j] + term : term;
  }
  sums->is_begun[token] = true;
}

static void copy_prob(const MoeTokenPermuteGradCall *call, int64_t token, int64_t expert,
                      int64_t row) {
  if (!call->permuted_probs_grad) return;
  memcpy((char *)call->probs_grad + (token * call->num_experts + expert) * call->probs_bytes,
         (const char *)call->permuted_probs_grad + row * call->probs_bytes,
         (size_t)call->probs_bytes);
}

static void undo_slots(const MoeTokenPermuteGradCall *call, const Sums *sums) {
  int64_t top_k = call->rows / call->tokens_num;
  RefRange own = ref_share_range(call->share, call->tokens_num);
  for (int64_t t = own.begin; t < own.end; ++t) {
    for (int64_t slot = 0; slot < top_k; ++slot) {
      int64_t row = call->sorted_indices[t * top_k + slot];
      if (row >= 0 && row < call->rows) add_row(call, sums, t, row);
    }
    int64_t rank = 0;
    for (int64_t e = 0; e < call->num_experts && rank < top_k; ++e) {
      if (call->routing_map[t * call->num_experts + e] == 0) continue;
      int64_t row = call->sorted_indices[t * top_k + rank++];
      if (row >= 0 && row < call->rows) copy_prob(call, t, e, row);
    }
  }
}

static void undo_rows(const MoeTokenPermuteGradCall *call, const Sums *sums) {
  int64_t capacity = call->rows / call->num_experts;
  RefRange own = ref_share_range(call->share, call->tokens_num);
  for (int64_t row = 0; row < call->rows; ++row) {
    int64_t token = call->sorted_indices[row];
    if (!ref_range_holds(own, token)) continue;
    add_row(call, sums, token, row);
    copy_prob(call, token, row / capacity, row);
  }
}

int moe_token_permute_with_routing_map_grad_ref(const MoeTokenPermuteGradCall *call) {
  int64_t count = call->tokens_num * call->hidden;
  if (count == 0 || call->num_experts == 0) return 0;
  RefRange own = ref_share_range(call->share, call->tokens_num);
  int64_t probs_row = call->num_experts * call->probs_bytes;
  if (call->permuted_probs_grad || call->probs_bytes > 0)
    memset((char *)call->probs_grad + own.begin * probs_row, 0,
           (size_t)((own.end - own.begin) * probs_row));
  Sums sums = {calloc((size_t)count, sizeof(float)),
               calloc((size_t)call->tokens_num, sizeof(bool))};
  if (sums.sum && sums.is_begun) {
    if (call->rows > 0 && call->drop_and_pad) undo_rows(call, &sums);
    if (call->rows > 0 && !call->drop_and_pad) undo_slots(call, &sums);
    for (int64_t i = own.begin * call->hidden; i < own.end * call->hidden; ++i)
      ref_store(call->dtype, call->tokens_grad, i, sums.sum[i]);
  }
  int result = sums.sum && sums.is_begun ? 0 : -1;
  free(sums.sum);
  free(sums.is_begun);
  return result;
}

int64_t moe_token_permute_with_routing_map_grad_theory_bytes(const MoeTokenPermuteGradCall *call) {
  int64_t row_bytes = call->hidden * ref_element_bytes(call->dtype);
  int64_t map_bytes = call->probs_bytes > 0 ? 1 + call->probs_bytes : 0;
  return call->rows * ((int64_t)sizeof(int32_t) + row_bytes + call->probs_bytes) +
         call->tokens_num * (row_bytes + call->num_experts * map_bytes);
}

int64_t moe_token_permute_with_routing_map_grad_theory_ops(const MoeTokenPermuteGradCall *call) {
  return call->rows * call->hidden;
}
