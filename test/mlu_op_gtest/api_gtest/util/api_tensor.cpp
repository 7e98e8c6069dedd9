/* SPDX-License-Identifier: MIT */
#include "util/api_tensor.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {
constexpr size_t kLargestBuffer = 1 << 20;
}  // namespace

ApiTensor::ApiTensor(mluOpDataType_t dtype, const std::vector<int64_t> &dims,
                     const std::vector<int64_t> &strides, unsigned char fill)
    : fill_(fill) {
  const int rank = (int)dims.size();
  EXPECT_EQ(mluOpCreateTensorDescriptor(&desc_), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(strides.empty()
                ? mluOpSetTensorDescriptor_v2(desc_, MLUOP_LAYOUT_ARRAY, dtype, rank, dims.data())
                : mluOpSetTensorDescriptorEx_v2(desc_, MLUOP_LAYOUT_ARRAY, dtype, rank, dims.data(),
                                                strides.data()),
            MLUOP_STATUS_SUCCESS);
  size_t element = 0;
  EXPECT_EQ(mluOpGetSizeOfDataType(dtype, &element), MLUOP_STATUS_SUCCESS);
  size_t extent = mluOpGetTensorElementNum(desc_) > 0 ? 1 : 0;
  for (int i = 0; extent > 0 && i < rank && !strides.empty(); ++i) {
    extent += (size_t)((dims[i] - 1) * strides[i]);
  }
  if (strides.empty()) extent = mluOpGetTensorElementNum(desc_);
  bytes_ = std::min(extent * element, kLargestBuffer);
  if (bytes_ == 0) return;
  EXPECT_EQ(cnrtMalloc(&data_, bytes_), cnrtSuccess);
  EXPECT_EQ(cnrtMemset(data_, fill_, bytes_), cnrtSuccess);
}

ApiTensor::~ApiTensor() {
  if (data_ != nullptr) {
    EXPECT_EQ(cnrtFree(data_), cnrtSuccess);
  }
  EXPECT_EQ(mluOpDestroyTensorDescriptor(desc_), MLUOP_STATUS_SUCCESS);
}

void ApiTensor::setLayout(mluOpTensorLayout_t layout) {
  mluOpDataType_t dtype;
  int rank = 0;
  int64_t dims[8], strides[8];
  mluOpTensorLayout_t old;
  EXPECT_EQ(mluOpGetTensorDescriptorEx_v2(desc_, &old, &dtype, &rank, dims, strides),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(mluOpSetTensorDescriptorEx_v2(desc_, layout, dtype, rank, dims, strides),
            MLUOP_STATUS_SUCCESS);
}

std::vector<unsigned char> ApiTensor::bytes() const {
  std::vector<unsigned char> copy(bytes_);
  if (bytes_ != 0) {
    EXPECT_EQ(cnrtMemcpy(copy.data(), data_, bytes_, cnrtMemcpyDevToHost), cnrtSuccess);
  }
  return copy;
}

bool ApiTensor::isUntouched() const {
  const std::vector<unsigned char> copy = bytes();
  return std::all_of(copy.begin(), copy.end(),
                     [this](unsigned char byte) { return byte == fill_; });
}
