/* SPDX-License-Identifier: MIT
 *
 * The header in a C program, with nothing included before it.
 */
#include "mlu_op.h"

int useTheHeaderFromC(void);

int useTheHeaderFromC(void) {
  mluOpHandle_t handle = NULL;
  mluOpTensorDescriptor_t desc = NULL;
  const int dims[2] = {2, 3};
  if (mluOpCreate(&handle) != MLUOP_STATUS_SUCCESS) return -1;
  mluOpStatus_t status = mluOpCreateTensorDescriptor(&desc);
  if (status == MLUOP_STATUS_SUCCESS) {
    status = mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 2, dims);
  }
  const int count = (int)mluOpGetTensorElementNum(desc);
  if (mluOpDestroyTensorDescriptor(desc) != MLUOP_STATUS_SUCCESS) status = MLUOP_STATUS_BAD_PARAM;
  if (mluOpDestroy(handle) != MLUOP_STATUS_SUCCESS) status = MLUOP_STATUS_BAD_PARAM;
  return status == MLUOP_STATUS_SUCCESS ? count : -1;
}
