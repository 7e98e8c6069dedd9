/* SPDX-License-Identifier: MIT */
#include "run/descriptor.h"

/* Layouts have other numbers in the schema than in the library. */
static mluOpTensorLayout_t library_layout(Mluoptest__TensorLayout layout) {
  switch (layout) {
    case MLUOPTEST__TENSOR_LAYOUT__LAYOUT_NCHW:
      return MLUOP_LAYOUT_NCHW;
    case MLUOPTEST__TENSOR_LAYOUT__LAYOUT_NHWC:
      return MLUOP_LAYOUT_NHWC;
    case MLUOPTEST__TENSOR_LAYOUT__LAYOUT_HWCN:
      return MLUOP_LAYOUT_HWCN;
    case MLUOPTEST__TENSOR_LAYOUT__LAYOUT_NDHWC:
      return MLUOP_LAYOUT_NDHWC;
    case MLUOPTEST__TENSOR_LAYOUT__LAYOUT_TNC:
      return MLUOP_LAYOUT_TNC;
    case MLUOPTEST__TENSOR_LAYOUT__LAYOUT_NTC:
      return MLUOP_LAYOUT_NTC;
    case MLUOPTEST__TENSOR_LAYOUT__LAYOUT_NCDHW:
      return MLUOP_LAYOUT_NCDHW;
    case MLUOPTEST__TENSOR_LAYOUT__LAYOUT_NC:
      return MLUOP_LAYOUT_NC;
    case MLUOPTEST__TENSOR_LAYOUT__LAYOUT_NLC:
      return MLUOP_LAYOUT_NLC;
    case MLUOPTEST__TENSOR_LAYOUT__LAYOUT_NCL:
      return MLUOP_LAYOUT_NCL;
    default:
      return MLUOP_LAYOUT_ARRAY;
  }
}

static int refused(mluopTestText *errors, const char *call, mluOpStatus_t status) {
  mluop_text_add(errors, "%s: %s", call, mluOpGetErrorString(status));
  return -1;
}

static int set_shape(mluopTestTensor *tensor, mluopTestText *errors) {
  const mluOpTensorLayout_t layout = library_layout(tensor->spec->layout);
  const mluOpDataType_t dtype = (mluOpDataType_t)tensor->info->library_number;
  static const int64_t none[1] = {0};
  const int64_t *dims = tensor->rank ? tensor->dims : none;
  const mluOpStatus_t status =
      tensor->strides
          ? mluOpSetTensorDescriptorEx_v2(tensor->desc, layout, dtype, tensor->rank, dims,
                                          tensor->strides)
          : mluOpSetTensorDescriptor_v2(tensor->desc, layout, dtype, tensor->rank, dims);
  return status == MLUOP_STATUS_SUCCESS ? 0 : refused(errors, "the shape", status);
}

/* The schema's defaults of position, scale and offset are markers for "not given". */
static int set_quantization(mluopTestTensor *tensor, bool negative_scale, mluopTestText *errors) {
  const Mluoptest__Tensor *spec = tensor->spec;
  if (!spec->has_position && !spec->has_scale && !spec->has_offset) {
    return 0;
  }
  const float scale = spec->has_scale ? spec->scale : 1;
  const mluOpStatus_t status = mluOpSetTensorDescriptorPositionScaleAndOffset(
      tensor->desc, spec->has_position ? spec->position : 0, negative_scale ? -scale : scale,
      spec->has_offset ? spec->offset : 0);
  return status == MLUOP_STATUS_SUCCESS ? 0 : refused(errors, "position, scale, offset", status);
}

int mluop_descriptor_create(mluopTestTensor *tensor, bool negative_scale, mluopTestText *errors) {
  mluOpStatus_t status = mluOpCreateTensorDescriptor(&tensor->desc);
  if (status != MLUOP_STATUS_SUCCESS) {
    tensor->desc = NULL;
    return refused(errors, "mluOpCreateTensorDescriptor", status);
  }
  if (tensor->is_host_scalar) {
    status = mluOpSetTensorDescriptorPointerMode(tensor->desc, MLUOP_POINTER_MODE_HOST);
    if (status != MLUOP_STATUS_SUCCESS) {
      return refused(errors, "pointer mode host", status);
    }
  }
  if (set_shape(tensor, errors) || set_quantization(tensor, negative_scale, errors)) {
    return -1;
  }
  const Mluoptest__Tensor *spec = tensor->spec;
  const mluopDtypeInfo *onchip =
      spec->has_onchip_dtype ? mluop_dtype_info(spec->onchip_dtype) : NULL;
  if (onchip) {
    status = mluOpSetTensorDescriptorOnchipDataType(tensor->desc,
                                                    (mluOpDataType_t)onchip->library_number);
    if (status != MLUOP_STATUS_SUCCESS) {
      return refused(errors, "onchip_dtype", status);
    }
  }
  return 0;
}
