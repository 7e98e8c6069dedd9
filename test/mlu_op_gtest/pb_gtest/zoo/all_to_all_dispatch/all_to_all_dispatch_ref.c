/* SPDX-License-Identifier: MIT */
#include "all_to_all_dispatch_ref.h"

#include <stdbool.h>
#include <string.h>

static int64_t ranks(const AllToAllDispatchCall *c) {
  return c->mesh_rows * c->mesh_cols;
}

static int64_t local_tokens(const AllToAllDispatchCall *c) {
  return c->local_batch * c->local_sequence;
}

int64_t all_to_all_dispatch_group(const AllToAllDispatchCall *c) {
  return c->cluster_axis == 0 ? c->mesh_rows : c->mesh_cols;
}

static bool is_on(const AllToAllDispatchCall *c, int64_t expert, int64_t rank) {
  const int64_t at = expert * ranks(c) + rank;
  return c->map_bytes == 2 ? ((const uint16_t *)c->mapping)[at] == 1
                           : ((const int32_t *)c->mapping)[at] == 1;
}

static bool is_wanted(const AllToAllDispatchCall *c, int64_t owner, int64_t token, int64_t rank) {
  for (int64_t k = 0; k < c->top_k; ++k) {
    const int64_t at = (owner * local_tokens(c) + token) * c->top_k + k;
    const int64_t expert = c->id_bytes == 2 ? (int64_t)((const uint16_t *)c->indices)[at]
                                            : (int64_t)((const int32_t *)c->indices)[at];
    if (expert >= 0 && expert < c->experts && is_on(c, expert, rank)) return true;
  }
  return false;
}

/* Index within the group of a token of the rank at position g. */
static int64_t group_token(const AllToAllDispatchCall *c, int64_t g, int64_t b, int64_t s) {
  const int64_t group = all_to_all_dispatch_group(c);
  return c->concat_dim == 1 ? (g * c->local_batch + b) * c->local_sequence + s
                            : b * c->local_sequence * group + g * c->local_sequence + s;
}

/* What rank d receives from the rank at position g; counts the rows, and writes them if there is an
 * output. */
static int64_t receive(const AllToAllDispatchCall *c, int64_t d, int64_t g) {
  const int64_t owner = c->cluster_axis == 0 ? g * c->mesh_cols + d % c->mesh_cols
                                             : d / c->mesh_cols * c->mesh_cols + g;
  const int64_t tokens = local_tokens(c) * all_to_all_dispatch_group(c);
  const int64_t id_row = c->top_k * c->id_bytes;
  int64_t rows = 0;
  for (int64_t b = 0; b < c->local_batch; ++b) {
    for (int64_t s = 0; s < c->local_sequence; ++s) {
      const int64_t token = b * c->local_sequence + s, from = owner * local_tokens(c) + token;
      const int64_t to = d * tokens + group_token(c, g, b, s);
      const bool wanted = is_wanted(c, owner, token, d);
      rows += wanted;
      if (!c->output) continue;
      memcpy((char *)c->metadata + to * id_row, (const char *)c->indices + from * id_row,
             (size_t)id_row);
      char *row = (char *)c->output + to * c->row_bytes;
      if (wanted)
        memcpy(row, (const char *)c->input + from * c->row_bytes, (size_t)c->row_bytes);
      else
        memset(row, 0, (size_t)c->row_bytes);
    }
  }
  return rows;
}

static int64_t receive_all(const AllToAllDispatchCall *c) {
  int64_t rows = 0;
  for (int64_t d = 0; d < ranks(c); ++d) {
    for (int64_t g = 0; g < all_to_all_dispatch_group(c); ++g) rows += receive(c, d, g);
  }
  return rows;
}

void all_to_all_dispatch_ref(const AllToAllDispatchCall *c) {
  receive_all(c);
}

int64_t all_to_all_dispatch_theory_bytes(const AllToAllDispatchCall *c) {
  AllToAllDispatchCall counting = *c;
  counting.output = NULL;
  const int64_t tokens = ranks(c) * local_tokens(c) * all_to_all_dispatch_group(c);
  return (receive_all(&counting) + tokens) * c->row_bytes + 2 * tokens * c->top_k * c->id_bytes +
         ranks(c) * c->experts * ranks(c) * c->map_bytes;
}
