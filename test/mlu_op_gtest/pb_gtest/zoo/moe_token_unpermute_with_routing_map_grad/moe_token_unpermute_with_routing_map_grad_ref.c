/* SPDX-License-Identifier: MIT */
#include "moe_token_unpermute_with_routing_map_grad_ref.h"

#include <stdlib.h>
#include <string.h>

#include "test/common/ref_element.h"

/* A token's use of a row. */
typedef struct Use {
  int64_t token, row, expert; /* expert -1: the slot has no selection */
} Use;

static void put_row(const MoeTokenUnpermuteGradCall *call, Use use) {
  int64_t n = call->hidden, prob = use.token * call->num_experts + use.expert;
  if (!call->probs) {
    int64_t bytes = n * ref_element_bytes(call->dtype);
    memcpy((char *)call->permuted_tokens_grad + use.row * bytes,
           (const char *)call->unpermuted_tokens_grad + use.token * bytes, (size_t)bytes);
    return;
  }
  float weight = use.expert < 0 ? 0 : ref_load(call->probs_dtype, call->probs, prob);
  double sum = 0;
  for (int64_t j = 0; j < n; ++j) {
    float grad = ref_load(call->dtype, call->unpermuted_tokens_grad, use.token * n + j);
    ref_store(call->dtype, call->permuted_tokens_grad, use.row * n + j,
              use.expert < 0 ? 0 : weight * grad);
    sum += (double)grad * (double)ref_load(call->dtype, call->permuted_tokens, use.row * n + j);
  }
  if (use.expert >= 0) ref_store(call->probs_dtype, call->probs_grad, prob, (float)sum);
}

/* The token's selected expert number `rank`, or -1. */
static int64_t expert_at(const MoeTokenUnpermuteGradCall *call, int64_t token, int64_t rank) {
  for (int64_t e = 0; e < call->num_experts; ++e) {
    if (call->routing_map[token * call->num_experts + e] != 0 && rank-- == 0) return e;
  }
  return -1;
}

/* The use that index i describes; its row is -1 if there is none. */
static Use use_of(const MoeTokenUnpermuteGradCall *call, int64_t i) {
  int64_t top_k = call->rows / call->tokens_num, capacity = call->rows / call->num_experts;
  int64_t index = call->sorted_indices[i];
  if (index < 0 || index >= (call->drop_and_pad ? call->tokens_num : call->rows))
    return (Use){-1, -1, -1};
  if (call->drop_and_pad) return (Use){index, i, i / capacity};
  return (Use){i / top_k, index, call->probs ? expert_at(call, i / top_k, i % top_k) : -1};
}

/* Marks the rows that are used; false if one is used twice. */
static bool mark_rows(const MoeTokenUnpermuteGradCall *call, bool *is_used) {
  bool distinct = true;
  for (int64_t i = 0; i < call->rows; ++i) {
    int64_t index = call->sorted_indices[i], row = call->drop_and_pad ? i : index;
    if (index < 0 || index >= (call->drop_and_pad ? call->tokens_num : call->rows)) continue;
    distinct &= !is_used[row];
    is_used[row] = true;
  }
  return distinct;
}

static void clear_unused(const MoeTokenUnpermuteGradCall *call, const bool *is_used,
                         RefRange rows) {
  int64_t bytes = call->hidden * ref_element_bytes(call->dtype);
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    if (!is_used[row]) memset((char *)call->permuted_tokens_grad + row * bytes, 0, (size_t)bytes);
  }
}

int moe_token_unpermute_with_routing_map_grad_ref(const MoeTokenUnpermuteGradCall *call) {
  if (call->tokens_num == 0 || call->num_experts == 0 || call->hidden == 0) return 0;
  bool *is_used = calloc((size_t)call->rows + 1, sizeof *is_used);
  if (!is_used) return -1;
  RefShare share = call->share;
  if (!mark_rows(call, is_used)) share = (RefShare){0, share.index == 0 ? 0 : -1};
  if (share.count >= 0) {
    RefRange tokens = ref_share_range(share, call->tokens_num);
    int64_t probs_row = call->num_experts * ref_element_bytes(call->probs_dtype);
    if (call->probs)
      memset((char *)call->probs_grad + tokens.begin * probs_row, 0,
             (size_t)((tokens.end - tokens.begin) * probs_row));
    clear_unused(call, is_used, ref_share_range(share, call->rows));
    for (int64_t i = 0; i < call->rows; ++i) {
      Use use = use_of(call, i);
      if (ref_range_holds(tokens, use.token)) put_row(call, use);
    }
  }
  free(is_used);
  return 0;
}

int64_t moe_token_unpermute_with_routing_map_grad_theory_bytes(
    const MoeTokenUnpermuteGradCall *call) {
  int64_t row_bytes = call->hidden * ref_element_bytes(call->dtype);
  int64_t weight_bytes = call->probs ? 1 + 2 * ref_element_bytes(call->probs_dtype) : 0;
  return call->rows * ((int64_t)sizeof(int32_t) + (call->probs ? 2 : 1) * row_bytes) +
         call->tokens_num * (row_bytes + call->num_experts * weight_bytes);
}

int64_t moe_token_unpermute_with_routing_map_grad_theory_ops(
    const MoeTokenUnpermuteGradCall *call) {
  return call->probs ? 3 * call->rows * call->hidden : 0;
}
