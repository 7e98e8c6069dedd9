/* SPDX-License-Identifier: MIT
 *
 * mluOpApplyTopKTopP: every documented constraint, one wrong argument at a time.
 */
#include <functional>
#include <memory>

#include "util/api_tensor.h"
#include "util/log_capture.h"

namespace {
constexpr mluOpDataType_t kHalf = MLUOP_DTYPE_HALF, kInt = MLUOP_DTYPE_INT32;

struct Shape {
  mluOpDataType_t dtype;
  std::vector<int64_t> dims, strides;
};

/* A call before it is made; rows of the tables below change one thing in it. */
struct Call {
  Shape logits = {kHalf, {3, 20}, {}}, top_k = {kInt, {3}, {}}, top_p = {kHalf, {3}, {}};
  Shape output = {kHalf, {3, 20}, {}};
  bool has_handle = true, is_overlapping = false;
  std::string null_desc, null_data; /* names of arguments to leave out */
};

class ApplyTopKTopP : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(mluOpDestroy(handle_), MLUOP_STATUS_SUCCESS); }

  static std::unique_ptr<ApiTensor> make(const Shape &shape) {
    return std::make_unique<ApiTensor>(shape.dtype, shape.dims, shape.strides);
  }

  mluOpStatus_t run(const Call &call) {
    const auto logits = make(call.logits), top_k = make(call.top_k), top_p = make(call.top_p);
    output_ = make(call.output);
    const auto desc = [&](const char *name, const std::unique_ptr<ApiTensor> &tensor) {
      return call.null_desc == name ? nullptr : tensor->desc();
    };
    const auto data = [&](const char *name, const std::unique_ptr<ApiTensor> &tensor) {
      return call.null_data == name ? nullptr : tensor->data();
    };
    const ApiTensor workspace(kInt, {64}, {});
    void *output = call.is_overlapping ? logits->data() : data("output", output_);
    const mluOpStatus_t status = mluOpApplyTopKTopP(
        call.has_handle ? handle_ : nullptr, desc("logits", logits), data("logits", logits),
        desc("top_k", top_k), data("top_k", top_k), desc("top_p", top_p), data("top_p", top_p),
        workspace.data(), 64 * sizeof(int32_t), desc("output", output_), output);
    EXPECT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
    EXPECT_TRUE(logits->isUntouched() && top_k->isUntouched() && top_p->isUntouched());
    return status;
  }

  struct Row {
    std::function<void(Call &)> change;
    const char *text;
  };
  void expectRefused(mluOpStatus_t wanted, const std::vector<Row> &rows) {
    for (const Row &row : rows) {
      Call call;
      row.change(call);
      EXPECT_ONE_ERROR(wanted, run(call), std::string("[mluOpApplyTopKTopP] ") + row.text);
      EXPECT_TRUE(output_->isUntouched()) << row.text;
    }
  }

  mluOpHandle_t handle_ = nullptr;
  std::unique_ptr<ApiTensor> output_;
};
}  // namespace

TEST_F(ApplyTopKTopP, GoodCalls) {
  for (auto dtype : {kHalf, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_FLOAT}) {
    Call call;
    call.logits.dtype = call.top_p.dtype = call.output.dtype = dtype;
    EXPECT_SUCCESS(run(call));
  }
}

TEST_F(ApplyTopKTopP, RefusedCalls) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](Call &c) { c.has_handle = false; }, "handle: wanted not NULL"},
                 {[](Call &c) { c.null_desc = "logits"; }, "logits_desc: wanted not NULL"},
                 {[](Call &c) { c.null_desc = "top_k"; }, "top_k_desc: wanted not NULL"},
                 {[](Call &c) { c.null_desc = "top_p"; }, "top_p_desc: wanted not NULL"},
                 {[](Call &c) { c.null_desc = "output"; }, "output_desc: wanted not NULL"},
                 {[](Call &c) { c.null_data = "logits"; }, "logits: wanted not NULL"},
                 {[](Call &c) { c.null_data = "top_k"; }, "top_k: wanted not NULL"},
                 {[](Call &c) { c.null_data = "top_p"; }, "top_p: wanted not NULL"},
                 {[](Call &c) { c.null_data = "output"; }, "output: wanted not NULL"},
                 {[](Call &c) {
                    c.logits.dims = c.output.dims = {3, 0};
                  },
                  "vocab: wanted"},
                 {[](Call &c) {
                    c.output.dims = {3, 21};
                  },
                  "output_desc"},
                 {[](Call &c) { c.output.dims = {60}; }, "output_desc"},
                 {[](Call &c) { c.output.dtype = MLUOP_DTYPE_FLOAT; }, "output_desc"},
                 {[](Call &c) { c.top_k.dtype = MLUOP_DTYPE_INT64; }, "top_k_desc"},
                 {[](Call &c) { c.is_overlapping = true; }, "output"}});
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED, {{[](Call &c) {
                                                c.logits.strides = {1, 3};
                                              },
                                              "logits_desc: wanted contiguous rows"},
                                             {[](Call &c) {
                                                c.output.strides = {21, 1};
                                              },
                                              "output_desc"}});
}

TEST_F(ApplyTopKTopP, WorkspaceQuery) {
  const ApiTensor logits(kHalf, {2, 50});
  size_t needed = 1;
  EXPECT_SUCCESS(mluOpGetApplyTopKTopPWorkspaceSize(handle_, logits.desc(), &needed));
  EXPECT_EQ(needed, 0u);
  EXPECT_BAD_PARAM(mluOpGetApplyTopKTopPWorkspaceSize(handle_, logits.desc(), nullptr),
                   "workspace_size: wanted not NULL");
}
