/* SPDX-License-Identifier: MIT */
#include "core/tensor.h"

#include <stdlib.h>
#include <string.h>

#include "core/tool.h"

void mluop_tensor_init(mluOpTensorDescriptor_t desc) {
  memset(desc, 0, sizeof(*desc));
  desc->dtype = MLUOP_DTYPE_FLOAT;
  desc->onchip_dtype = MLUOP_DTYPE_INVALID;
  desc->layout = MLUOP_LAYOUT_ARRAY;
  desc->pointer_mode = MLUOP_POINTER_MODE_DEVICE;
  desc->scale = 1.0f;
  desc->dims = desc->inline_dims;
  desc->strides = desc->inline_strides;
}

void mluop_tensor_release(mluOpTensorDescriptor_t desc) {
  if (desc->dims != desc->inline_dims) free(desc->dims);
}

bool mluop_tensor_is_strided(mluOpTensorDescriptor_t desc) {
  int64_t base = 1;
  for (int i = desc->dim - 1; i >= 0; --i) {
    if (desc->dims[i] == 1) continue;
    if (desc->strides[i] != base) return true;
    if (__builtin_mul_overflow(base, desc->dims[i], &base)) base = INT64_MAX;
  }
  return false;
}

int64_t mluop_tensor_extent(mluOpTensorDescriptor_t desc) {
  if (desc->total_num == 0) return 0;
  int64_t extent = 1;
  for (int i = 0; i < desc->dim; ++i) extent += (desc->dims[i] - 1) * desc->strides[i];
  return extent;
}

size_t mluop_tensor_bytes(mluOpTensorDescriptor_t desc) {
  return (size_t)mluop_tensor_extent(desc) * mluop_dtype_size(desc->dtype);
}
