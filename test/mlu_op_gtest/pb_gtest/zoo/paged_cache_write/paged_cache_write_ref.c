/* SPDX-License-Identifier: MIT */
#include "paged_cache_write_ref.h"

#include <string.h>

static int64_t row_of(const PagedCacheWriteCall *call, int64_t i) {
  return paged_ref_row(&call->tables, call->request_ids ? call->request_ids[i] : 0,
                       call->positions[i]);
}

void paged_cache_write_ref(const PagedCacheWriteCall *call) {
  RefRange own = ref_share_range(call->share, call->tables.token_size);
  for (int64_t i = 0; i < call->n; ++i) {
    int64_t row = row_of(call, i);
    if (!ref_range_holds(own, row)) continue;
    memcpy((char *)call->cache + row * call->row_bytes,
           (const char *)call->input + i * call->row_bytes, (size_t)call->row_bytes);
  }
}

int64_t paged_cache_write_theory_bytes(const PagedCacheWriteCall *call) {
  int64_t word = (int64_t)sizeof(int32_t);
  int64_t bytes = call->n * word * (call->request_ids ? 2 : 1);
  for (int64_t i = 0; i < call->n; ++i) {
    if (row_of(call, i) >= 0) bytes += word + 2 * call->row_bytes;
  }
  return bytes;
}
