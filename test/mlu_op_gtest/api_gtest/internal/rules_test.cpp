/* SPDX-License-Identifier: MIT
 *
 * A table of tensor rules: each check with its message, the order of checks, and the record. */
#include <vector>

#include "core/context.h"
#include "core/gen_case_config.h"
#include "internal/rules_in_c.h"
#include "util/log_capture.h"
#include "util/temporary_folder.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;

class Rules : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS);
    for (auto *desc : {&call_.x_desc, &call_.weight_desc, &call_.bias_desc, &call_.y_desc}) {
      ASSERT_EQ(mluOpCreateTensorDescriptor(desc), MLUOP_STATUS_SUCCESS);
    }
    all_ = call_;
    set(call_.x_desc, kFloat, {4, 3});
    set(call_.weight_desc, kFloat, {1, 3});
    set(call_.bias_desc, kInt, {4});
    set(call_.y_desc, kFloat, {4, 3});
    call_.handle = handle_;
    call_.x = memory_, call_.weight = memory_ + 100, call_.bias = memory_ + 200;
    call_.y = memory_ + 300, call_.workspace = memory_ + 400;
    call_.rows = 4;
  }
  void TearDown() override {
    for (auto *desc : {all_.x_desc, all_.weight_desc, all_.bias_desc, all_.y_desc}) {
      EXPECT_EQ(mluOpDestroyTensorDescriptor(desc), MLUOP_STATUS_SUCCESS);
    }
    EXPECT_EQ(mluOpDestroy(handle_), MLUOP_STATUS_SUCCESS);
  }
  static void set(mluOpTensorDescriptor_t desc, mluOpDataType_t dtype, std::vector<int64_t> dims,
                  std::vector<int64_t> strides = {}) {
    const int rank = (int)dims.size();
    ASSERT_EQ(strides.empty()
                  ? mluOpSetTensorDescriptor_v2(desc, MLUOP_LAYOUT_ARRAY, dtype, rank, dims.data())
                  : mluOpSetTensorDescriptorEx_v2(desc, MLUOP_LAYOUT_ARRAY, dtype, rank,
                                                  dims.data(), strides.data()),
              MLUOP_STATUS_SUCCESS);
  }
  mluOpStatus_t run() { return checkRulesInC(&call_); }
  /* The output of mode 3. */
  std::string recorded() {
    testing::internal::CaptureStdout();
    mluOpSetGenCaseMode(3);
    EXPECT_EQ(run(), MLUOP_STATUS_SUCCESS);
    mluOpSetGenCaseMode(0);
    const std::string text = testing::internal::GetCapturedStdout();
    const size_t begin = text.find("rules_in_c");
    return text.substr(begin, text.find('\n', begin) - begin);
  }

  mluOpHandle_t handle_ = nullptr;
  RulesCall call_ = {}, all_ = {};
  alignas(16) char memory_[500] = {};
};
}  // namespace

TEST_F(Rules, RightCalls) {
  EXPECT_SUCCESS(run());
  set(call_.x_desc, kFloat, {4, 3}, {5, 1});
  EXPECT_SUCCESS(run());
  call_.weight_desc = call_.bias_desc = nullptr;
  call_.weight = call_.bias = nullptr;
  EXPECT_SUCCESS(run());
  for (auto *desc : {call_.x_desc, call_.y_desc}) set(desc, MLUOP_DTYPE_BFLOAT16, {4, 3});
  call_.weight_desc = all_.weight_desc, call_.weight = memory_ + 100;
  call_.bias_desc = all_.bias_desc, call_.bias = memory_ + 200;
  EXPECT_SUCCESS(run()); /* a float weight beside bfloat16 */
}

TEST_F(Rules, Presence) {
  call_.y_desc = nullptr;
  EXPECT_BAD_PARAM(run(), "[op] y_desc: wanted not NULL, got NULL.");
  call_.bias_desc = nullptr; /* required tensors are checked first */
  EXPECT_BAD_PARAM(run(), "[op] y_desc: wanted not NULL, got NULL.");
  call_.y_desc = all_.y_desc;
  EXPECT_BAD_PARAM(run(),
                   "[op] weight_desc and bias_desc: wanted both or none, got only weight_desc.");
  EXPECT_SUCCESS(checkRequiredRulesInC(&call_));
  call_.bias_desc = all_.bias_desc, call_.weight_desc = nullptr;
  EXPECT_BAD_PARAM(run(), "wanted both or none, got only bias_desc.");
  call_.handle = nullptr;
  EXPECT_BAD_PARAM(run(), "[op] handle: wanted not NULL, got NULL.");
}

TEST_F(Rules, RanksAndTypes) {
  set(call_.weight_desc, kFloat, {3});
  EXPECT_SUCCESS(checkRequiredRulesInC(&call_));
  EXPECT_BAD_PARAM(run(), "[op] weight_desc: wanted 2 dimensions, got 1.");
  set(call_.y_desc, kInt, {4});
  EXPECT_BAD_PARAM(checkRequiredRulesInC(&call_), "[op] y_desc: wanted 2 dimensions, got 1.");
  set(call_.weight_desc, MLUOP_DTYPE_HALF, {1, 3});
  set(call_.y_desc, kInt, {4, 3});
  EXPECT_BAD_PARAM(run(), "[op] weight_desc: wanted data type DTYPE_FLOAT as in x_desc");
  set(call_.x_desc, kInt, {4, 3}); /* the type that others follow is checked first */
  EXPECT_BAD_PARAM(run(),
                   "[op] x_desc: wanted data type DTYPE_FLOAT or DTYPE_HALF or DTYPE_BFLOAT16");
}

TEST_F(Rules, TypesThatFollowAnotherFirst) {
  set(call_.x_desc, MLUOP_DTYPE_INT8, {4, 3});
  EXPECT_BAD_PARAM(checkRequiredRulesInC(&call_),
                   "[op] y_desc: wanted data type DTYPE_INT8 as in x_desc, got DTYPE_FLOAT.");
  set(call_.y_desc, MLUOP_DTYPE_INT8, {4, 3});
  EXPECT_BAD_PARAM(checkRequiredRulesInC(&call_), "[op] x_desc: wanted data type DTYPE_FLOAT or");
}

TEST_F(Rules, TypeTheDeviceLacks) {
  for (auto *desc : {call_.x_desc, call_.y_desc}) set(desc, MLUOP_DTYPE_BFLOAT16, {4, 3});
  handle_->arch = MLUOP_MLU370;
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, run(),
                   "[op] x_desc: wanted another data type than DTYPE_BFLOAT16");
}

TEST_F(Rules, Shapes) {
  set(call_.y_desc, kFloat, {4, 2});
  EXPECT_BAD_PARAM(run(), "[op] y_desc: wanted shape [4, 3] as in x_desc, got [4, 2].");
  set(call_.bias_desc, kInt, {5});
  EXPECT_BAD_PARAM(run(), "[op] bias_desc: wanted dims[0] 4 (x_desc->dims[0]), got 5.");
  set(call_.weight_desc, kFloat, {2, 4});
  EXPECT_BAD_PARAM(run(), "[op] weight_desc: wanted dims[0] 1, got 2.");
  set(call_.weight_desc, kFloat, {1, 4});
  EXPECT_BAD_PARAM(run(), "[op] weight_desc: wanted dims[1] 3 (x_desc->dims[1]), got 4.");
  call_.rows = 7;
  EXPECT_BAD_PARAM(run(), "[op] x_desc: wanted dims[0] 7 (rows), got 4.");
}

TEST_F(Rules, AnyRank) {
  for (auto *desc : {call_.x_desc, call_.y_desc}) set(desc, kFloat, {2, 1, 3, 1, 2, 1, 2});
  EXPECT_SUCCESS(checkAnyRankInC(call_.x_desc, call_.y_desc));
  set(call_.y_desc, kFloat, {2, 1, 3, 1, 2, 1, 3});
  EXPECT_BAD_PARAM(checkAnyRankInC(call_.x_desc, call_.y_desc),
                   "[op] y_desc: wanted shape [2, 1, 3, 1, 2, 1, 2] as in x_desc");
  const int64_t large = (int64_t)1 << 40;
  for (auto *desc : {call_.x_desc, call_.y_desc}) set(desc, kFloat, {0, large, large});
  EXPECT_SUCCESS(checkAnyRankInC(call_.x_desc, call_.y_desc));
}

TEST_F(Rules, LayoutAndSize) {
  set(call_.y_desc, kFloat, {4, 3}, {5, 1});
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, run(),
                   "[op] y_desc: wanted strides[0] 3, got 5; must be contiguous.");
  set(call_.x_desc, kFloat, {4, 3}, {2, 1});
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, run(),
                   "[op] x_desc: wanted contiguous rows that do not overlap, got strides [2, 1].");
  for (auto *desc : {call_.x_desc, call_.y_desc}) set(desc, kFloat, {4, 0});
  set(call_.weight_desc, kFloat, {1, 0});
  EXPECT_BAD_PARAM(run(), "[op] x_desc: wanted at least one element, got none.");
  for (auto *desc : {call_.x_desc, call_.y_desc}) set(desc, kFloat, {4, (int64_t)1 << 29});
  set(call_.weight_desc, kFloat, {1, (int64_t)1 << 29});
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, run(),
                   "[op] x_desc: wanted at most 2147483647 elements, got 2147483648.");
}

TEST_F(Rules, Data) {
  call_.workspace = nullptr;
  EXPECT_BAD_PARAM(run(), "[op] workspace: wanted not NULL, got NULL.");
  call_.workspace = memory_ + 400, call_.y = nullptr;
  EXPECT_BAD_PARAM(run(), "[op] y: wanted not NULL, got NULL.");
  call_.weight = nullptr;
  EXPECT_BAD_PARAM(run(), "[op] weight: wanted both its descriptor and its data or none of them");
  call_.weight = memory_ + 100, call_.y = memory_ + 204;
  EXPECT_BAD_PARAM(run(), "[op] y: wanted memory that does not overlap the 16 bytes of bias");
  call_.y = memory_ + 300, call_.workspace = memory_ + 44;
  EXPECT_BAD_PARAM(run(), "[op] workspace: wanted memory that does not overlap the 48 bytes of x");
  call_.workspace = memory_ + 400, call_.y = memory_; /* in place */
  EXPECT_SUCCESS(run());
}

TEST_F(Rules, Record) {
  EXPECT_EQ(recorded(),
            "rules_in_c: input x [4, 3] DTYPE_FLOAT LAYOUT_ARRAY; input weight [1, 3] DTYPE_FLOAT "
            "LAYOUT_ARRAY; input bias [4] DTYPE_INT32 LAYOUT_ARRAY; input y [4, 3] DTYPE_FLOAT "
            "LAYOUT_ARRAY; output y [4, 3] DTYPE_FLOAT LAYOUT_ARRAY; rows 4;");
  call_.weight_desc = call_.bias_desc = nullptr, call_.weight = call_.bias = nullptr;
  call_.y = memory_; /* in place: recorded as an input once; bias is left out */
  EXPECT_EQ(recorded(),
            "rules_in_c: input x [4, 3] DTYPE_FLOAT LAYOUT_ARRAY; input weight NULL; output y "
            "[4, 3] DTYPE_FLOAT LAYOUT_ARRAY; rows 4;");
}

TEST_F(Rules, RecordOfDataAndCriteria) {
  const TemporaryFolder folder;
  ASSERT_EQ(mluOpSetGenCaseDirectory(folder.path().c_str()), MLUOP_STATUS_SUCCESS);
  testing::internal::CaptureStdout();
  mluOpSetGenCaseMode(1);
  EXPECT_EQ(run(), MLUOP_STATUS_SUCCESS);
  mluOpSetGenCaseMode(0);
  testing::internal::GetCapturedStdout();
  ASSERT_EQ(folder.files().size(), 1u);
  const std::string text = folder.read(folder.files()[0]);
  /* x; weight, whose values are below the number of rows; y's previous contents. */
  for (const char *wanted :
       {"upper_bound: 1\n    lower_bound: 0", "upper_bound: 3\n    lower_bound: 0",
        "upper_bound: 4\n    lower_bound: 3", "error_func: DIFF1\n  error_threshold: 0.5",
        "error_func: DIFF2\n  error_threshold: 0.5"}) {
    EXPECT_NE(text.find(wanted), std::string::npos) << wanted << " in\n" << text;
  }
  EXPECT_EQ(text.find("DIFF3"), std::string::npos);
}
