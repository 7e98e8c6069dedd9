/* SPDX-License-Identifier: MIT */
#include "moe_dispatch_forward_ref.h"

#include <stdlib.h>

#include "test/common/ref_float.h"

/* Row of sample i, or -1 if it is dropped. */
static int64_t row_of(const MoeDispatchForwardCall *call, int64_t i) {
  int64_t expert = call->indices[i];
  int64_t location = call->locations[i];
  if (expert < 0 || expert >= call->num_experts) return -1;
  if (location < 0 || location >= call->capacity) return -1;
  return expert * call->capacity + location;
}

static void scale_row_float(float *dst, const float *src, float gate, int64_t n) {
  for (int64_t j = 0; j < n; ++j) dst[j] = gate * src[j];
}

/* The product of two halves is exact in float, so it is rounded once. */
static void scale_row_half(uint16_t *dst, const uint16_t *src, uint16_t gate, int64_t n) {
  float factor = ref_half_to_float(gate);
  for (int64_t j = 0; j < n; ++j) dst[j] = ref_float_to_half(factor * ref_half_to_float(src[j]));
}

static void scale_row_bfloat16(uint16_t *dst, const uint16_t *src, uint16_t gate, int64_t n) {
  float factor = ref_bfloat16_to_float(gate);
  for (int64_t j = 0; j < n; ++j)
    dst[j] = ref_float_to_bfloat16(factor * ref_bfloat16_to_float(src[j]));
}

void moe_dispatch_forward_ref(const MoeDispatchForwardCall *call) {
  int64_t n = call->hidden;
  RefRange own = ref_share_range(call->share, call->num_experts * call->capacity);
  for (int64_t i = 0; i < call->samples; ++i) {
    int64_t row = row_of(call, i);
    if (!ref_range_holds(own, row)) continue;
    switch (call->dtype) {
      case MLUOP_DTYPE_FLOAT:
        scale_row_float((float *)call->dispatch + row * n, (const float *)call->input + i * n,
                        ((const float *)call->gates)[i], n);
        break;
      case MLUOP_DTYPE_HALF:
        scale_row_half((uint16_t *)call->dispatch + row * n, (const uint16_t *)call->input + i * n,
                       ((const uint16_t *)call->gates)[i], n);
        break;
      default:
        scale_row_bfloat16((uint16_t *)call->dispatch + row * n,
                           (const uint16_t *)call->input + i * n,
                           ((const uint16_t *)call->gates)[i], n);
    }
  }
}

int64_t moe_dispatch_forward_rows(const MoeDispatchForwardCall *call) {
  if (call->samples == 0) return 0;
  unsigned char *seen = calloc((size_t)(call->num_experts * call->capacity), 1);
  if (!seen) return -1;
  int64_t distinct = 0;
  for (int64_t i = 0; i < call->samples; ++i) {
    int64_t row = row_of(call, i);
    if (row < 0) continue;
    distinct += !seen[row];
    seen[row] = 1;
  }
  free(seen);
  return distinct;
}

int64_t moe_dispatch_forward_theory_bytes(const MoeDispatchForwardCall *call) {
  int64_t element = call->dtype == MLUOP_DTYPE_FLOAT ? 4 : 2;
  int64_t rows = moe_dispatch_forward_rows(call);
  if (rows < 0) return -1;
  return call->samples * (2 * (int64_t)sizeof(int32_t) + element) +
         2 * rows * call->hidden * element;
}

int64_t moe_dispatch_forward_theory_ops(const MoeDispatchForwardCall *call) {
  int64_t rows = moe_dispatch_forward_rows(call);
  return rows < 0 ? -1 : rows * call->hidden;
}
