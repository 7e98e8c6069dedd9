/* SPDX-License-Identifier: MIT */
#include "all_to_all_combine_ref.h"

#include <string.h>

static int64_t integer_at(const void *data, int bytes, int64_t index) {
  return bytes == 2 ? (int64_t)((const uint16_t *)data)[index]
                    : (int64_t)((const int32_t *)data)[index];
}

static int64_t ranks(const AllToAllCombineCall *c) {
  return c->mesh_rows * c->mesh_cols;
}

int64_t all_to_all_combine_group(const AllToAllCombineCall *c) {
  return c->cluster_axis == 0 ? c->mesh_rows : c->mesh_cols;
}

int64_t all_to_all_combine_rows(const AllToAllCombineCall *c) {
  return c->top_k * c->batch * c->sequence / all_to_all_combine_group(c);
}

/* First position of an expert in a token's ids, or -1. */
static int64_t find(const AllToAllCombineCall *c, int64_t rank, int64_t token, int64_t expert) {
  const int64_t slab = c->is_metadata_shared ? 0 : rank * c->batch * c->sequence * c->top_k;
  for (int64_t k = 0; k < c->top_k; ++k) {
    if (integer_at(c->metadata, c->id_bytes, slab + token * c->top_k + k) == expert) return k;
  }
  return -1;
}

/* Row, counted over all ranks' outputs, of slot k of token (b, s), which the owner receives from
 * rank d. */
static int64_t output_row(const AllToAllCombineCall *c, int64_t d, int64_t b, int64_t s,
                          int64_t k) {
  const int64_t group = all_to_all_combine_group(c);
  const int64_t local_batch = c->shard_dim == 1 ? c->batch / group : c->batch;
  const int64_t local_sequence = c->shard_dim == 2 ? c->sequence / group : c->sequence;
  const int64_t g = c->shard_dim == 1 ? b / local_batch : s / local_sequence;
  const int64_t owner = c->cluster_axis == 0 ? g * c->mesh_cols + d % c->mesh_cols
                                             : d / c->mesh_cols * c->mesh_cols + g;
  return ((owner * c->top_k + k) * local_batch + b % local_batch) * local_sequence +
         s % local_sequence;
}

/* Calls visit(output row, input row) for every row, in the order of writing. */
typedef void (*Visit)(const AllToAllCombineCall *c, int64_t output_row, int64_t input_row,
                      void *arg);

static void visit_token(const AllToAllCombineCall *c, int64_t d, int64_t b, int64_t s, Visit visit,
                        void *arg) {
  const int64_t tokens = c->batch * c->sequence, token = b * c->sequence + s;
  const int64_t experts_per_rank = c->experts / ranks(c);
  int64_t j = 0;
  for (int64_t e = 0; e < c->experts && j < experts_per_rank; ++e) {
    if (integer_at(c->mapping, c->map_bytes, e * ranks(c) + d) != 1) continue;
    const int64_t k = find(c, d, token, e);
    if (k >= 0) {
      const int64_t slab = c->local_reduce ? d : d * experts_per_rank + j;
      visit(c, output_row(c, d, b, s, k), slab * tokens + token, arg);
      if (c->local_reduce) return;
    }
    ++j;
  }
}

static void visit_rows(const AllToAllCombineCall *c, Visit visit, void *arg) {
  for (int64_t d = 0; d < ranks(c); ++d) {
    for (int64_t b = 0; b < c->batch; ++b) {
      for (int64_t s = 0; s < c->sequence; ++s) visit_token(c, d, b, s, visit, arg);
    }
  }
}

static void copy_row(const AllToAllCombineCall *c, int64_t to, int64_t from, void *arg) {
  (void)arg;
  memcpy((char *)c->output + to * c->row_bytes, (const char *)c->input + from * c->row_bytes,
         (size_t)c->row_bytes);
}

static void count_row(const AllToAllCombineCall *c, int64_t to, int64_t from, void *count) {
  (void)c, (void)to, (void)from;
  ++*(int64_t *)count;
}

void all_to_all_combine_ref(const AllToAllCombineCall *c) {
  memset(c->output, 0, (size_t)(ranks(c) * all_to_all_combine_rows(c) * c->row_bytes));
  visit_rows(c, copy_row, NULL);
}

int64_t all_to_all_combine_moved_rows(const AllToAllCombineCall *c) {
  int64_t count = 0;
  visit_rows(c, count_row, &count);
  return count;
}

int64_t all_to_all_combine_theory_bytes(const AllToAllCombineCall *c) {
  const int64_t ids = c->batch * c->sequence * c->top_k * c->id_bytes;
  const int64_t rows = ranks(c) * all_to_all_combine_rows(c) + all_to_all_combine_moved_rows(c);
  return rows * c->row_bytes + ranks(c) * (ids + c->experts * ranks(c) * c->map_bytes);
}
