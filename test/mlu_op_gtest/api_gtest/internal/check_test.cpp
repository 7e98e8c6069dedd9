/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#include <vector>

#include "internal/check_in_c.h"
#include "util/log_capture.h"

namespace {
class Check : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS);
    for (auto *desc : {&x_, &y_}) {
      ASSERT_EQ(mluOpCreateTensorDescriptor(desc), MLUOP_STATUS_SUCCESS);
    }
    set(x_, MLUOP_DTYPE_FLOAT, {4, 3});
    set(y_, MLUOP_DTYPE_HALF, {4, 5});
  }
  void TearDown() override {
    for (auto *desc : {x_, y_}) EXPECT_EQ(mluOpDestroyTensorDescriptor(desc), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mluOpDestroy(handle_), MLUOP_STATUS_SUCCESS);
  }
  static void set(mluOpTensorDescriptor_t desc, mluOpDataType_t dtype, std::vector<int64_t> dims) {
    ASSERT_EQ(
        mluOpSetTensorDescriptor_v2(desc, MLUOP_LAYOUT_ARRAY, dtype, (int)dims.size(), dims.data()),
        MLUOP_STATUS_SUCCESS);
  }
  mluOpHandle_t handle_ = nullptr;
  mluOpTensorDescriptor_t x_ = nullptr, y_ = nullptr;
};
}  // namespace

TEST_F(Check, RelationsPrintBothExpressionsAndValues) {
  EXPECT_SUCCESS(checkRelationInC(0, 3, 3));
  EXPECT_BAD_PARAM(checkRelationInC(0, 3, 4), "[api] Check failed: a == b. Got 3 and 4.");
  EXPECT_BAD_PARAM(checkRelationInC(1, 3, 3), "a != b. Got 3 and 3.");
  EXPECT_BAD_PARAM(checkRelationInC(2, 4, 3), "a <= b. Got 4 and 3.");
  EXPECT_BAD_PARAM(checkRelationInC(3, 3, 3), "a < b. Got 3 and 3.");
  EXPECT_BAD_PARAM(checkRelationInC(4, -4, 3), "a >= b. Got -4 and 3.");
  EXPECT_BAD_PARAM(checkRelationInC(5, 3, 3), "a > b. Got 3 and 3.");
}

TEST_F(Check, ValuesOfEveryKind) {
  EXPECT_BAD_PARAM(checkKindInC('f'), "real == 0.5f. Got 0.25 and 0.5.");
  EXPECT_BAD_PARAM(checkKindInC('u'), "big == 0. Got 18446744073709551615 and 0.");
  EXPECT_BAD_PARAM(checkKindInC('p'), "pointer != NULL. Got NULL and NULL.");
  EXPECT_BAD_PARAM(checkKindInC('e'), "dtype == MLUOP_DTYPE_HALF. Got 2 and 1.");
  EXPECT_BAD_PARAM(checkKindInC('b'), "flag == 1. Got 0 and 1.");
  EXPECT_BAD_PARAM(checkKindInC('v'), "[api] Check failed: pointer == &real. The text of 7.");
  EXPECT_BAD_PARAM(checkKindInC('c'), "[api] Check failed: real > 1.");
}

/* The same macros in C++, as in a .mlu file. */
static mluOpStatus_t relationInCpp(long long a, double b) {
  PARAM_CHECK_EQ("[api]", a, b);
  PARAM_CHECK_LE("[api]", (unsigned char)a, 7u);
  CHECK_VALUE("[api]", b, b < 3, "less than %d", 3);
  return MLUOP_STATUS_SUCCESS;
}

TEST_F(Check, UsableFromCpp) {
  EXPECT_SUCCESS(relationInCpp(2, 2.0));
  EXPECT_BAD_PARAM(relationInCpp(2, 2.5), "a == b. Got 2 and 2.5.");
  EXPECT_BAD_PARAM(relationInCpp(9, 9), "(unsigned char)a <= 7u. Got 9 and 7.");
  EXPECT_BAD_PARAM(relationInCpp(4, 4), "b: wanted less than 3, got 4.");
}

TEST_F(Check, TableOfAnOperator) {
  const float data = 0;
  const auto call = [&](int rows, int columns) {
    return operatorChecksInC(handle_, x_, &data, y_, rows, columns);
  };
  EXPECT_SUCCESS(call(4, 3));
  EXPECT_BAD_PARAM(operatorChecksInC(nullptr, x_, &data, y_, 4, 3), "[op] handle: wanted not NULL");
  EXPECT_BAD_PARAM(operatorChecksInC(handle_, nullptr, &data, y_, 4, 3), "[op] x_desc: wanted not");
  EXPECT_BAD_PARAM(operatorChecksInC(handle_, x_, nullptr, y_, 4, 3), "[op] x: wanted not NULL");
  EXPECT_BAD_PARAM(call(-1, 3), "[op] rows: wanted 0 or more, got -1.");
  EXPECT_BAD_PARAM(call(4, 2), "[op] x_desc: wanted dims[1] 2 (columns), got 3.");
  EXPECT_BAD_PARAM(call(2, 3), "[op] x_desc: wanted dims[0] 2 (rows), got 4.");

  const mluOpDevType_t arch = handle_->arch;
  handle_->arch = MLUOP_MLU290;
  EXPECT_ONE_ERROR(MLUOP_STATUS_ARCH_MISMATCH, call(4, 3), "architecture 372 or newer, got 290");
  handle_->arch = arch;

  set(x_, MLUOP_DTYPE_INT8, {4, 3});
  EXPECT_BAD_PARAM(call(4, 3),
                   "[op] x_desc: wanted data type DTYPE_FLOAT or DTYPE_HALF, got DTYPE_INT8.");
  set(x_, MLUOP_DTYPE_FLOAT, {12});
  EXPECT_BAD_PARAM(call(4, 3), "[op] x_desc: wanted 2 dimensions, got 1.");
  set(x_, MLUOP_DTYPE_FLOAT, {4, 3});
  set(y_, MLUOP_DTYPE_HALF, {4, 6});
  EXPECT_BAD_PARAM(call(4, 3), "[op] y_desc: wanted dims[1] 5, got 6.");
  set(y_, MLUOP_DTYPE_HALF, {4, 5});

  const int64_t dims[] = {4, 3}, strides[] = {5, 1};
  ASSERT_EQ(
      mluOpSetTensorDescriptorEx_v2(x_, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 2, dims, strides),
      MLUOP_STATUS_SUCCESS);
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, call(4, 3),
                   "[op] x_desc: wanted strides[0] 3, got 5; must be contiguous.");

  set(x_, MLUOP_DTYPE_FLOAT, {65536, 65536});
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, call(65536, 65536),
                   "[op] x_desc: wanted at most 2147483647 elements, got 4294967296.");
  set(x_, MLUOP_DTYPE_FLOAT, {0, 3});
  EXPECT_SUCCESS(operatorChecksInC(handle_, x_, nullptr, y_, 0, 3)); /* empty: no data needed */
}

TEST_F(Check, SameTypeAndShape) {
  EXPECT_BAD_PARAM(sameTypeInC(x_, y_), "a: wanted data type DTYPE_HALF as in b, got DTYPE_FLOAT.");
  EXPECT_BAD_PARAM(sameShapeInC(x_, y_), "a: wanted shape [4, 5] as in b, got [4, 3].");
  set(y_, MLUOP_DTYPE_FLOAT, {4, 3});
  EXPECT_SUCCESS(sameTypeInC(x_, y_));
  EXPECT_SUCCESS(sameShapeInC(x_, y_));
  set(y_, MLUOP_DTYPE_FLOAT, {4, 3, 1});
  EXPECT_BAD_PARAM(sameShapeInC(x_, y_), "wanted shape [4, 3, 1]");
}

TEST_F(Check, Limits) {
  EXPECT_SUCCESS(limitsInC(x_, 9, 9));
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, limitsInC(x_, 10, 9),
                   "num: wanted at most 9 elements, got 10. Own reason.");
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, limitsInC(x_, 9, 10),
                   "bytes: wanted at most 9 bytes, got 10.");
  set(x_, MLUOP_DTYPE_FLOAT, {4, 100});
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, limitsInC(x_, 1, 1),
                   "desc: wanted at most 99 elements in a dimension, got 100.");
}

TEST_F(Check, Overlap) {
  char room[200]; /* x takes 48 bytes, y 40 */
  EXPECT_SUCCESS(overlapInC(room, x_, room + 48, y_));
  EXPECT_SUCCESS(overlapInC(room + 40, x_, room, y_));
  EXPECT_BAD_PARAM(overlapInC(room, x_, room, y_), "x: wanted memory that does not overlap");
  EXPECT_BAD_PARAM(overlapInC(room, x_, room + 47, y_), "the 40 bytes of y at 0x");
  EXPECT_BAD_PARAM(overlapInC(room + 39, x_, room, y_), "does not overlap");
  set(y_, MLUOP_DTYPE_HALF, {0, 5});
  EXPECT_SUCCESS(overlapInC(room, x_, room, y_));
}

TEST_F(Check, MemoryUpToTheEndOfAddresses) {
  char *const last = (char *)UINTPTR_MAX - 47; /* x extends to the last byte, so its end wraps */
  char room[40];
  EXPECT_SUCCESS(overlapInC(last, x_, room, y_));
  EXPECT_SUCCESS(overlapInC(room, y_, last, x_));
  EXPECT_BAD_PARAM(overlapInC(last, x_, last + 8, y_), "does not overlap");
}

TEST_F(Check, Optional) {
  const std::string text = "[op] x: wanted both its descriptor and its data or none of them, ";
  const float data = 0;
  EXPECT_SUCCESS(optionalInC(&data, x_));
  EXPECT_SUCCESS(optionalInC(nullptr, nullptr));
  EXPECT_BAD_PARAM(optionalInC(nullptr, x_), text + "got only the descriptor.");
  EXPECT_BAD_PARAM(optionalInC(&data, nullptr), text + "got only the data.");
  set(x_, MLUOP_DTYPE_FLOAT, {0, 3});
  EXPECT_SUCCESS(optionalInC(nullptr, x_));
  EXPECT_SUCCESS(optionalInC(&data, x_));
}

TEST_F(Check, Rows) {
  const auto check = [&](int64_t rows, int64_t columns, int64_t row_stride, int64_t stride) {
    const int64_t dims[] = {rows, columns}, strides[] = {row_stride, stride};
    EXPECT_EQ(
        mluOpSetTensorDescriptorEx_v2(x_, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 2, dims, strides),
        MLUOP_STATUS_SUCCESS);
    return rowsInC(x_);
  };
  EXPECT_SUCCESS(check(4, 3, 3, 1));
  EXPECT_SUCCESS(check(4, 3, 5, 1));
  EXPECT_SUCCESS(check(1, 3, 1, 1));
  EXPECT_SUCCESS(check(4, 1, 1, 7));
  const std::string text = "[op] desc: wanted contiguous rows that do not overlap, got strides ";
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, check(4, 3, 2, 1), text + "[2, 1].");
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, check(4, 3, 6, 2), text + "[6, 2].");
}

TEST_F(Check, Workspace) {
  char room[8];
  EXPECT_SUCCESS(workspaceInC(nullptr, 0, 0));
  EXPECT_SUCCESS(workspaceInC(room, 8, 8));
  EXPECT_SUCCESS(workspaceInC(room, 9, 8));
  EXPECT_BAD_PARAM(workspaceInC(nullptr, 8, 8), "workspace: wanted not NULL");
  EXPECT_BAD_PARAM(workspaceInC(nullptr, 64, 0), "workspace: wanted not NULL");
  EXPECT_BAD_PARAM(workspaceInC(room, 7, 8), "workspace_size: wanted at least 8, got 7.");
}

TEST_F(Check, InnerFailures) {
  EXPECT_SUCCESS(innerInC(MLUOP_STATUS_SUCCESS, 1));
  EXPECT_ONE_ERROR(MLUOP_STATUS_ARCH_MISMATCH, innerInC(MLUOP_STATUS_ARCH_MISMATCH, 1),
                   "[op] status returned MLUOP_STATUS_ARCH_MISMATCH (");
  EXPECT_ONE_ERROR(MLUOP_STATUS_INTERNAL_ERROR, innerInC(MLUOP_STATUS_SUCCESS, 0),
                   "[op] Internal check failed: is_good (");
}

TEST_F(Check, Launch) {
  EXPECT_SUCCESS(launchInC(1));
  EXPECT_ONE_ERROR(MLUOP_STATUS_EXECUTION_FAILED, launchInC(0), "launch of ");
  EXPECT_SUCCESS(launchInC(1)); /* an old error does not count */
  (void)cnrtGetLastError();
}
