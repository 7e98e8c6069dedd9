/* SPDX-License-Identifier: MIT */
#include "gather_in_ub_batched_ref.h"

#include <string.h>

void gather_in_ub_batched_ref(const GatherInUbBatchedCall *call) {
  RefRange own = ref_share_range(call->share, call->queries.queries);
  char *to = (char *)call->output + own.begin * call->queries.k * call->row_bytes;
  for (int64_t q = own.begin; q < own.end; ++q) {
    for (int64_t j = 0; j < call->queries.k; ++j, to += call->row_bytes) {
      int64_t row = paged_ref_query_row(&call->tables, &call->queries, q, j);
      if (row < 0)
        memset(to, 0, (size_t)call->row_bytes);
      else
        memcpy(to, (const char *)call->param + row * call->row_bytes, (size_t)call->row_bytes);
    }
  }
}

int64_t gather_in_ub_batched_theory_bytes(const GatherInUbBatchedCall *call) {
  int64_t bytes =
      call->queries.queries * call->queries.k * ((int64_t)sizeof(int32_t) + call->row_bytes);
  for (int64_t q = 0; q < call->queries.queries; ++q) {
    for (int64_t j = 0; j < call->queries.k; ++j) {
      if (paged_ref_query_row(&call->tables, &call->queries, q, j) >= 0)
        bytes += (int64_t)sizeof(int32_t) + call->row_bytes;
    }
  }
  return bytes;
}
