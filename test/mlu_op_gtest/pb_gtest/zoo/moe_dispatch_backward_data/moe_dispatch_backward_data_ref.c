/* SPDX-License-Identifier: MIT */
#include "moe_dispatch_backward_data_ref.h"

#include <string.h>

#include "test/common/ref_element.h"

/* Row of sample i, or -1 if it is not in dispatch. */
static int64_t row_of(const MoeDispatchBackwardDataCall *call, int64_t i) {
  int64_t expert = call->indices[i];
  int64_t location = call->locations[i];
  if (expert < 0 || expert >= call->num_experts) return -1;
  if (location < 0 || location >= call->capacity) return -1;
  return expert * call->capacity + location;
}

void moe_dispatch_backward_data_ref(const MoeDispatchBackwardDataCall *call) {
  int64_t n = call->hidden;
  memset(call->grad_input, 0, (size_t)(call->samples * n * ref_element_bytes(call->dtype)));
  if (call->num_experts == 0 || call->capacity == 0) return;
  for (int64_t i = 0; i < call->samples; ++i) {
    int64_t row = row_of(call, i);
    if (row < 0) continue;
    float gate = ref_load(call->dtype, call->gates, i);
    for (int64_t j = 0; j < n; ++j) {
      /* The product of two halves is exact in float, so it is rounded once. */
      ref_store(call->dtype, call->grad_input, i * n + j,
                gate * ref_load(call->dtype, call->dispatch, row * n + j));
    }
  }
}

int64_t moe_dispatch_backward_data_rows(const MoeDispatchBackwardDataCall *call) {
  int64_t rows = 0;
  for (int64_t i = 0; i < call->samples; ++i) rows += row_of(call, i) >= 0;
  return rows;
}

int64_t moe_dispatch_backward_data_theory_bytes(const MoeDispatchBackwardDataCall *call) {
  int64_t element = ref_element_bytes(call->dtype);
  return call->samples * (2 * (int64_t)sizeof(int32_t) + element) +
         (moe_dispatch_backward_data_rows(call) + call->samples) * call->hidden * element;
}

int64_t moe_dispatch_backward_data_theory_ops(const MoeDispatchBackwardDataCall *call) {
  return moe_dispatch_backward_data_rows(call) * call->hidden;
}
