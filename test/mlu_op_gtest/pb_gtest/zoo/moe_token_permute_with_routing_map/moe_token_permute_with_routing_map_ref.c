/* SPDX-License-Identifier: MIT */
#include "moe_token_permute_with_routing_map_ref.h"

#include <string.h>

typedef struct Row {
  int64_t row, token, expert;
} Row;

static void put_row(const MoeTokenPermuteCall *call, Row r) {
  RefRange own = ref_share_range(call->share, moe_token_permute_with_routing_map_rows(call));
  if (!ref_range_holds(own, r.row)) return;
  int64_t row_bytes = call->hidden * call->token_bytes;
  memcpy((char *)call->permuted_tokens + r.row * row_bytes,
         (const char *)call->tokens + r.token * row_bytes, (size_t)row_bytes);
  if (!call->probs) return;
  memcpy((char *)call->permuted_probs + r.row * call->probs_bytes,
         (const char *)call->probs + (r.token * call->num_experts + r.expert) * call->probs_bytes,
         (size_t)call->probs_bytes);
}

static void put_count(const MoeTokenPermuteCall *call, int64_t expert, int64_t count) {
  if (!call->tokens_per_expert || call->share.index > 0) return;
  if (call->count_bytes == 8)
    ((int64_t *)call->tokens_per_expert)[expert] = count;
  else
    ((int32_t *)call->tokens_per_expert)[expert] = (int32_t)count;
}

static bool selects(const MoeTokenPermuteCall *call, int64_t token, int64_t expert) {
  return call->routing_map[token * call->num_experts + expert] != 0;
}

/* How many lower experts the token selects. */
static int64_t rank_of(const MoeTokenPermuteCall *call, int64_t token, int64_t expert) {
  int64_t rank = 0;
  for (int64_t e = 0; e < expert; ++e) rank += selects(call, token, e);
  return rank;
}

static void permute(const MoeTokenPermuteCall *call) {
  int64_t top_k = call->num_out_tokens / call->tokens_num;
  int64_t rows = moe_token_permute_with_routing_map_rows(call);
  bool first_share = call->share.index == 0;
  for (int64_t i = 0; first_share && i < rows; ++i) call->sorted_indices[i] = -1;
  int64_t row = 0;
  for (int64_t e = 0; e < call->num_experts; ++e) {
    int64_t first = row;
    for (int64_t t = 0; t < call->tokens_num; ++t) {
      if (!selects(call, t, e)) continue;
      int64_t rank = rank_of(call, t, e);
      if (rank >= top_k) continue;
      put_row(call, (Row){row, t, e});
      if (first_share) call->sorted_indices[t * top_k + rank] = (int32_t)row;
      ++row;
    }
    put_count(call, e, row - first);
  }
  if (!first_share) return;
  int64_t row_bytes = call->hidden * call->token_bytes;
  memset((char *)call->permuted_tokens + row * row_bytes, 0, (size_t)((rows - row) * row_bytes));
  if (call->probs)
    memset((char *)call->permuted_probs + row * call->probs_bytes, 0,
           (size_t)((rows - row) * call->probs_bytes));
}

static void permute_padded(const MoeTokenPermuteCall *call) {
  int64_t capacity = call->num_out_tokens / call->num_experts;
  for (int64_t e = 0; e < call->num_experts; ++e) {
    int64_t place = 0;
    /* First the tokens that select the expert, then the others. */
    for (int wanted = 1; wanted >= 0; --wanted) {
      for (int64_t t = 0; t < call->tokens_num && place < capacity; ++t) {
        if (selects(call, t, e) != (wanted == 1)) continue;
        int64_t row = e * capacity + place++;
        put_row(call, (Row){row, t, e});
        if (call->share.index == 0) call->sorted_indices[row] = (int32_t)t;
      }
      if (wanted == 1) put_count(call, e, place);
    }
  }
}

int64_t moe_token_permute_with_routing_map_rows(const MoeTokenPermuteCall *call) {
  if (call->tokens_num == 0 || call->num_experts == 0 || call->hidden == 0) return 0;
  int64_t groups = call->drop_and_pad ? call->num_experts : call->tokens_num;
  return call->num_out_tokens / groups * groups;
}

void moe_token_permute_with_routing_map_ref(const MoeTokenPermuteCall *call) {
  if (moe_token_permute_with_routing_map_rows(call) == 0) {
    for (int64_t e = 0; e < call->num_experts; ++e) put_count(call, e, 0);
  } else if (call->drop_and_pad) {
    permute_padded(call);
  } else {
    permute(call);
  }
}

int64_t moe_token_permute_with_routing_map_theory_bytes(const MoeTokenPermuteCall *call) {
  int64_t rows = moe_token_permute_with_routing_map_rows(call);
  int64_t row_bytes = call->hidden * call->token_bytes;
  int64_t probs_bytes = call->probs ? call->probs_bytes : 0;
  int64_t count_bytes = call->tokens_per_expert ? call->count_bytes * call->num_experts : 0;
  if (rows == 0) return count_bytes;
  return call->tokens_num * (call->num_experts * (1 + probs_bytes) + row_bytes) +
         rows * (row_bytes + probs_bytes + (int64_t)sizeof(int32_t)) + count_bytes;
}
