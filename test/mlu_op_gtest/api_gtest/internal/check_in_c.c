/* SPDX-License-Identifier: MIT */
#include "internal/check_in_c.h"

#include "core/check.h"

mluOpStatus_t checkRelationInC(int relation, int a, int b) {
  if (relation == 0) PARAM_CHECK_EQ("[api]", a, b);
  if (relation == 1) PARAM_CHECK_NE("[api]", a, b);
  if (relation == 2) PARAM_CHECK_LE("[api]", a, b);
  if (relation == 3) PARAM_CHECK_LT("[api]", a, b);
  if (relation == 4) PARAM_CHECK_GE("[api]", a, b);
  if (relation == 5) PARAM_CHECK_GT("[api]", a, b);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t checkKindInC(char kind) {
  const float real = 0.25f;
  const uint64_t big = UINT64_MAX;
  const void *pointer = NULL;
  const mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT;
  const bool flag = false;
  if (kind == 'f') PARAM_CHECK_EQ("[api]", real, 0.5f);
  if (kind == 'u') PARAM_CHECK_EQ("[api]", big, 0);
  if (kind == 'p') PARAM_CHECK_NE("[api]", pointer, NULL);
  if (kind == 'e') PARAM_CHECK_EQ("[api]", dtype, MLUOP_DTYPE_HALF);
  if (kind == 'b') PARAM_CHECK_EQ("[api]", flag, 1);
  if (kind == 'v') PARAM_CHECK_V2("[api]", pointer == &real, "The text of %d.", 7);
  if (kind == 'c') PARAM_CHECK("[api]", real > 1);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t operatorChecksInC(mluOpHandle_t handle, const mluOpTensorDescriptor_t x_desc,
                                const void *x, const mluOpTensorDescriptor_t y_desc, int rows,
                                int columns) {
  const char *api = "[op]";
  CHECK_HANDLE(api, handle);
  CHECK_ARCH(api, handle, MLUOP_MLU370);
  CHECK_DESC(api, x_desc);
  CHECK_DESC(api, y_desc);
  CHECK_RANK(api, x_desc, 2);
  CHECK_RANK_RANGE(api, y_desc, 1, 3);
  CHECK_DTYPE(api, x_desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF);
  CHECK_NOT_NEGATIVE(api, rows);
  CHECK_DIM(api, x_desc, 0, rows);
  CHECK_DIM(api, x_desc, 1, (int64_t)columns);
  CHECK_DIM(api, y_desc, 1, 5);
  CHECK_CONTIGUOUS(api, x_desc);
  LARGE_TENSOR_CHECK(api, x_desc);
  if (ANY_TENSOR_EMPTY(api, x_desc, y_desc)) return MLUOP_STATUS_SUCCESS;
  CHECK_DATA(api, x);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t sameTypeInC(mluOpTensorDescriptor_t a, mluOpTensorDescriptor_t b) {
  CHECK_SAME_DTYPE("[op]", a, b);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t sameShapeInC(mluOpTensorDescriptor_t a, mluOpTensorDescriptor_t b) {
  CHECK_SAME_SHAPE("[op]", a, b);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t limitsInC(mluOpTensorDescriptor_t desc, int num, int bytes) {
  TENSOR_NUM_CHECK("[op]", num, 10, "Own reason.");
  TENSOR_SIZE_CHECK("[op]", bytes, 10, "");
  TENSOR_DIM_SIZE_CHECK("[op]", desc, 100, "");
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t overlapInC(const void *x, mluOpTensorDescriptor_t x_desc, const void *y,
                         mluOpTensorDescriptor_t y_desc) {
  CHECK_APART("[op]", MLUOP_WRITTEN(x, x_desc), MLUOP_READ(y, y_desc));
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t optionalInC(const void *x, mluOpTensorDescriptor_t x_desc) {
  CHECK_OPTIONAL("[op]", x, x_desc);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t rowsInC(mluOpTensorDescriptor_t desc) {
  CHECK_ROWS("[op]", desc);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t workspaceInC(void *workspace, size_t workspace_size, size_t needed) {
  CHECK_WORKSPACE("[op]", workspace, workspace_size, needed);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t innerInC(mluOpStatus_t status, int is_good) {
  CHECK_RETURN("[op]", status);
  INTERNAL_CHECK("[op]", is_good);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t launchInC(int is_good) {
  /* Any failing runtime call sets the same last error as a bad launch. */
  (void)cnrtSetDevice(is_good ? -1 : 0);
  KERNEL_CHECK((void)cnrtSetDevice(is_good ? 0 : -1));
  return MLUOP_STATUS_SUCCESS;
}
