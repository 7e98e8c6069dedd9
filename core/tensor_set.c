/* SPDX-License-Identifier: MIT
 *
 * Tensor sets: a grid of tensors whose data are consecutive in one buffer.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/tensor.h"
#include "core/tensor_describe.h"

struct mluOpTensorSetStruct {
  int dim;
  int *dims; /* dims[0] is the slowest dimension */
  int member_num;
  struct mluOpTensorStruct members[]; /* row by row */
};

mluOpStatus_t MLUOP_WIN_API mluOpCreateTensorSetDescriptor(
    mluOpTensorSetDescriptor_t *tensorSetDesc, const int setDimNb, const int setDimSize[]) {
  const char *api = "[mluOpCreateTensorSetDescriptor]";
  CHECK_NOT_NULL(api, tensorSetDesc);
  CHECK_VALUE(api, setDimNb, setDimNb > 0, "1 or more");
  CHECK_NOT_NULL(api, setDimSize);
  int member_num = 1;
  for (int i = 0; i < setDimNb; ++i) {
    CHECK_VALUE(api, setDimSize[i], setDimSize[i] > 0, "1 or more (i is %d)", i);
    CHECK_VALUE(api, setDimSize[i], !__builtin_mul_overflow(member_num, setDimSize[i], &member_num),
                "a number of members that fits in an int (i is %d)", i);
  }

  mluOpTensorSetDescriptor_t set = (mluOpTensorSetDescriptor_t)malloc(
      sizeof(*set) + (size_t)member_num * sizeof(set->members[0]));
  int *dims = (int *)malloc((size_t)setDimNb * sizeof(*dims));
  if (set == NULL || dims == NULL) {
    free(set);
    free(dims);
    LOG_ERROR("%s cannot allocate %d members.", api, member_num);
    return MLUOP_STATUS_ALLOC_FAILED;
  }
  memcpy(dims, setDimSize, (size_t)setDimNb * sizeof(*dims));
  set->dim = setDimNb;
  set->dims = dims;
  set->member_num = member_num;
  for (int i = 0; i < member_num; ++i) mluop_tensor_init(&set->members[i]);
  *tensorSetDesc = set;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTensorSetDescriptor(mluOpTensorSetDescriptor_t tensorSetDesc,
                                                        int *setDimNb, int setDimSize[]) {
  const char *api = "[mluOpGetTensorSetDescriptor]";
  CHECK_DESC(api, tensorSetDesc);
  CHECK_NOT_NULL(api, setDimNb);
  CHECK_NOT_NULL(api, setDimSize);
  *setDimNb = tensorSetDesc->dim;
  memcpy(setDimSize, tensorSetDesc->dims, (size_t)tensorSetDesc->dim * sizeof(*setDimSize));
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API
mluOpDestroyTensorSetDescriptor(mluOpTensorSetDescriptor_t tensorSetDesc) {
  CHECK_DESC("[mluOpDestroyTensorSetDescriptor]", tensorSetDesc);
  for (int i = 0; i < tensorSetDesc->member_num; ++i) {
    mluop_tensor_release(&tensorSetDesc->members[i]);
  }
  free(tensorSetDesc->dims);
  free(tensorSetDesc);
  return MLUOP_STATUS_SUCCESS;
}

/* Finds the member at an index; members are stored row by row. */
static mluOpStatus_t find_member(const char *api, mluOpTensorSetDescriptor_t tensorSetDesc,
                                 int setDimNb, const int tensorIndex[], int *member) {
  CHECK_DESC(api, tensorSetDesc);
  CHECK_VALUE(api, setDimNb, setDimNb == tensorSetDesc->dim, "%d", tensorSetDesc->dim);
  CHECK_NOT_NULL(api, tensorIndex);
  int number = 0;
  for (int i = 0; i < setDimNb; ++i) {
    CHECK_VALUE(api, tensorIndex[i], tensorIndex[i] >= 0 && tensorIndex[i] < tensorSetDesc->dims[i],
                "0 to %d (i is %d)", tensorSetDesc->dims[i] - 1, i);
    number = number * tensorSetDesc->dims[i] + tensorIndex[i];
  }
  *member = number;
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t describe_member(const char *api, mluOpTensorSetDescriptor_t tensorSetDesc,
                                     int setDimNb, const int tensorIndex[],
                                     mluOpTensorLayout_t layout, mluOpDataType_t dtype, int dimNb,
                                     mluopSizes dimSize) {
  int member = 0;
  MLUOP_RETURN_IF_FAILED(find_member(api, tensorSetDesc, setDimNb, tensorIndex, &member));
  return mluop_tensor_describe(api, &tensorSetDesc->members[member], layout, dtype, dimNb, dimSize,
                               NULL);
}

mluOpStatus_t MLUOP_WIN_API mluOpInitTensorSetMemberDescriptor(
    mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[],
    mluOpTensorLayout_t layout, mluOpDataType_t dtype, const int dimNb, const int dimSize[]) {
  return describe_member("[mluOpInitTensorSetMemberDescriptor]", tensorSetDesc, setDimNb,
                         tensorIndex, layout, dtype, dimNb, (mluopSizes){.narrow = dimSize});
}

mluOpStatus_t MLUOP_WIN_API mluOpInitTensorSetMemberDescriptor_v2(
    mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[],
    mluOpTensorLayout_t layout, mluOpDataType_t dtype, const int dimNb, const int64_t dimSize[]) {
  return describe_member("[mluOpInitTensorSetMemberDescriptor_v2]", tensorSetDesc, setDimNb,
                         tensorIndex, layout, dtype, dimNb, (mluopSizes){.wide = dimSize});
}

mluOpStatus_t MLUOP_WIN_API mluOpInitTensorSetMemberDescriptorPositionAndScale(
    mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[],
    const int position, const float scale) {
  int member = 0;
  MLUOP_RETURN_IF_FAILED(find_member("[mluOpInitTensorSetMemberDescriptorPositionAndScale]",
                                     tensorSetDesc, setDimNb, tensorIndex, &member));
  tensorSetDesc->members[member].position = position;
  tensorSetDesc->members[member].scale = scale;
  return MLUOP_STATUS_SUCCESS;
}

/* Bytes of the first `count` members; false if they do not fit in a ptrdiff_t. */
static bool count_bytes(mluOpTensorSetDescriptor_t set, int count, ptrdiff_t *bytes) {
  *bytes = 0;
  for (int i = 0; i < count; ++i) {
    if (__builtin_add_overflow(*bytes, mluop_tensor_bytes(&set->members[i]), bytes)) return false;
  }
  return true;
}

mluOpStatus_t MLUOP_WIN_API
mluOpGetTensorSetDescriptorSize(mluOpTensorSetDescriptor_t tensorSetDesc, int *sizeInBytes) {
  const char *api = "[mluOpGetTensorSetDescriptorSize]";
  CHECK_DESC(api, tensorSetDesc);
  CHECK_NOT_NULL(api, sizeInBytes);
  ptrdiff_t bytes = 0;
  if (!count_bytes(tensorSetDesc, tensorSetDesc->member_num, &bytes) || bytes > INT_MAX) {
    LOG_ERROR("%s tensorSetDesc: wanted at most %d bytes, got more.", api, INT_MAX);
    return MLUOP_STATUS_NUMERICAL_OVERFLOW;
  }
  *sizeInBytes = (int)bytes;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetTensorAndDataFromTensorSet(
    mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[],
    void *data, mluOpTensorDescriptor_t *tensorDesc, void **dataAddrInDevice) {
  const char *api = "[mluOpGetTensorAndDataFromTensorSet]";
  int member = 0;
  MLUOP_RETURN_IF_FAILED(find_member(api, tensorSetDesc, setDimNb, tensorIndex, &member));
  CHECK_NOT_NULL(api, data);
  CHECK_NOT_NULL(api, tensorDesc);
  CHECK_NOT_NULL(api, dataAddrInDevice);
  ptrdiff_t offset = 0;
  if (!count_bytes(tensorSetDesc, member, &offset)) {
    LOG_ERROR("%s tensorSetDesc: wanted members below 2^63 bytes, got more.", api);
    return MLUOP_STATUS_NUMERICAL_OVERFLOW;
  }
  *tensorDesc = &tensorSetDesc->members[member];
  *dataAddrInDevice = (char *)data + offset;
  return MLUOP_STATUS_SUCCESS;
}
