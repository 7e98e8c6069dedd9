/* SPDX-License-Identifier: MIT
 *
 * Several tensor descriptors in one call.
 */
#include "core/check.h"
#include "core/tensor.h"
#include "core/tensor_describe.h"

/* Checks the array, its length, and every pointer in it. */
static mluOpStatus_t check_group(const char *api, mluOpTensorDescriptor_t *group_desc[],
                                 int desc_num) {
  CHECK_NOT_NULL(api, group_desc);
  CHECK_VALUE(api, desc_num, desc_num > 0, "1 or more");
  for (int i = 0; i < desc_num; ++i) {
    PARAM_CHECK_V2(api, group_desc[i] != NULL, "i is %d.", i);
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpCreateGroupTensorDescriptors(mluOpTensorDescriptor_t *group_desc[],
                                                              const int desc_num) {
  const char *api = "[mluOpCreateGroupTensorDescriptors]";
  MLUOP_RETURN_IF_FAILED(check_group(api, group_desc, desc_num));
  for (int i = 0; i < desc_num; ++i) {
    const mluOpStatus_t status = mluOpCreateTensorDescriptor(group_desc[i]);
    if (status == MLUOP_STATUS_SUCCESS) continue;
    while (--i >= 0) {
      (void)mluOpDestroyTensorDescriptor(*group_desc[i]);
      *group_desc[i] = NULL;
    }
    return status;
  }
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t describe_group(const char *api, mluOpTensorDescriptor_t *group_desc[],
                                    const mluOpTensorLayout_t group_layout[],
                                    const mluOpDataType_t group_dtype[], const int group_dimNb[],
                                    mluopSizes group_dimSize, int desc_num) {
  MLUOP_RETURN_IF_FAILED(check_group(api, group_desc, desc_num));
  CHECK_NOT_NULL(api, group_layout);
  CHECK_NOT_NULL(api, group_dtype);
  CHECK_NOT_NULL(api, group_dimNb);
  if (group_dimSize.narrow == NULL && group_dimSize.wide == NULL) {
    return mluop_check_not_null(api, "group_dimSize", NULL);
  }
  for (int i = 0; i < desc_num; ++i) {
    MLUOP_RETURN_IF_FAILED(mluop_tensor_describe(
        api, *group_desc[i], group_layout[i], group_dtype[i], group_dimNb[i], group_dimSize, NULL));
    if (group_dimSize.narrow != NULL) group_dimSize.narrow += group_dimNb[i];
    if (group_dimSize.wide != NULL) group_dimSize.wide += group_dimNb[i];
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpSetGroupTensorDescriptors(mluOpTensorDescriptor_t *group_desc[],
                                                           const mluOpTensorLayout_t group_layout[],
                                                           const mluOpDataType_t group_dtype[],
                                                           const int group_dimNb[],
                                                           const int group_dimSize[],
                                                           const int desc_num) {
  return describe_group("[mluOpSetGroupTensorDescriptors]", group_desc, group_layout, group_dtype,
                        group_dimNb, (mluopSizes){.narrow = group_dimSize}, desc_num);
}

mluOpStatus_t MLUOP_WIN_API mluOpSetGroupTensorDescriptors_v2(
    mluOpTensorDescriptor_t *group_desc[], const mluOpTensorLayout_t group_layout[],
    const mluOpDataType_t group_dtype[], const int group_dimNb[], const int64_t group_dimSize[],
    const int desc_num) {
  return describe_group("[mluOpSetGroupTensorDescriptors_v2]", group_desc, group_layout,
                        group_dtype, group_dimNb, (mluopSizes){.wide = group_dimSize}, desc_num);
}

mluOpStatus_t MLUOP_WIN_API
mluOpDestroyGroupTensorDescriptors(mluOpTensorDescriptor_t *group_desc[], const int desc_num) {
  const char *api = "[mluOpDestroyGroupTensorDescriptors]";
  MLUOP_RETURN_IF_FAILED(check_group(api, group_desc, desc_num));
  for (int i = 0; i < desc_num; ++i) {
    PARAM_CHECK_V2(api, *group_desc[i] != NULL, "i is %d.", i);
  }
  for (int i = 0; i < desc_num; ++i) (void)mluOpDestroyTensorDescriptor(*group_desc[i]);
  return MLUOP_STATUS_SUCCESS;
}
