/* SPDX-License-Identifier: MIT
 *
 * Public functions about data types and layouts.
 */
#include "core/check.h"
#include "core/tool.h"

mluOpStatus_t MLUOP_WIN_API mluOpGetSizeOfDataType(mluOpDataType_t data_type, size_t *size) {
  const char *api = "[mluOpGetSizeOfDataType]";
  CHECK_NOT_NULL(api, size);
  CHECK_VALUE(api, data_type, mluop_dtype_size(data_type) > 0, "a data type");
  *size = mluop_dtype_size(data_type);
  return MLUOP_STATUS_SUCCESS;
}

const char *MLUOP_WIN_API mluOpGetNameOfDataType(mluOpDataType_t data_type) {
  return mluop_dtype_name(data_type);
}

const char *MLUOP_WIN_API mluOpGetNameOfTensorLayout(mluOpTensorLayout_t layout) {
  return mluop_layout_name(layout);
}
