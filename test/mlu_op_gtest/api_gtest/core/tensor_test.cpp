/* SPDX-License-Identifier: MIT */
#include "core/tensor.h"

#include <limits.h>

#include <functional>
#include <vector>

#include "util/log_capture.h"

namespace {
constexpr mluOpTensorLayout_t kArray = MLUOP_LAYOUT_ARRAY;
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT;

class Tensor : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mluOpCreateTensorDescriptor(&desc_), MLUOP_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(mluOpDestroyTensorDescriptor(desc_), MLUOP_STATUS_SUCCESS); }

  std::vector<int64_t> dims() { return {desc_->dims, desc_->dims + desc_->dim}; }
  std::vector<int64_t> strides() { return {desc_->strides, desc_->strides + desc_->dim}; }
  mluOpStatus_t set(std::vector<int> sizes) {
    return mluOpSetTensorDescriptor(desc_, kArray, kFloat, (int)sizes.size(), sizes.data());
  }
  mluOpStatus_t setWide(std::vector<int64_t> sizes) {
    return mluOpSetTensorDescriptor_v2(desc_, kArray, kFloat, (int)sizes.size(), sizes.data());
  }
  mluOpTensorDescriptor_t desc_ = nullptr;
};
using Longs = std::vector<int64_t>;
}  // namespace

TEST_F(Tensor, InitialState) {
  mluOpTensorLayout_t layout;
  mluOpDataType_t dtype;
  mluOpPointerMode_t mode;
  int rank = -1, position = -1, offset = -1;
  float scale = -1;
  EXPECT_SUCCESS(mluOpGetTensorDescriptor(desc_, &layout, &dtype, &rank, nullptr));
  EXPECT_EQ(layout, MLUOP_LAYOUT_ARRAY);
  EXPECT_EQ(dtype, MLUOP_DTYPE_FLOAT);
  EXPECT_EQ(rank, 0);
  EXPECT_EQ(mluOpGetTensorElementNum(desc_), 0u);
  EXPECT_SUCCESS(mluOpGetTensorDescriptorPointerMode(desc_, &mode));
  EXPECT_EQ(mode, MLUOP_POINTER_MODE_DEVICE);
  EXPECT_SUCCESS(mluOpGetTensorDescriptorPositionScaleAndOffset(desc_, &position, &scale, &offset));
  EXPECT_EQ(position, 0);
  EXPECT_EQ(scale, 1.0f);
  EXPECT_EQ(offset, 0);
}

TEST(TensorNull, EveryFunctionNamesTheDescriptor) {
  const int dims[] = {1};
  const int64_t wide[] = {1};
  int rank, sizes[1], strides[1], number;
  int64_t wide_sizes[1], wide_strides[1];
  float scale;
  mluOpTensorLayout_t layout;
  mluOpDataType_t dtype;
  mluOpPointerMode_t mode;
  const std::vector<std::function<mluOpStatus_t()>> calls = {
      [&] { return mluOpCreateTensorDescriptor(nullptr); },
      [&] { return mluOpDestroyTensorDescriptor(nullptr); },
      [&] { return mluOpResetTensorDescriptor(nullptr); },
      [&] { return mluOpSetTensorDescriptor(nullptr, kArray, kFloat, 1, dims); },
      [&] { return mluOpSetTensorDescriptor_v2(nullptr, kArray, kFloat, 1, wide); },
      [&] { return mluOpSetTensorDescriptorEx(nullptr, kArray, kFloat, 1, dims, dims); },
      [&] { return mluOpSetTensorDescriptorEx_v2(nullptr, kArray, kFloat, 1, wide, wide); },
      [&] { return mluOpSetTensorDescriptorDim(nullptr, 1, dims); },
      [&] { return mluOpSetTensorDescriptorDim_v2(nullptr, 1, wide); },
      [&] { return mluOpGetTensorDescriptor(nullptr, &layout, &dtype, &rank, sizes); },
      [&] { return mluOpGetTensorDescriptor_v2(nullptr, &layout, &dtype, &rank, wide_sizes); },
      [&] { return mluOpGetTensorDescriptorEx(nullptr, &layout, &dtype, &rank, sizes, strides); },
      [&] {
        return mluOpGetTensorDescriptorEx_v2(nullptr, &layout, &dtype, &rank, wide_sizes,
                                             wide_strides);
      },
      [&] { return mluOpSetTensorDescriptorOnchipDataType(nullptr, kFloat); },
      [&] { return mluOpGetTensorDescriptorOnchipDataType(nullptr, &dtype); },
      [&] { return mluOpSetTensorDescriptorPointerMode(nullptr, MLUOP_POINTER_MODE_HOST); },
      [&] { return mluOpGetTensorDescriptorPointerMode(nullptr, &mode); },
      [&] { return mluOpSetTensorDescriptorPosition(nullptr, 1); },
      [&] { return mluOpGetTensorDescriptorPosition(nullptr, &number); },
      [&] { return mluOpSetTensorDescriptorPositionAndScale(nullptr, 1, 2); },
      [&] { return mluOpGetTensorDescriptorPositionAndScale(nullptr, &number, &scale); },
      [&] { return mluOpSetTensorDescriptorPositionScaleAndOffset(nullptr, 1, 2, 3); },
      [&] {
        return mluOpGetTensorDescriptorPositionScaleAndOffset(nullptr, &number, &scale, &rank);
      },
  };
  for (size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_BAD_PARAM(calls[i](), "] desc: wanted not NULL, got NULL");
  }
}

TEST(TensorNull, ElementNumber) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(mluOpGetTensorElementNum(nullptr), 0u);
  const auto lines = splitLines(testing::internal::GetCapturedStdout());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(logMessage(lines[0], "ERROR").find("desc"), std::string::npos);
}

TEST_F(Tensor, ContiguousStridesAreInferred) {
  EXPECT_SUCCESS(set({2, 3, 4}));
  EXPECT_EQ(dims(), (Longs{2, 3, 4}));
  EXPECT_EQ(strides(), (Longs{12, 4, 1}));
  EXPECT_EQ(mluOpGetTensorElementNum(desc_), 24u);
  EXPECT_SUCCESS(setWide({5, 0, 7}));
  EXPECT_EQ(mluOpGetTensorElementNum(desc_), 0u);
}

TEST_F(Tensor, MoreDimensionsThanFitInside) {
  const std::vector<int> sizes(20, 2);
  EXPECT_SUCCESS(set(sizes));
  EXPECT_EQ(dims(), Longs(20, 2));
  EXPECT_EQ(strides().front(), 1 << 19);
  EXPECT_EQ(mluOpGetTensorElementNum(desc_), (size_t)1 << 20);
  EXPECT_SUCCESS(set(std::vector<int>(9, 3))); /* allocates instead of the inline array */
  EXPECT_EQ(dims(), Longs(9, 3));
  std::vector<int> got(9), got_strides(9);
  mluOpTensorLayout_t layout;
  mluOpDataType_t dtype;
  int rank = 0;
  EXPECT_SUCCESS(
      mluOpGetTensorDescriptorEx(desc_, &layout, &dtype, &rank, got.data(), got_strides.data()));
  EXPECT_EQ(rank, 9);
  EXPECT_EQ(got, std::vector<int>(9, 3));
  EXPECT_SUCCESS(set({4})); /* and back to the inline array */
  EXPECT_EQ(dims(), Longs{4});
  EXPECT_SUCCESS(set(sizes));
  EXPECT_SUCCESS(mluOpResetTensorDescriptor(desc_));
  EXPECT_EQ(desc_->dim, 0);
}

TEST_F(Tensor, BadSizesAreRefusedAndNothingChanges) {
  EXPECT_SUCCESS(set({2, 3}));
  const int one[] = {1};
  EXPECT_BAD_PARAM(set({2, -1}), "dimSize[1]: wanted 0 or more, got -1");
  EXPECT_BAD_PARAM(setWide({-5}), "dimSize[0]: wanted 0 or more, got -5");
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptor(desc_, kArray, kFloat, -1, one), "dimNb");
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptorEx(desc_, kArray, kFloat, -1, one, one), "dimNb");
  const int64_t wide[] = {1};
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptor_v2(desc_, kArray, kFloat, -2, wide), "dimNb");
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptorEx_v2(desc_, kArray, kFloat, -2, wide, wide), "dimNb");
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptorDim(desc_, -1, one), "dimNb");
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptorDim_v2(desc_, -1, wide), "dimNb");
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptor(desc_, kArray, kFloat, 0, one),
                   "dimNb: wanted 1 or more unless the pointer mode is MLUOP_POINTER_MODE_HOST");
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptor(desc_, kArray, kFloat, 1, nullptr), "dimSize");
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptor_v2(desc_, kArray, kFloat, 1, nullptr), "dimSize");
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptorEx(desc_, kArray, kFloat, 1, nullptr, one), "dimSize");
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptorEx(desc_, kArray, kFloat, 1, one, nullptr), "dimStride");
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptorEx_v2(desc_, kArray, kFloat, 1, wide, nullptr),
                   "dimStride");
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptorDim(desc_, 1, nullptr), "dimSize");
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptorDim_v2(desc_, 1, nullptr), "dimSize");
  const int negative[] = {-1};
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptorEx(desc_, kArray, kFloat, 1, one, negative),
                   "dimStride[0]: wanted 0 or more, got -1");
  EXPECT_EQ(dims(), (Longs{2, 3}));
}

TEST_F(Tensor, BadTypesAreRefused) {
  const int one[] = {1};
  for (int number : {-1, 0, 10, 18}) {
    EXPECT_BAD_PARAM(mluOpSetTensorDescriptor(desc_, kArray, (mluOpDataType_t)number, 1, one),
                     "dtype: wanted a data type");
  }
  for (int number : {-1, 11}) {
    EXPECT_BAD_PARAM(mluOpSetTensorDescriptor(desc_, (mluOpTensorLayout_t)number, kFloat, 1, one),
                     "layout: wanted a tensor layout");
  }
  EXPECT_EQ(desc_->dim, 0);
}

TEST_F(Tensor, LargeTensors) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(set({1073741825, 4}), MLUOP_STATUS_SUCCESS);
  const auto lines = splitLines(testing::internal::GetCapturedStdout());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(logMessage(lines[0], "WARNING").find("4294967300"), std::string::npos);
  EXPECT_EQ(mluOpGetTensorElementNum(desc_), (size_t)4294967300);
  EXPECT_SUCCESS(setWide({1073741825, 4}));
  EXPECT_SUCCESS(setWide({INT64_MAX / 4}));
  EXPECT_BAD_PARAM(setWide({INT64_MAX / 4 + 1}), "2^63 bytes");
  EXPECT_BAD_PARAM(setWide({INT64_MAX, INT64_MAX}), "2^63 bytes");
  EXPECT_BAD_PARAM(set({INT_MAX, INT_MAX, INT_MAX}), "2^63 bytes");
  EXPECT_SUCCESS(setWide({0, INT64_MAX, INT64_MAX})); /* no element at all */
  EXPECT_EQ(mluOpGetTensorElementNum(desc_), 0u);
  const int64_t two[] = {2, 2}, far[] = {INT64_MAX / 2, INT64_MAX / 2};
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptorEx_v2(desc_, kArray, kFloat, 2, two, far), "2^63 bytes");
}

TEST_F(Tensor, Strides) {
  const int sizes[] = {4, 3}, gaps[] = {8, 1};
  const int64_t wide_sizes[] = {2, 5}, wide_gaps[] = {0, (int64_t)1 << 33};
  EXPECT_SUCCESS(mluOpSetTensorDescriptorEx(desc_, kArray, kFloat, 2, sizes, gaps));
  EXPECT_EQ(strides(), (Longs{8, 1}));
  EXPECT_EQ(mluOpGetTensorElementNum(desc_), 12u);
  EXPECT_SUCCESS(mluOpSetTensorDescriptorEx_v2(desc_, kArray, kFloat, 2, wide_sizes, wide_gaps));
  EXPECT_EQ(strides(), (Longs{0, (int64_t)1 << 33}));
  EXPECT_EQ(mluOpGetTensorElementNum(desc_), 10u);
  EXPECT_SUCCESS(mluOpSetTensorDescriptorDim(desc_, 2, sizes)); /* contiguous again */
  EXPECT_EQ(strides(), (Longs{3, 1}));
}

TEST_F(Tensor, DimKeepsTypeAndLayout) {
  const int sizes[] = {2, 2};
  const int64_t wide[] = {3, 5, 7};
  EXPECT_SUCCESS(mluOpSetTensorDescriptor(desc_, MLUOP_LAYOUT_NHWC, MLUOP_DTYPE_INT8, 2, sizes));
  EXPECT_SUCCESS(mluOpSetTensorDescriptorPositionAndScale(desc_, 3, 0.5f));
  EXPECT_SUCCESS(mluOpSetTensorDescriptorDim_v2(desc_, 3, wide));
  EXPECT_EQ(desc_->layout, MLUOP_LAYOUT_NHWC);
  EXPECT_EQ(desc_->dtype, MLUOP_DTYPE_INT8);
  EXPECT_EQ(desc_->position, 3);
  EXPECT_EQ(dims(), (Longs{3, 5, 7}));
}

TEST_F(Tensor, HostScalar) {
  EXPECT_SUCCESS(mluOpSetTensorDescriptorPointerMode(desc_, MLUOP_POINTER_MODE_HOST));
  EXPECT_SUCCESS(mluOpSetTensorDescriptor(desc_, kArray, kFloat, 0, nullptr));
  EXPECT_EQ(mluOpGetTensorElementNum(desc_), 1u);
  EXPECT_SUCCESS(mluOpSetTensorDescriptorEx(desc_, kArray, kFloat, 0, nullptr, nullptr));
  EXPECT_SUCCESS(mluOpSetTensorDescriptorDim(desc_, 0, nullptr));
  for (int number : {-1, 2}) {
    EXPECT_BAD_PARAM(mluOpSetTensorDescriptorPointerMode(desc_, (mluOpPointerMode_t)number),
                     "pointer_mode");
  }
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorPointerMode(desc_, nullptr), "pointer_mode");
}

TEST_F(Tensor, GettersTakeOnlyWhatIsAskedFor) {
  mluOpTensorLayout_t layout;
  mluOpDataType_t dtype;
  int rank = 0, narrow[2] = {9, 9};
  int64_t wide[2] = {0, 0};
  EXPECT_SUCCESS(setWide({3, 4}));
  EXPECT_SUCCESS(mluOpGetTensorDescriptor(desc_, nullptr, nullptr, nullptr, nullptr));
  EXPECT_SUCCESS(mluOpGetTensorDescriptor(desc_, &layout, &dtype, &rank, narrow));
  EXPECT_EQ(narrow[1], 4);
  EXPECT_SUCCESS(mluOpGetTensorDescriptor_v2(desc_, nullptr, nullptr, &rank, wide));
  EXPECT_EQ(wide[0], 3);
  EXPECT_SUCCESS(setWide({(int64_t)1 << 40, 2}));
  narrow[0] = 9;
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptor(desc_, &layout, &dtype, &rank, narrow),
                   "dimSize[0] that fits in an int, got 1099511627776");
  EXPECT_EQ(narrow[0], 9);
  EXPECT_SUCCESS(mluOpGetTensorDescriptor(desc_, &layout, &dtype, &rank, nullptr));
  int64_t strides_wide[2];
  EXPECT_SUCCESS(mluOpGetTensorDescriptorEx_v2(desc_, &layout, &dtype, &rank, wide, strides_wide));
  EXPECT_EQ(wide[0], (int64_t)1 << 40);
  EXPECT_EQ(strides_wide[0], 2);
}

TEST_F(Tensor, ExGettersWantEveryResult) {
  mluOpTensorLayout_t l;
  mluOpDataType_t t;
  int n, d[2], s[2];
  int64_t dw[2], sw[2];
  EXPECT_SUCCESS(set({3, 4}));
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorEx(desc_, nullptr, &t, &n, d, s), "layout");
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorEx(desc_, &l, nullptr, &n, d, s), "dtype");
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorEx(desc_, &l, &t, nullptr, d, s), "dimNb");
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorEx(desc_, &l, &t, &n, nullptr, s), "dimSize");
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorEx(desc_, &l, &t, &n, d, nullptr), "dimStride");
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorEx_v2(desc_, nullptr, &t, &n, dw, sw), "layout");
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorEx_v2(desc_, &l, &t, &n, dw, nullptr), "dimStride");
  EXPECT_SUCCESS(mluOpGetTensorDescriptorEx(desc_, &l, &t, &n, d, s));
  EXPECT_EQ(s[0], 4);
}

TEST_F(Tensor, OnchipType) {
  mluOpDataType_t dtype = kFloat;
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorOnchipDataType(desc_, &dtype), "on-chip data type");
  EXPECT_EQ(dtype, MLUOP_DTYPE_INVALID);
  EXPECT_SUCCESS(mluOpSetTensorDescriptorOnchipDataType(desc_, MLUOP_DTYPE_HALF));
  EXPECT_SUCCESS(mluOpGetTensorDescriptorOnchipDataType(desc_, &dtype));
  EXPECT_EQ(dtype, MLUOP_DTYPE_HALF);
  EXPECT_BAD_PARAM(mluOpSetTensorDescriptorOnchipDataType(desc_, (mluOpDataType_t)10),
                   "onchip_dtype");
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorOnchipDataType(desc_, nullptr), "onchip_dtype");
  EXPECT_SUCCESS(mluOpSetTensorDescriptorOnchipDataType(desc_, MLUOP_DTYPE_INVALID));
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorOnchipDataType(desc_, &dtype), "on-chip data type");
}

TEST_F(Tensor, Quantization) {
  int position = 0, offset = 0;
  float scale = 0;
  EXPECT_SUCCESS(mluOpSetTensorDescriptorPositionScaleAndOffset(desc_, -3, 2.5f, 7));
  EXPECT_SUCCESS(mluOpSetTensorDescriptorPosition(desc_, 4)); /* keeps the others */
  EXPECT_SUCCESS(mluOpGetTensorDescriptorPositionScaleAndOffset(desc_, &position, &scale, &offset));
  EXPECT_EQ(position, 4);
  EXPECT_EQ(scale, 2.5f);
  EXPECT_EQ(offset, 7);
  EXPECT_SUCCESS(mluOpSetTensorDescriptorPositionAndScale(desc_, 5, 0.25f));
  EXPECT_SUCCESS(mluOpGetTensorDescriptorPosition(desc_, &position));
  EXPECT_EQ(position, 5);
  EXPECT_SUCCESS(mluOpGetTensorDescriptorPositionAndScale(desc_, &position, &scale));
  EXPECT_EQ(scale, 0.25f);
  EXPECT_SUCCESS(set({4})); /* a new shape keeps them too */
  EXPECT_EQ(desc_->offset, 7);
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorPosition(desc_, nullptr), "position");
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorPositionAndScale(desc_, nullptr, &scale), "position");
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorPositionAndScale(desc_, &position, nullptr), "scale");
  EXPECT_BAD_PARAM(mluOpGetTensorDescriptorPositionScaleAndOffset(desc_, nullptr, &scale, &offset),
                   "position");
  EXPECT_BAD_PARAM(
      mluOpGetTensorDescriptorPositionScaleAndOffset(desc_, &position, nullptr, &offset), "scale");
  EXPECT_BAD_PARAM(
      mluOpGetTensorDescriptorPositionScaleAndOffset(desc_, &position, &scale, nullptr), "offset");
  EXPECT_SUCCESS(mluOpResetTensorDescriptor(desc_));
  EXPECT_EQ(desc_->scale, 1.0f);
  EXPECT_EQ(desc_->offset, 0);
}
