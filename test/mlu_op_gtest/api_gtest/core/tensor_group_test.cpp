/* SPDX-License-Identifier: MIT */
#include <vector>

#include "util/log_capture.h"

namespace {
class TensorGroup : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 3; ++i) group_[i] = &descs_[i];
    ASSERT_EQ(mluOpCreateGroupTensorDescriptors(group_, 3), MLUOP_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(mluOpDestroyGroupTensorDescriptors(group_, 3), MLUOP_STATUS_SUCCESS);
  }
  mluOpTensorDescriptor_t descs_[3] = {};
  mluOpTensorDescriptor_t *group_[3] = {};
  const mluOpTensorLayout_t layouts_[3] = {MLUOP_LAYOUT_ARRAY, MLUOP_LAYOUT_NC, MLUOP_LAYOUT_NHWC};
  const mluOpDataType_t dtypes_[3] = {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_INT8};
  const int ranks_[3] = {1, 2, 4};
};
}  // namespace

TEST_F(TensorGroup, MembersStartInTheInitialState) {
  for (mluOpTensorDescriptor_t desc : descs_) {
    int rank = -1, position = -1;
    float scale = -1;
    mluOpDataType_t dtype;
    EXPECT_SUCCESS(mluOpGetTensorDescriptor(desc, nullptr, &dtype, &rank, nullptr));
    EXPECT_SUCCESS(mluOpGetTensorDescriptorPositionAndScale(desc, &position, &scale));
    EXPECT_EQ(rank, 0);
    EXPECT_EQ(dtype, MLUOP_DTYPE_FLOAT);
    EXPECT_EQ(position, 0);
    EXPECT_EQ(scale, 1.0f);
  }
}

TEST_F(TensorGroup, SizesFollowOneAnother) {
  const int sizes[] = {5, 2, 3, 1, 2, 3, 4};
  const int64_t wide[] = {6, 3, 4, 2, 3, 4, 5};
  EXPECT_SUCCESS(mluOpSetGroupTensorDescriptors(group_, layouts_, dtypes_, ranks_, sizes, 3));
  EXPECT_EQ(mluOpGetTensorElementNum(descs_[0]), 5u);
  EXPECT_EQ(mluOpGetTensorElementNum(descs_[1]), 6u);
  EXPECT_EQ(mluOpGetTensorElementNum(descs_[2]), 24u);
  EXPECT_SUCCESS(mluOpSetGroupTensorDescriptors_v2(group_, layouts_, dtypes_, ranks_, wide, 3));
  EXPECT_EQ(mluOpGetTensorElementNum(descs_[0]), 6u);
  EXPECT_EQ(mluOpGetTensorElementNum(descs_[1]), 12u);
  EXPECT_EQ(mluOpGetTensorElementNum(descs_[2]), 120u);
}

TEST_F(TensorGroup, AFailureIsReported) {
  const int sizes[] = {5, 2, -3, 1, 2, 3, 4};
  EXPECT_BAD_PARAM(mluOpSetGroupTensorDescriptors(group_, layouts_, dtypes_, ranks_, sizes, 3),
                   "dimSize[1]: wanted 0 or more, got -3");
  EXPECT_EQ(mluOpGetTensorElementNum(descs_[0]), 5u);
  EXPECT_EQ(mluOpGetTensorElementNum(descs_[2]), 0u);
}

TEST_F(TensorGroup, BadArguments) {
  const int sizes[] = {5, 2, 3, 1, 2, 3, 4};
  mluOpTensorDescriptor_t *holes[3] = {group_[0], nullptr, group_[2]};
  mluOpTensorDescriptor_t none = nullptr, *empty[1] = {&none};
  EXPECT_BAD_PARAM(mluOpCreateGroupTensorDescriptors(nullptr, 3), "group_desc");
  EXPECT_BAD_PARAM(mluOpCreateGroupTensorDescriptors(group_, 0), "desc_num: wanted 1 or more");
  EXPECT_BAD_PARAM(mluOpCreateGroupTensorDescriptors(group_, -1), "desc_num");
  EXPECT_BAD_PARAM(mluOpCreateGroupTensorDescriptors(holes, 3), "group_desc[i] != NULL. i is 1");
  EXPECT_BAD_PARAM(mluOpSetGroupTensorDescriptors(nullptr, layouts_, dtypes_, ranks_, sizes, 3),
                   "group_desc");
  EXPECT_BAD_PARAM(mluOpSetGroupTensorDescriptors(group_, nullptr, dtypes_, ranks_, sizes, 3),
                   "group_layout");
  EXPECT_BAD_PARAM(mluOpSetGroupTensorDescriptors(group_, layouts_, nullptr, ranks_, sizes, 3),
                   "group_dtype");
  EXPECT_BAD_PARAM(mluOpSetGroupTensorDescriptors(group_, layouts_, dtypes_, nullptr, sizes, 3),
                   "group_dimNb");
  EXPECT_BAD_PARAM(mluOpSetGroupTensorDescriptors(group_, layouts_, dtypes_, ranks_, nullptr, 3),
                   "group_dimSize");
  EXPECT_BAD_PARAM(mluOpSetGroupTensorDescriptors_v2(group_, layouts_, dtypes_, ranks_, nullptr, 3),
                   "group_dimSize");
  EXPECT_BAD_PARAM(mluOpSetGroupTensorDescriptors(group_, layouts_, dtypes_, ranks_, sizes, 0),
                   "desc_num");
  EXPECT_BAD_PARAM(mluOpSetGroupTensorDescriptors(empty, layouts_, dtypes_, ranks_, sizes, 1),
                   "desc");
  EXPECT_BAD_PARAM(mluOpDestroyGroupTensorDescriptors(nullptr, 3), "group_desc");
  EXPECT_BAD_PARAM(mluOpDestroyGroupTensorDescriptors(group_, 0), "desc_num");
  EXPECT_BAD_PARAM(mluOpDestroyGroupTensorDescriptors(holes, 3), "group_desc[i]");
  EXPECT_BAD_PARAM(mluOpDestroyGroupTensorDescriptors(empty, 1), "group_desc[i]");
}
