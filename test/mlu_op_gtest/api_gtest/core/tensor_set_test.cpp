/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "util/log_capture.h"

namespace {
class TensorSet : public testing::Test {
 protected:
  void SetUp() override {
    const int sizes[] = {2, 3};
    ASSERT_EQ(mluOpCreateTensorSetDescriptor(&set_, 2, sizes), MLUOP_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(mluOpDestroyTensorSetDescriptor(set_), MLUOP_STATUS_SUCCESS);
  }
  /* Member (i, j) becomes i * 3 + j + 1 floats. */
  void fill() {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 3; ++j) {
        const int index[] = {i, j}, size[] = {i * 3 + j + 1};
        ASSERT_EQ(mluOpInitTensorSetMemberDescriptor(set_, 2, index, MLUOP_LAYOUT_ARRAY,
                                                     MLUOP_DTYPE_FLOAT, 1, size),
                  MLUOP_STATUS_SUCCESS);
      }
    }
  }
  mluOpTensorSetDescriptor_t set_ = nullptr;
};
}  // namespace

TEST_F(TensorSet, Dimensions) {
  int rank = 0, sizes[2] = {0, 0};
  EXPECT_SUCCESS(mluOpGetTensorSetDescriptor(set_, &rank, sizes));
  EXPECT_EQ(rank, 2);
  EXPECT_EQ(sizes[0], 2);
  EXPECT_EQ(sizes[1], 3);
}

TEST_F(TensorSet, MembersStandOneAfterTheOther) {
  fill();
  int bytes = 0;
  EXPECT_SUCCESS(mluOpGetTensorSetDescriptorSize(set_, &bytes));
  EXPECT_EQ(bytes, (1 + 2 + 3 + 4 + 5 + 6) * 4);
  char buffer[84];
  const int index[] = {1, 1};
  mluOpTensorDescriptor_t member = nullptr;
  void *address = nullptr;
  EXPECT_SUCCESS(mluOpGetTensorAndDataFromTensorSet(set_, 2, index, buffer, &member, &address));
  EXPECT_EQ(address, buffer + (1 + 2 + 3 + 4) * 4);
  EXPECT_EQ(mluOpGetTensorElementNum(member), 5u);
}

TEST_F(TensorSet, MemberDetails) {
  fill();
  const int index[] = {0, 2};
  const int64_t wide[] = {7, 2};
  int position = 0;
  float scale = 0;
  char data;
  void *address = nullptr;
  mluOpTensorDescriptor_t member = nullptr;
  EXPECT_SUCCESS(mluOpInitTensorSetMemberDescriptor_v2(set_, 2, index, MLUOP_LAYOUT_NC,
                                                       MLUOP_DTYPE_INT8, 2, wide));
  EXPECT_SUCCESS(mluOpInitTensorSetMemberDescriptorPositionAndScale(set_, 2, index, -2, 0.5f));
  EXPECT_SUCCESS(mluOpGetTensorAndDataFromTensorSet(set_, 2, index, &data, &member, &address));
  EXPECT_EQ(mluOpGetTensorElementNum(member), 14u);
  EXPECT_SUCCESS(mluOpGetTensorDescriptorPositionAndScale(member, &position, &scale));
  EXPECT_EQ(position, -2);
  EXPECT_EQ(scale, 0.5f);
}

TEST_F(TensorSet, SizeThatDoesNotFit) {
  const int index[] = {0, 0}, size[] = {INT_MAX};
  int bytes = 77;
  ASSERT_EQ(mluOpInitTensorSetMemberDescriptor(set_, 2, index, MLUOP_LAYOUT_ARRAY,
                                               MLUOP_DTYPE_FLOAT, 1, size),
            MLUOP_STATUS_SUCCESS);
  EXPECT_ONE_ERROR(MLUOP_STATUS_NUMERICAL_OVERFLOW, mluOpGetTensorSetDescriptorSize(set_, &bytes),
                   "tensorSetDesc");
  EXPECT_EQ(bytes, 77);
}

TEST_F(TensorSet, BadIndices) {
  const int size[] = {4};
  const struct {
    int rank;
    int index[2];
    const char *text;
  } table[] = {
      {1, {0, 0}, "setDimNb: wanted 2, got 1"},
      {3, {0, 0}, "setDimNb: wanted 2, got 3"},
      {2, {-1, 0}, "tensorIndex[i]: wanted 0 to 1 (i is 0), got -1"},
      {2, {2, 0}, "tensorIndex[i]: wanted 0 to 1 (i is 0), got 2"},
      {2, {1, 3}, "tensorIndex[i]: wanted 0 to 2 (i is 1), got 3"},
  };
  for (const auto &row : table) {
    mluOpTensorDescriptor_t member;
    void *address;
    char data;
    EXPECT_BAD_PARAM(mluOpInitTensorSetMemberDescriptor(
                         set_, row.rank, row.index, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 1, size),
                     row.text);
    EXPECT_BAD_PARAM(
        mluOpInitTensorSetMemberDescriptorPositionAndScale(set_, row.rank, row.index, 1, 1),
        row.text);
    EXPECT_BAD_PARAM(
        mluOpGetTensorAndDataFromTensorSet(set_, row.rank, row.index, &data, &member, &address),
        row.text);
  }
}

TEST_F(TensorSet, BadArguments) {
  const int index[] = {0, 0}, sizes[] = {2, 3}, zero[] = {2, 0}, huge[] = {INT_MAX, 2};
  const int64_t wide[] = {1};
  int rank, out[2], bytes;
  mluOpTensorSetDescriptor_t set = nullptr;
  mluOpTensorDescriptor_t member;
  void *address;
  char data;
  EXPECT_BAD_PARAM(mluOpCreateTensorSetDescriptor(nullptr, 2, sizes), "tensorSetDesc");
  EXPECT_BAD_PARAM(mluOpCreateTensorSetDescriptor(&set, 0, sizes), "setDimNb");
  EXPECT_BAD_PARAM(mluOpCreateTensorSetDescriptor(&set, 2, nullptr), "setDimSize");
  EXPECT_BAD_PARAM(mluOpCreateTensorSetDescriptor(&set, 2, zero),
                   "setDimSize[i]: wanted 1 or more");
  EXPECT_BAD_PARAM(mluOpCreateTensorSetDescriptor(&set, 2, huge), "fits in an int");
  EXPECT_EQ(set, nullptr);
  EXPECT_BAD_PARAM(mluOpDestroyTensorSetDescriptor(nullptr), "tensorSetDesc");
  EXPECT_BAD_PARAM(mluOpGetTensorSetDescriptor(nullptr, &rank, out), "tensorSetDesc");
  EXPECT_BAD_PARAM(mluOpGetTensorSetDescriptor(set_, nullptr, out), "setDimNb");
  EXPECT_BAD_PARAM(mluOpGetTensorSetDescriptor(set_, &rank, nullptr), "setDimSize");
  EXPECT_BAD_PARAM(mluOpGetTensorSetDescriptorSize(nullptr, &bytes), "tensorSetDesc");
  EXPECT_BAD_PARAM(mluOpGetTensorSetDescriptorSize(set_, nullptr), "sizeInBytes");
  EXPECT_BAD_PARAM(mluOpInitTensorSetMemberDescriptor_v2(nullptr, 2, index, MLUOP_LAYOUT_ARRAY,
                                                         MLUOP_DTYPE_FLOAT, 1, wide),
                   "tensorSetDesc");
  EXPECT_BAD_PARAM(mluOpInitTensorSetMemberDescriptor(set_, 2, nullptr, MLUOP_LAYOUT_ARRAY,
                                                      MLUOP_DTYPE_FLOAT, 1, sizes),
                   "tensorIndex");
  EXPECT_BAD_PARAM(mluOpInitTensorSetMemberDescriptor(set_, 2, index, MLUOP_LAYOUT_ARRAY,
                                                      MLUOP_DTYPE_FLOAT, 1, nullptr),
                   "dimSize");
  EXPECT_BAD_PARAM(mluOpGetTensorAndDataFromTensorSet(set_, 2, index, nullptr, &member, &address),
                   "data");
  EXPECT_BAD_PARAM(mluOpGetTensorAndDataFromTensorSet(set_, 2, index, &data, nullptr, &address),
                   "tensorDesc");
  EXPECT_BAD_PARAM(mluOpGetTensorAndDataFromTensorSet(set_, 2, index, &data, &member, nullptr),
                   "dataAddrInDevice");
}
