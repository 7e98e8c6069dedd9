/* SPDX-License-Identifier: MIT */
#include "moe_dispatch_backward_gate_ref.h"

#include "test/common/ref_element.h"

/* Row of sample i, or -1 if it is not in dispatch. */
static int64_t row_of(const MoeDispatchBackwardGateCall *call, int64_t i) {
  int64_t expert = call->indices[i];
  int64_t location = call->locations[i];
  if (expert < 0 || expert >= call->num_experts) return -1;
  if (location < 0 || location >= call->capacity) return -1;
  return expert * call->capacity + location;
}

void moe_dispatch_backward_gate_ref(const MoeDispatchBackwardGateCall *call) {
  int64_t n = call->hidden;
  for (int64_t i = 0; i < call->samples; ++i) {
    /* Without slots the routing arrays may be missing. */
    int64_t row = call->num_experts == 0 || call->capacity == 0 ? -1 : row_of(call, i);
    double sum = 0;
    for (int64_t j = 0; row >= 0 && j < n; ++j) {
      sum += (double)ref_load(call->dtype, call->input, i * n + j) *
             (double)ref_load(call->dtype, call->dispatch, row * n + j);
    }
    ref_store(call->dtype, call->grad_gates, i, (float)sum);
  }
}

static int64_t valid_samples(const MoeDispatchBackwardGateCall *call) {
  int64_t valid = 0;
  for (int64_t i = 0; i < call->samples; ++i) valid += row_of(call, i) >= 0;
  return valid;
}

int64_t moe_dispatch_backward_gate_theory_bytes(const MoeDispatchBackwardGateCall *call) {
  int64_t element = ref_element_bytes(call->dtype);
  return call->samples * (2 * (int64_t)sizeof(int32_t) + element) +
         2 * valid_samples(call) * call->hidden * element;
}

int64_t moe_dispatch_backward_gate_theory_ops(const MoeDispatchBackwardGateCall *call) {
  return 2 * valid_samples(call) * call->hidden;
}
