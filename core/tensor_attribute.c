/* SPDX-License-Identifier: MIT
 *
 * Attributes of a tensor descriptor other than its shape: on-chip type, pointer mode, quantization.
 */
#include "core/check.h"
#include "core/tensor.h"
#include "core/tool.h"

mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorOnchipDataType(mluOpTensorDescriptor_t desc,
                                                                   mluOpDataType_t onchip_dtype) {
  const char *api = "[mluOpSetTensorDescriptorOnchipDataType]";
  CHECK_DESC(api, desc);
  CHECK_VALUE(api, onchip_dtype,
              onchip_dtype == MLUOP_DTYPE_INVALID || mluop_dtype_size(onchip_dtype) > 0,
              "a data type");
  desc->onchip_dtype = onchip_dtype;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorOnchipDataType(
    const mluOpTensorDescriptor_t desc, mluOpDataType_t *onchip_dtype) {
  const char *api = "[mluOpGetTensorDescriptorOnchipDataType]";
  CHECK_DESC(api, desc);
  CHECK_NOT_NULL(api, onchip_dtype);
  *onchip_dtype = desc->onchip_dtype;
  PARAM_CHECK_V2(api, desc->onchip_dtype != MLUOP_DTYPE_INVALID, "desc has no on-chip data type.");
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorPointerMode(mluOpTensorDescriptor_t desc,
                                                                mluOpPointerMode_t pointer_mode) {
  const char *api = "[mluOpSetTensorDescriptorPointerMode]";
  CHECK_DESC(api, desc);
  CHECK_VALUE(api, pointer_mode,
              pointer_mode == MLUOP_POINTER_MODE_HOST || pointer_mode == MLUOP_POINTER_MODE_DEVICE,
              "MLUOP_POINTER_MODE_HOST or MLUOP_POINTER_MODE_DEVICE");
  desc->pointer_mode = pointer_mode;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorPointerMode(mluOpTensorDescriptor_t desc,
                                                                mluOpPointerMode_t *pointer_mode) {
  const char *api = "[mluOpGetTensorDescriptorPointerMode]";
  CHECK_DESC(api, desc);
  CHECK_NOT_NULL(api, pointer_mode);
  *pointer_mode = desc->pointer_mode;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorPosition(mluOpTensorDescriptor_t desc,
                                                             int position) {
  CHECK_DESC("[mluOpSetTensorDescriptorPosition]", desc);
  desc->position = position;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorPosition(const mluOpTensorDescriptor_t desc,
                                                             int *position) {
  const char *api = "[mluOpGetTensorDescriptorPosition]";
  CHECK_DESC(api, desc);
  CHECK_NOT_NULL(api, position);
  *position = desc->position;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorPositionAndScale(mluOpTensorDescriptor_t desc,
                                                                     int position, float scale) {
  CHECK_DESC("[mluOpSetTensorDescriptorPositionAndScale]", desc);
  desc->position = position;
  desc->scale = scale;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorPositionAndScale(
    const mluOpTensorDescriptor_t desc, int *position, float *scale) {
  const char *api = "[mluOpGetTensorDescriptorPositionAndScale]";
  CHECK_DESC(api, desc);
  CHECK_NOT_NULL(api, position);
  CHECK_NOT_NULL(api, scale);
  *position = desc->position;
  *scale = desc->scale;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorPositionScaleAndOffset(
    mluOpTensorDescriptor_t desc, int position, float scale, int offset) {
  CHECK_DESC("[mluOpSetTensorDescriptorPositionScaleAndOffset]", desc);
  desc->position = position;
  desc->scale = scale;
  desc->offset = offset;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorPositionScaleAndOffset(
    const mluOpTensorDescriptor_t desc, int *position, float *scale, int *offset) {
  const char *api = "[mluOpGetTensorDescriptorPositionScaleAndOffset]";
  CHECK_DESC(api, desc);
  CHECK_NOT_NULL(api, position);
  CHECK_NOT_NULL(api, scale);
  CHECK_NOT_NULL(api, offset);
  *position = desc->position;
  *scale = desc->scale;
  *offset = desc->offset;
  return MLUOP_STATUS_SUCCESS;
}
