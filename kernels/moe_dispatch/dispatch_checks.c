/* SPDX-License-Identifier: MIT */
#include "kernels/moe_dispatch/dispatch_checks.h"

#include "core/tensor_rules.h"

mluOpStatus_t dispatch_check_tensors(const mluopTensors *tensors) {
  CHECK_TENSORS(tensors, MLUOP_ALL, HANDLE, PRESENT, RANK, BASE_TYPE, TYPE, BFLOAT16);
  for (int i = 0; i < DISPATCH_SCALARS; ++i) {
    if (tensors->sizes[i] >= 0) continue;
    return mluop_fail_value(tensors->api, tensors->table->size_names[i],
                            mluopValueOf(tensors->sizes[i]), "0 or more");
  }
  CHECK_TENSORS(tensors, MLUOP_ALL, SHAPE, LAYOUT, LARGE);
  return MLUOP_STATUS_SUCCESS;
}

void dispatch_record_scalars(mluopGenCase *gen_case, const mluopTensors *tensors) {
  for (int i = 0; i < DISPATCH_SCALARS; ++i) {
    genCaseParamInt(gen_case, tensors->table->size_names[i], tensors->sizes[i]);
  }
}
