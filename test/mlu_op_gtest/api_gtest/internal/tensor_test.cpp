/* SPDX-License-Identifier: MIT */
#include "core/tensor.h"

#include <vector>

#include "core/op_registry.h"
#include "util/log_capture.h"

namespace {
struct Shape {
  std::vector<int64_t> dims, strides;
  bool is_strided;
  int64_t extent;
};
}  // namespace

TEST(TensorMemory, StridesAndExtent) {
  const Shape table[] = {
      {{4, 3}, {3, 1}, false, 12},
      {{4, 3}, {8, 1}, true, 27},
      {{4, 3}, {0, 1}, true, 3},
      {{4, 3}, {1, 4}, true, 12},
      {{1, 5}, {777, 1}, false, 5 /* the stride of a dimension of size 1 is never used */},
      {{5, 1}, {1, 9}, false, 5},
      {{2, 0, 3}, {9, 9, 9}, true, 0},
      {{1, 1, 1}, {3, 2, 7}, false, 1},
      {{2, 2, 2, 2, 2, 2, 2, 2, 2}, {256, 128, 64, 32, 16, 8, 4, 2, 1}, false, 512},
  };
  for (const Shape &row : table) {
    mluOpTensorDescriptor_t desc = nullptr;
    ASSERT_EQ(mluOpCreateTensorDescriptor(&desc), MLUOP_STATUS_SUCCESS);
    EXPECT_SUCCESS(mluOpSetTensorDescriptorEx_v2(desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_HALF,
                                                 (int)row.dims.size(), row.dims.data(),
                                                 row.strides.data()));
    EXPECT_EQ(mluop_tensor_is_strided(desc), row.is_strided);
    EXPECT_EQ(mluop_tensor_extent(desc), row.extent);
    EXPECT_EQ(mluop_tensor_bytes(desc), (size_t)row.extent * 2);
    EXPECT_EQ(mluOpDestroyTensorDescriptor(desc), MLUOP_STATUS_SUCCESS);
  }
}

TEST(TensorMemory, HostScalarIsOneElement) {
  mluOpTensorDescriptor_t desc = nullptr;
  ASSERT_EQ(mluOpCreateTensorDescriptor(&desc), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(mluop_tensor_bytes(desc), 0u);
  EXPECT_SUCCESS(mluOpSetTensorDescriptorPointerMode(desc, MLUOP_POINTER_MODE_HOST));
  EXPECT_SUCCESS(mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 0, nullptr));
  EXPECT_EQ(mluop_tensor_bytes(desc), 4u);
  EXPECT_EQ(mluOpDestroyTensorDescriptor(desc), MLUOP_STATUS_SUCCESS);
}

TEST(OpRegistry, NamesAndNumbers) {
  EXPECT_GT(MLUOP_OP_COUNT, 0);
  for (int op = 0; op < MLUOP_OP_COUNT; ++op) EXPECT_EQ(mluop_op_find(mluop_op_name(op)), op);
  EXPECT_EQ(mluop_op_name(-1), nullptr);
  EXPECT_EQ(mluop_op_name(MLUOP_OP_COUNT), nullptr);
  EXPECT_EQ(mluop_op_find("no_such_operator"), -1);
}
