/* SPDX-License-Identifier: MIT
 *
 * mluOpTopKTopPSample and mluOpTopKTopPSample_v2: every documented constraint, one wrong argument
 * at a time.
 */
#include <cmath>
#include <functional>
#include <map>
#include <memory>

#include "util/api_tensor.h"
#include "util/log_capture.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;

struct Shape {
  mluOpDataType_t dtype;
  std::vector<int64_t> dims, strides;
};

/* A call before it is made; rows of the tables below change one thing in it. */
struct Call {
  Shape logits = {kFloat, {3, 20}, {}}, top_k = {kInt, {3}, {}}, top_p = {kFloat, {3}, {}};
  Shape min_p = {kFloat, {3}, {}}, q = {kFloat, {3, 20}, {}};
  Shape index = {MLUOP_DTYPE_INT64, {3}, {}}, filtered = {kFloat, {3, 20}, {}};
  float eps = 1e-8f;
  bool is_need_logits = true;
  bool has_handle = true, has_workspace = true, is_v2 = true;
  std::string null_desc, null_data; /* names of arguments to leave out */
  std::string same_memory[2];       /* the first one uses the memory of the second */
};

class TopKTopPSample : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(mluOpDestroy(handle_), MLUOP_STATUS_SUCCESS); }

  static std::unique_ptr<ApiTensor> make(const Shape &shape) {
    return std::make_unique<ApiTensor>(shape.dtype, shape.dims, shape.strides);
  }

  mluOpStatus_t run(const Call &call) {
    const auto logits = make(call.logits), top_k = make(call.top_k), top_p = make(call.top_p);
    const auto min_p = make(call.min_p), q = make(call.q);
    index_ = make(call.index);
    filtered_ = make(call.filtered);
    const auto desc = [&](const char *name, const std::unique_ptr<ApiTensor> &tensor) {
      return call.null_desc == name ? nullptr : tensor->desc();
    };
    const std::map<std::string, const ApiTensor *> tensors = {
        {"logits", logits.get()},     {"top_k", top_k.get()}, {"top_p", top_p.get()},
        {"min_p", min_p.get()},       {"q", q.get()},         {"index", index_.get()},
        {"filtered", filtered_.get()}};
    const auto data = [&](const char *name, const std::unique_ptr<ApiTensor> &tensor) {
      if (call.same_memory[0] == name) return tensors.at(call.same_memory[1])->data();
      return call.null_data == name ? nullptr : tensor->data();
    };
    constexpr size_t kEnough = 8 << 20;
    void *workspace = nullptr;
    EXPECT_EQ(cnrtMalloc(&workspace, kEnough), cnrtSuccess);
    mluOpHandle_t handle = call.has_handle ? handle_ : nullptr;
    const size_t size = call.has_workspace ? kEnough : 0;
    const mluOpStatus_t status =
        call.is_v2
            ? mluOpTopKTopPSample_v2(
                  handle, desc("logits", logits), data("logits", logits), desc("top_k", top_k),
                  data("top_k", top_k), desc("top_p", top_p), data("top_p", top_p),
                  desc("min_p", min_p), data("min_p", min_p), desc("q", q), data("q", q), call.eps,
                  call.is_need_logits, 32, workspace, size, desc("index", index_),
                  data("index", index_), desc("filtered", filtered_), data("filtered", filtered_))
            : mluOpTopKTopPSample(handle, desc("logits", logits), data("logits", logits),
                                  desc("top_k", top_k), data("top_k", top_k), desc("top_p", top_p),
                                  data("top_p", top_p), desc("q", q), data("q", q), call.eps,
                                  call.is_need_logits, 32, workspace, size, desc("index", index_),
                                  data("index", index_), desc("filtered", filtered_),
                                  data("filtered", filtered_));
    EXPECT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
    EXPECT_EQ(cnrtFree(workspace), cnrtSuccess);
    EXPECT_TRUE(logits->isUntouched() && top_k->isUntouched() && top_p->isUntouched() &&
                min_p->isUntouched() && q->isUntouched());
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
      EXPECT_ONE_ERROR(wanted, run(call), std::string("[mluOpTopKTopPSample_v2] ") + row.text);
      EXPECT_TRUE(index_->isUntouched() && filtered_->isUntouched()) << row.text;
    }
  }

  mluOpHandle_t handle_ = nullptr;
  std::unique_ptr<ApiTensor> index_, filtered_;
};

void setDtype(Call &c, mluOpDataType_t dtype) {
  c.logits.dtype = c.top_p.dtype = c.min_p.dtype = dtype;
}

void setShape(Call &c, int64_t batch, int64_t vocab) {
  c.logits.dims = c.q.dims = c.filtered.dims = {batch, vocab};
  c.top_k.dims = c.top_p.dims = c.min_p.dims = c.index.dims = {batch};
}
}  // namespace

TEST_F(TopKTopPSample, GoodCalls) {
  for (auto dtype : {kFloat, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16}) {
    for (bool is_v2 : {false, true}) {
      Call call;
      setDtype(call, dtype);
      call.is_v2 = is_v2;
      EXPECT_SUCCESS(run(call));
      EXPECT_FALSE(index_->isUntouched());
    }
  }
}

TEST_F(TopKTopPSample, OptionalArguments) {
  for (const char *missing : {"q", "min_p"}) {
    Call call;
    call.null_desc = call.null_data = missing;
    EXPECT_SUCCESS(run(call));
  }
  Call call;
  call.is_need_logits = false;
  call.null_desc = call.null_data = "filtered";
  EXPECT_SUCCESS(run(call));
  Call present; /* present, but not requested */
  present.is_need_logits = false;
  EXPECT_SUCCESS(run(present));
  EXPECT_TRUE(filtered_->isUntouched());
  Call apart;
  apart.logits.strides = {32, 1};
  EXPECT_SUCCESS(run(apart));
}

TEST_F(TopKTopPSample, NullArguments) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](Call &c) { c.has_handle = false; }, "handle: wanted not NULL"},
       {[](Call &c) { c.null_desc = "logits"; }, "logits_desc: wanted not NULL"},
       {[](Call &c) { c.null_desc = "top_k"; }, "top_k_desc: wanted not NULL"},
       {[](Call &c) { c.null_desc = "top_p"; }, "top_p_desc: wanted not NULL"},
       {[](Call &c) { c.null_desc = "index"; }, "logits_select_idx_desc: wanted not NULL"},
       {[](Call &c) { c.null_desc = "filtered"; }, "logits_top_kp_select_desc: wanted not NULL"},
       {[](Call &c) { c.null_data = "logits"; }, "logits: wanted not NULL"},
       {[](Call &c) { c.null_data = "top_k"; }, "top_k: wanted not NULL"},
       {[](Call &c) { c.null_data = "top_p"; }, "top_p: wanted not NULL"},
       {[](Call &c) { c.null_data = "index"; }, "logits_select_idx: wanted not NULL"},
       {[](Call &c) { c.null_data = "filtered"; }, "logits_top_kp_select: wanted not NULL"},
       {[](Call &c) { c.null_data = "q"; }, "q: wanted both its descriptor and its data"},
       {[](Call &c) { c.null_desc = "q"; }, "q: wanted both its descriptor and its data"},
       {[](Call &c) { c.null_data = "min_p"; }, "min_p: wanted both its descriptor and its data"},
       {[](Call &c) { c.null_desc = "min_p"; }, "min_p: wanted both its descriptor and its data"}});
}

TEST_F(TopKTopPSample, EmptyAndOversize) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](Call &c) { setShape(c, 0, 20); }, "batch: wanted 1 or more"},
                 {[](Call &c) { setShape(c, 3, 0); }, "vocab: wanted 1 to 1048576"},
                 {[](Call &c) { setShape(c, 3, 1048577); }, "vocab: wanted 1 to 1048576"}});
}

TEST_F(TopKTopPSample, RanksTypesAndShapes) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](Call &c) { c.logits.dims = {60}; }, "logits_desc"},
       {[](Call &c) {
          c.logits.dims = {3, 4, 5};
        },
        "logits_desc"},
       {[](Call &c) {
          c.top_k.dims = {3, 1};
        },
        "top_k_desc"},
       {[](Call &c) {
          c.top_p.dims = {3, 1};
        },
        "top_p_desc"},
       {[](Call &c) {
          c.min_p.dims = {3, 1};
        },
        "min_p_desc"},
       {[](Call &c) { c.q.dims = {60}; }, "q_desc"},
       {[](Call &c) {
          c.index.dims = {3, 1};
        },
        "logits_select_idx_desc"},
       {[](Call &c) { c.filtered.dims = {60}; }, "logits_top_kp_select_desc"},
       {[](Call &c) { c.logits.dtype = kInt; }, "logits_desc"},
       {[](Call &c) { c.top_k.dtype = MLUOP_DTYPE_INT64; }, "top_k_desc"},
       {[](Call &c) { c.top_p.dtype = MLUOP_DTYPE_HALF; }, "top_p_desc"},
       {[](Call &c) { c.logits.dtype = MLUOP_DTYPE_HALF; }, "top_p_desc"},
       {[](Call &c) { c.min_p.dtype = MLUOP_DTYPE_HALF; }, "min_p_desc"},
       {[](Call &c) { c.q.dtype = MLUOP_DTYPE_HALF; }, "q_desc"},
       {[](Call &c) { c.index.dtype = kInt; }, "logits_select_idx_desc"},
       {[](Call &c) { c.filtered.dtype = MLUOP_DTYPE_HALF; }, "logits_top_kp_select_desc"},
       {[](Call &c) { c.top_k.dims = {4}; }, "top_k_desc"},
       {[](Call &c) { c.top_p.dims = {2}; }, "top_p_desc"},
       {[](Call &c) { c.min_p.dims = {2}; }, "min_p_desc"},
       {[](Call &c) {
          c.q.dims = {3, 19};
        },
        "q_desc"},
       {[](Call &c) { c.index.dims = {4}; }, "logits_select_idx_desc"},
       {[](Call &c) {
          c.filtered.dims = {4, 20};
        },
        "logits_top_kp_select_desc"}});
}

TEST_F(TopKTopPSample, Values) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](Call &c) { c.eps = -1e-8f; }, "eps: wanted 0 or more"},
                                         {[](Call &c) { c.eps = NAN; }, "eps: wanted 0 or more"}});
}

TEST_F(TopKTopPSample, OverlappingMemory) {
  const std::map<std::string, std::string> written = {{"index", "logits_select_idx"},
                                                      {"filtered", "logits_top_kp_select"}};
  for (const auto &[output, name] : written) {
    for (const char *other : {"logits", "top_k", "top_p", "min_p", "q", "index"}) {
      if (output == other) continue;
      Call call;
      call.same_memory[0] = output;
      call.same_memory[1] = other;
      EXPECT_ONE_ERROR(MLUOP_STATUS_BAD_PARAM, run(call),
                       "wanted memory that does not overlap the ");
      EXPECT_TRUE(index_->isUntouched() && filtered_->isUntouched()) << output << " " << other;
    }
  }
}

TEST_F(TopKTopPSample, Strides) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](Call &c) {
                    c.logits.strides = {1, 3};
                  },
                  "logits_desc: wanted contiguous rows"},
                 {[](Call &c) {
                    c.logits.strides = {10, 1};
                  },
                  "logits_desc: wanted contiguous rows"},
                 {[](Call &c) { c.top_k.strides = {2}; }, "top_k_desc"},
                 {[](Call &c) { c.top_p.strides = {2}; }, "top_p_desc"},
                 {[](Call &c) { c.min_p.strides = {2}; }, "min_p_desc"},
                 {[](Call &c) {
                    c.q.strides = {21, 1};
                  },
                  "q_desc"},
                 {[](Call &c) { c.index.strides = {2}; }, "logits_select_idx_desc"},
                 {[](Call &c) {
                    c.filtered.strides = {21, 1};
                  },
                  "logits_top_kp_select_desc"}});
}

TEST_F(TopKTopPSample, Workspace) {
  /* All tasks share one long row, which needs workspace if there is more than one task. */
  const ApiTensor logits(MLUOP_DTYPE_HALF, {1, 100000});
  size_t needed = 0;
  EXPECT_SUCCESS(mluOpGetTopKTopPSampleWorkspaceSize(handle_, logits.desc(), &needed));
  if (needed > 0) {
    expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](Call &c) {
                                              setShape(c, 1, 100000);
                                              c.has_workspace = false;
                                            },
                                            "workspace_size: wanted at least"}});
  }
  EXPECT_BAD_PARAM(mluOpGetTopKTopPSampleWorkspaceSize(nullptr, logits.desc(), &needed),
                   "handle: wanted not NULL");
  EXPECT_BAD_PARAM(mluOpGetTopKTopPSampleWorkspaceSize(handle_, nullptr, &needed),
                   "logits_desc: wanted not NULL");
  EXPECT_BAD_PARAM(mluOpGetTopKTopPSampleWorkspaceSize(handle_, logits.desc(), nullptr),
                   "workspace_size: wanted not NULL");
  const ApiTensor ints(kInt, {1, 100}), flat(MLUOP_DTYPE_HALF, {100});
  const ApiTensor columns(MLUOP_DTYPE_HALF, {4, 100}, {1, 4});
  const ApiTensor long_row(MLUOP_DTYPE_HALF, {1, int64_t{1} << 60});
  needed = 77;
  EXPECT_BAD_PARAM(mluOpGetTopKTopPSampleWorkspaceSize(handle_, ints.desc(), &needed),
                   "logits_desc: wanted data type");
  EXPECT_BAD_PARAM(mluOpGetTopKTopPSampleWorkspaceSize(handle_, flat.desc(), &needed),
                   "logits_desc: wanted 2 dimensions, got 1");
  EXPECT_BAD_PARAM(mluOpGetApplyTopKTopPWorkspaceSize(handle_, long_row.desc(), &needed),
                   "vocab: wanted 1 to 1048576 columns in logits_desc");
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED,
                   mluOpGetApplyTopKTopPWorkspaceSize(handle_, columns.desc(), &needed),
                   "logits_desc: wanted contiguous rows");
  EXPECT_EQ(needed, 77u); /* unchanged */
}
