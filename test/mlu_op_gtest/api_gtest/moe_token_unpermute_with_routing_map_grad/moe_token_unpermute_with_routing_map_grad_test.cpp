/* SPDX-License-Identifier: MIT
 *
 * mluOpMoeTokenUnpermuteWithRoutingMapGrad and its workspace query: every documented constraint,
 * one wrong argument at a time.
 */
#include "core/context.h"
#include "util/api_call.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;
const std::vector<std::string> kTensors = {"unpermuted_tokens_grad", "sorted_indices",
                                           "routing_map", "permuted_tokens_grad"};
const std::vector<std::string> kProbs = {"permuted_tokens", "probs", "probs_grad"};

/* 5 tokens of 4 elements, 6 experts, two rows per token. */
class MoeTokenUnpermuteWithRoutingMapGrad : public ApiCallTest {
 protected:
  std::string name() const override { return "mluOpMoeTokenUnpermuteWithRoutingMapGrad"; }

  ApiCall good() const override {
    ApiCall c;
    c.input("unpermuted_tokens_grad", kFloat, {5, 4});
    c.input("permuted_tokens", kFloat, {10, 4});
    c.input("sorted_indices", kInt, {10});
    c.input("routing_map", MLUOP_DTYPE_INT8, {5, 6});
    c.input("probs", kFloat, {5, 6});
    c.output("permuted_tokens_grad", kFloat, {10, 4});
    c.output("probs_grad", kFloat, {5, 6});
    c.scalar = {{"drop_and_pad", 0}};
    return c;
  }

  ApiCall padded() const {
    ApiCall c = good();
    c.scalar["drop_and_pad"] = 1;
    c["permuted_tokens"].dims = {12, 4};
    c["permuted_tokens_grad"].dims = {12, 4};
    c["sorted_indices"].dims = {12};
    return c;
  }

  mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) override {
    size_t size = 0;
    const bool drop_and_pad = c.scalar.at("drop_and_pad") != 0;
    if (c.workspace_size >= 0) {
      size = (size_t)c.workspace_size;
    } else if (handle && c.hasRank("sorted_indices", 1)) {
      EXPECT_EQ(mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize(
                    handle, c.desc("sorted_indices"), drop_and_pad, &size),
                MLUOP_STATUS_SUCCESS);
    }
    ApiTensor workspace(MLUOP_DTYPE_INT8, {1 << 16});
    return mluOpMoeTokenUnpermuteWithRoutingMapGrad(
        handle, c.desc("unpermuted_tokens_grad"), c.data("unpermuted_tokens_grad"),
        c.desc("permuted_tokens"), c.data("permuted_tokens"), c.desc("sorted_indices"),
        c.data("sorted_indices"), c.desc("routing_map"), c.data("routing_map"), c.desc("probs"),
        c.data("probs"), drop_and_pad, c.has_workspace ? workspace.data() : nullptr, size,
        c.desc("permuted_tokens_grad"), c.data("permuted_tokens_grad"), c.desc("probs_grad"),
        c.data("probs_grad"));
  }
};
}  // namespace

TEST_F(MoeTokenUnpermuteWithRoutingMapGrad, WorkspaceSize) {
  const std::string api = "[mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize] ";
  const ApiTensor indices(kInt, {12}), rank2(kInt, {12, 1});
  size_t size = 1;
  EXPECT_SUCCESS(mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize(handle_, indices.desc(),
                                                                          false, &size));
  EXPECT_EQ(size, 48u);
  EXPECT_SUCCESS(mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize(handle_, indices.desc(),
                                                                          true, &size));
  EXPECT_EQ(size, 48u);
  EXPECT_BAD_PARAM(mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize(nullptr, indices.desc(),
                                                                            true, &size),
                   api + "handle: wanted not NULL");
  EXPECT_BAD_PARAM(
      mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize(handle_, nullptr, true, &size),
      api + "sorted_indices_desc: wanted not NULL");
  EXPECT_BAD_PARAM(mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize(handle_, indices.desc(),
                                                                            true, nullptr),
                   api + "workspace_size: wanted not NULL");
  EXPECT_BAD_PARAM(
      mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize(handle_, rank2.desc(), true, &size),
      api + "sorted_indices_desc: wanted 1 dimensions, got 2");
}

TEST_F(MoeTokenUnpermuteWithRoutingMapGrad, GoodCalls) {
  for (bool is_padded : {false, true}) {
    for (auto dtype : {kFloat, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16}) {
      ApiCall c = is_padded ? padded() : good();
      for (const char *tensor : {"unpermuted_tokens_grad", "permuted_tokens",
                                 "permuted_tokens_grad", "probs", "probs_grad"})
        c[tensor].dtype = dtype;
      EXPECT_SUCCESS(run(c));
      EXPECT_FALSE(c.areOutputsUntouched());
    }
    ApiCall mixed = is_padded ? padded() : good(), bare = is_padded ? padded() : good();
    for (const char *tensor : {"unpermuted_tokens_grad", "permuted_tokens", "permuted_tokens_grad"})
      mixed[tensor].dtype = MLUOP_DTYPE_BFLOAT16;
    EXPECT_SUCCESS(run(mixed));
    for (const std::string &tensor : kProbs) bare.remove(tensor);
    EXPECT_SUCCESS(run(bare));
  }
}

TEST_F(MoeTokenUnpermuteWithRoutingMapGrad, NoRowsMeanZeros) {
  for (bool is_padded : {false, true}) {
    for (const char *missing :
         {"unpermuted_tokens_grad", "permuted_tokens", "sorted_indices", "routing_map", "probs"}) {
      ApiCall c = is_padded ? padded() : good();
      c["permuted_tokens"].dims = {0, 4};
      c["permuted_tokens_grad"].dims = {0, 4};
      c["sorted_indices"].dims = {0};
      c.null_data = missing;
      c.has_workspace = false;
      c.workspace_size = 0;
      EXPECT_SUCCESS(run(c));
      EXPECT_TRUE(c.isZero("probs_grad"));
    }
  }
}

TEST_F(MoeTokenUnpermuteWithRoutingMapGrad, NothingToWriteNeedsNoData) {
  for (const std::string &missing : kTensors) {
    ApiCall c = good();
    for (const char *tensor : {"unpermuted_tokens_grad", "permuted_tokens", "permuted_tokens_grad"})
      c[tensor].dims[1] = 0;
    c.null_data = missing;
    c.has_workspace = false;
    c.workspace_size = 0;
    EXPECT_SUCCESS(run(c));
    EXPECT_TRUE(c.areOutputsUntouched());
  }
}

TEST_F(MoeTokenUnpermuteWithRoutingMapGrad, NullArguments) {
  expectNeeded(kTensors);
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](ApiCall &c) { c.has_handle = false; }, "handle: wanted not NULL"},
       {[](ApiCall &c) { c.null_desc = "probs"; },
        "probs_desc and permuted_tokens_desc: wanted both or none"},
       {[](ApiCall &c) { c.null_desc = "permuted_tokens"; },
        "probs_desc and permuted_tokens_desc: wanted both or none"},
       {[](ApiCall &c) { c.null_desc = "probs_grad"; },
        "probs_desc and probs_grad_desc: wanted both or none"},
       {[](ApiCall &c) { c.null_data = "probs"; }, "probs: wanted not NULL"},
       {[](ApiCall &c) { c.null_data = "permuted_tokens"; }, "permuted_tokens: wanted not NULL"},
       {[](ApiCall &c) { c.null_data = "probs_grad"; }, "probs_grad: wanted not NULL"}});
}

TEST_F(MoeTokenUnpermuteWithRoutingMapGrad, RanksAndStrides) {
  expectRanksAndStrides(kTensors);
  expectRanksAndStrides(kProbs);
}

TEST_F(MoeTokenUnpermuteWithRoutingMapGrad, DataTypes) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](ApiCall &c) { c["unpermuted_tokens_grad"].dtype = kInt; },
        "unpermuted_tokens_grad_desc: wanted data type"},
       {[](ApiCall &c) { c["permuted_tokens"].dtype = MLUOP_DTYPE_HALF; },
        "permuted_tokens_desc: wanted data type"},
       {[](ApiCall &c) { c["sorted_indices"].dtype = MLUOP_DTYPE_INT64; },
        "sorted_indices_desc: wanted data type DTYPE_INT32"},
       {[](ApiCall &c) { c["routing_map"].dtype = kFloat; }, "routing_map_desc: wanted data type"},
       {[](ApiCall &c) { c["probs"].dtype = MLUOP_DTYPE_HALF; }, "probs_desc: wanted data type"},
       {[](ApiCall &c) { c["probs_grad"].dtype = MLUOP_DTYPE_HALF; },
        "probs_grad_desc: wanted data type"},
       {[](ApiCall &c) { c["permuted_tokens_grad"].dtype = MLUOP_DTYPE_HALF; },
        "permuted_tokens_grad_desc: wanted data type DTYPE_FLOAT"}});
}

TEST_F(MoeTokenUnpermuteWithRoutingMapGrad, Dimensions) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c["sorted_indices"].dims = {9}; },
                  "sorted_indices_desc: wanted dims[0] 10"},
                 {[](ApiCall &c) {
                    c["permuted_tokens"].dims = {9, 4};
                  },
                  "permuted_tokens_desc: wanted"},
                 {[](ApiCall &c) {
                    c["probs"].dims = {5, 7};
                  },
                  "probs_desc: wanted"},
                 {[](ApiCall &c) {
                    c["probs_grad"].dims = {5, 7};
                  },
                  "probs_grad_desc: wanted"},
                 {[](ApiCall &c) {
                    c["unpermuted_tokens_grad"].dims = {6, 4};
                  },
                  "unpermuted_tokens_grad_desc: wanted dims[0] 5"},
                 {[](ApiCall &c) {
                    c["unpermuted_tokens_grad"].dims = {5, 5};
                  },
                  "unpermuted_tokens_grad_desc: wanted dims[1] 4"},
                 {[](ApiCall &c) {
                    c["permuted_tokens"].dims = {11, 4};
                    c["permuted_tokens_grad"].dims = {11, 4};
                    c["sorted_indices"].dims = {11};
                  },
                  "permuted_tokens_grad_desc dims[0]: wanted a multiple of 5 (tokens_num)"},
                 {[](ApiCall &c) {
                    c["permuted_tokens"].dims = {35, 4};
                    c["permuted_tokens_grad"].dims = {35, 4};
                    c["sorted_indices"].dims = {35};
                  },
                  "permuted_tokens_grad_desc dims[0]: wanted a multiple of 5 (tokens_num) up to 6 "
                  "times that, got 35"},
                 {[](ApiCall &c) { c.scalar["drop_and_pad"] = 1; },
                  "permuted_tokens_grad_desc dims[0]: wanted a multiple of 6 (num_experts)"}});
}

TEST_F(MoeTokenUnpermuteWithRoutingMapGrad, Limits) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](ApiCall &c) {
                    c["routing_map"].dims = {5, 600};
                    c["permuted_tokens"].dims = {2565, 4};
                    c["permuted_tokens_grad"].dims = {2565, 4};
                    c["sorted_indices"].dims = {2565};
                    for (const char *probs : {"probs", "probs_grad"}) c[probs].dims = {5, 600};
                  },
                  "rows of one token: wanted at most 512 without drop_and_pad, got 513"}});
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](ApiCall &c) {
                                            c["routing_map"].dims = {5, 16777215};
                                            for (const char *probs : {"probs", "probs_grad"})
                                              c[probs].dims = {5, 16777215};
                                          },
                                          "num_experts: wanted less than 16777215"}});
}

TEST_F(MoeTokenUnpermuteWithRoutingMapGrad, Workspace) {
  ApiCall small = padded(), missing = padded();
  small.workspace_size = 44;
  EXPECT_BAD_PARAM(run(small), "workspace_size: wanted at least 48, got 44");
  EXPECT_TRUE(small.areOutputsUntouched());
  missing.has_workspace = false;
  EXPECT_BAD_PARAM(run(missing), "workspace: wanted not NULL");
  EXPECT_TRUE(missing.areOutputsUntouched());
}

TEST_F(MoeTokenUnpermuteWithRoutingMapGrad, OverlappingMemory) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) {
                    c.same_memory[0] = "permuted_tokens_grad";
                    c.same_memory[1] = "unpermuted_tokens_grad";
                  },
                  "permuted_tokens_grad: wanted memory that does not overlap"}});
}

TEST_F(MoeTokenUnpermuteWithRoutingMapGrad, OldDevice) {
  handle_->arch = MLUOP_MLU290;
  ApiCall c = good();
  c.workspace_size = 0;
  EXPECT_ONE_ERROR(MLUOP_STATUS_ARCH_MISMATCH, run(c), "architecture 372 or newer, got 290");
  EXPECT_TRUE(c.areOutputsUntouched());
}
