/* SPDX-License-Identifier: MIT */
#include "kernels/moe_dispatch/dispatch_checks.h"

#include "core/tensor_rules.h"
#include "kernels/kernel.h"

mluOpStatus_t dispatch_check_tensors(mluopTensors *tensors) {
  CHECK_TENSORS(tensors, MLUOP_ALL, HANDLE, PRESENT, RANK, BASE_TYPE, TYPE, BFLOAT16);
  for (int i = 0; i < DISPATCH_SCALARS; ++i) {
    if (tensors->sizes[i] >= 0) continue;
    return mluop_fail_value(tensors->api, tensors->table->size_names[i],
                            mluopValueOf(tensors->sizes[i]), "0 or more");
  }
  CHECK_TENSORS(tensors, MLUOP_ALL, SHAPE, LAYOUT, LARGE);
  return MLUOP_STATUS_SUCCESS;
}

const char *dispatch_gather_refusal(mluOpHandle_t handle, const void *call) {
  const MoeDispatchCall *c = call;
  (void)handle;
  return dispatch_rows(&c->routing) > GATHER_SPAN_BYTES / c->row_bytes
             ? "dispatch is larger than a gather reaches"
             : NULL;
}
