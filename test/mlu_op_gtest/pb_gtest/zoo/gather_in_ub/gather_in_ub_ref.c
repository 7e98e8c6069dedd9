/* SPDX-License-Identifier: MIT */
#include "gather_in_ub_ref.h"

#include <string.h>

void gather_in_ub_ref(const GatherInUbCall *call) {
  for (int64_t j = 0; j < call->k; ++j) {
    int64_t row = paged_ref_row(&call->tables, 0, call->indices[j]);
    char *to = (char *)call->output + j * call->row_bytes;
    if (row < 0)
      memset(to, 0, (size_t)call->row_bytes);
    else
      memcpy(to, (const char *)call->param + row * call->row_bytes, (size_t)call->row_bytes);
  }
}

int64_t gather_in_ub_theory_bytes(const GatherInUbCall *call) {
  int64_t bytes = 0;
  for (int64_t j = 0; j < call->k; ++j) {
    int64_t id = call->indices[j];
    bytes += (int64_t)sizeof(int32_t) + call->row_bytes;
    if (id >= 0 && id < call->tables.entries * call->tables.block_size)
      bytes += (int64_t)sizeof(int32_t);
    if (paged_ref_row(&call->tables, 0, id) >= 0) bytes += call->row_bytes;
  }
  return bytes;
}
