/* SPDX-License-Identifier: MIT
 *
 * mluOpMoeTokenPermuteWithRoutingMap, its second revision and its workspace query: every documented
 * constraint, one wrong argument at a time.
 */
#include "util/api_call.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;
const std::vector<std::string> kTensors = {"tokens", "routing_map", "permuted_tokens",
                                           "sorted_indices"};
const std::vector<std::string> kProbs = {"probs", "permuted_probs"};

/* 5 tokens of 4 elements, 6 experts, two rows per token. */
class MoeTokenPermuteWithRoutingMap : public ApiCallTest {
 protected:
  std::string name() const override { return "mluOpMoeTokenPermuteWithRoutingMap"; }

  ApiCall good() const override {
    ApiCall c;
    c.input("tokens", kFloat, {5, 4});
    c.input("routing_map", MLUOP_DTYPE_INT8, {5, 6});
    c.input("probs", kFloat, {5, 6});
    c.output("permuted_tokens", kFloat, {10, 4});
    c.output("permuted_probs", kFloat, {10});
    c.output("sorted_indices", kInt, {10});
    c.scalar = {{"num_out_tokens", 10}, {"drop_and_pad", 0}};
    return c;
  }

  ApiCall padded() const {
    ApiCall c = good();
    c.scalar = {{"num_out_tokens", 12}, {"drop_and_pad", 1}};
    c["permuted_tokens"].dims = {12, 4};
    c["permuted_probs"].dims = c["sorted_indices"].dims = {12};
    return c;
  }

  mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) override {
    size_t size = 1 << 16;
    ApiTensor workspace(MLUOP_DTYPE_INT8, {(int64_t)size});
    if (c.workspace_size >= 0) {
      size = (size_t)c.workspace_size;
    } else if (!c.is_refused) {
      EXPECT_EQ(
          mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle, c.desc("routing_map"), &size),
          MLUOP_STATUS_SUCCESS);
    }
    void *memory = c.has_workspace ? workspace.data() : nullptr;
    if (name() == "mluOpMoeTokenPermuteWithRoutingMap") {
      return mluOpMoeTokenPermuteWithRoutingMap(
          handle, c.desc("tokens"), c.data("tokens"), c.desc("routing_map"), c.data("routing_map"),
          c.desc("probs"), c.data("probs"), c.scalar.at("num_out_tokens"),
          c.scalar.at("drop_and_pad") != 0, memory, size, c.desc("permuted_tokens"),
          c.data("permuted_tokens"), c.desc("permuted_probs"), c.data("permuted_probs"),
          c.desc("sorted_indices"), c.data("sorted_indices"));
    }
    return mluOpMoeTokenPermuteWithRoutingMap_v2(
        handle, c.desc("tokens"), c.data("tokens"), c.desc("routing_map"), c.data("routing_map"),
        c.desc("probs"), c.data("probs"), c.scalar.at("num_out_tokens"),
        c.scalar.at("drop_and_pad") != 0, memory, size, c.desc("permuted_tokens"),
        c.data("permuted_tokens"), c.desc("permuted_probs"), c.data("permuted_probs"),
        c.desc("sorted_indices"), c.data("sorted_indices"), c.desc("tokens_per_expert"),
        c.data("tokens_per_expert"));
  }
};

/* The second revision, with counts. */
class MoeTokenPermuteWithRoutingMapV2 : public MoeTokenPermuteWithRoutingMap {
 protected:
  std::string name() const override { return "mluOpMoeTokenPermuteWithRoutingMap_v2"; }

  ApiCall good() const override {
    ApiCall c = MoeTokenPermuteWithRoutingMap::good();
    c.output("tokens_per_expert", kInt, {6});
    return c;
  }
};
}  // namespace

TEST_F(MoeTokenPermuteWithRoutingMap, WorkspaceSize) {
  const std::string api = "[mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize] ";
  const ApiTensor map(MLUOP_DTYPE_INT8, {5, 6}), empty(MLUOP_DTYPE_INT8, {0, 6});
  const ApiTensor rank3(MLUOP_DTYPE_INT8, {5, 6, 1});
  size_t size = 0;
  EXPECT_SUCCESS(mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle_, map.desc(), &size));
  EXPECT_GE(size, 6 * sizeof(int32_t));
  EXPECT_SUCCESS(mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle_, empty.desc(), &size));
  EXPECT_EQ(size, 0u);
  EXPECT_BAD_PARAM(mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(nullptr, map.desc(), &size),
                   api + "handle: wanted not NULL");
  EXPECT_BAD_PARAM(mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle_, nullptr, &size),
                   api + "routing_map_desc: wanted not NULL");
  EXPECT_BAD_PARAM(mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle_, map.desc(), nullptr),
                   api + "workspace_size: wanted not NULL");
  EXPECT_BAD_PARAM(mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle_, rank3.desc(), &size),
                   api + "routing_map_desc: wanted 2 dimensions, got 3");
}

/* The query refuses what the operator refuses. */
TEST_F(MoeTokenPermuteWithRoutingMap, WorkspaceSizeOfWrongMaps) {
  const std::string api = "[mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize] ";
  const mluOpDataType_t kMap = MLUOP_DTYPE_INT8;
  const ApiTensor real(kFloat, {5, 6}), apart(kMap, {5, 6}, {7, 1}), tokens(kMap, {16777215, 6});
  const ApiTensor experts(kMap, {1, int64_t{1} << 60}); /* the number of bytes would wrap */
  size_t size = 77;
  EXPECT_BAD_PARAM(mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle_, real.desc(), &size),
                   api + "routing_map_desc: wanted data type DTYPE_INT8 or DTYPE_BOOL");
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED,
                   mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle_, apart.desc(), &size),
                   api + "routing_map_desc: wanted strides[0] 6, got 7");
  EXPECT_BAD_PARAM(
      mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle_, tokens.desc(), &size),
      api + "routing_map_desc: wanted dims[0] (tokens_num) less than 16777215, got 16777215");
  EXPECT_BAD_PARAM(
      mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle_, experts.desc(), &size),
      api +
          "routing_map_desc: wanted dims[1] (num_experts) less than 16777215, got "
          "1152921504606846976");
  EXPECT_EQ(size, 77u); /* unchanged */
}

TEST_F(MoeTokenPermuteWithRoutingMap, GoodCalls) {
  for (bool is_padded : {false, true}) {
    for (auto dtype : {kFloat, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16}) {
      for (auto map_dtype : {MLUOP_DTYPE_INT8, MLUOP_DTYPE_BOOL}) {
        ApiCall c = is_padded ? padded() : good();
        for (const char *tensor : {"tokens", "permuted_tokens", "probs", "permuted_probs"})
          c[tensor].dtype = dtype;
        c["routing_map"].dtype = map_dtype;
        EXPECT_SUCCESS(run(c));
        EXPECT_FALSE(c.areOutputsUntouched());
      }
    }
    ApiCall mixed = is_padded ? padded() : good(), bare = is_padded ? padded() : good();
    mixed["tokens"].dtype = mixed["permuted_tokens"].dtype = MLUOP_DTYPE_BFLOAT16;
    EXPECT_SUCCESS(run(mixed));
    for (const std::string &tensor : kProbs) bare.remove(tensor);
    EXPECT_SUCCESS(run(bare));
  }
}

TEST_F(MoeTokenPermuteWithRoutingMap, NothingToPermuteNeedsNoData) {
  const std::vector<std::function<void(ApiCall &)>> table = {
      [](ApiCall &c) { c.scalar["num_out_tokens"] = 4; }, /* no row for a token */
      [](ApiCall &c) { c.scalar["num_out_tokens"] = 0; },
      [](ApiCall &c) {
        c.scalar["num_out_tokens"] = 0;
        c["tokens"].dims = {0, 4};
        c["routing_map"].dims = c["probs"].dims = {0, 6};
      },
      [](ApiCall &c) {
        c.scalar["num_out_tokens"] = 0;
        c["routing_map"].dims = c["probs"].dims = {5, 0};
      },
      [](ApiCall &c) {
        c["tokens"].dims = {5, 0};
        c["permuted_tokens"].dims = {0, 0};
      }};
  for (const auto &change : table) {
    for (const char *missing : {"", "tokens", "routing_map", "probs", "permuted_tokens",
                                "permuted_probs", "sorted_indices"}) {
      ApiCall c = good();
      c["permuted_tokens"].dims[0] = 0;
      c["permuted_probs"].dims = c["sorted_indices"].dims = {0};
      change(c);
      c.null_data = missing;
      c.has_workspace = false;
      c.workspace_size = 0;
      EXPECT_SUCCESS(run(c));
    }
  }
}

TEST_F(MoeTokenPermuteWithRoutingMap, NullArguments) {
  expectNeeded(kTensors);
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c.has_handle = false; }, "handle: wanted not NULL"},
                 {[](ApiCall &c) { c.null_desc = "probs"; },
                  "probs_desc and permuted_probs_desc: wanted both or none"},
                 {[](ApiCall &c) { c.null_desc = "permuted_probs"; },
                  "probs_desc and permuted_probs_desc: wanted both or none, got only probs_desc"},
                 {[](ApiCall &c) { c.null_data = "probs"; },
                  "probs: wanted both its descriptor and its data"},
                 {[](ApiCall &c) { c.null_data = "permuted_probs"; },
                  "permuted_probs: wanted both its descriptor and its data"}});
}

TEST_F(MoeTokenPermuteWithRoutingMap, RanksAndStrides) {
  expectRanksAndStrides(kTensors);
  expectRanksAndStrides(kProbs);
}

TEST_F(MoeTokenPermuteWithRoutingMap, DataTypes) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](ApiCall &c) { c["tokens"].dtype = MLUOP_DTYPE_INT8; }, "tokens_desc: wanted data type"},
       {[](ApiCall &c) { c["routing_map"].dtype = kInt; }, "routing_map_desc: wanted data type"},
       {[](ApiCall &c) { c["probs"].dtype = MLUOP_DTYPE_HALF; }, "probs_desc: wanted data type"},
       {[](ApiCall &c) { c["tokens"].dtype = c["permuted_tokens"].dtype = MLUOP_DTYPE_HALF; },
        "probs_desc: wanted data type DTYPE_HALF as in tokens_desc, got DTYPE_FLOAT"},
       {[](ApiCall &c) { c["permuted_tokens"].dtype = MLUOP_DTYPE_HALF; },
        "permuted_tokens_desc: wanted data type DTYPE_FLOAT as in tokens_desc"},
       {[](ApiCall &c) { c["permuted_probs"].dtype = MLUOP_DTYPE_HALF; },
        "permuted_probs_desc: wanted data type DTYPE_FLOAT as in probs_desc"},
       {[](ApiCall &c) { c["sorted_indices"].dtype = MLUOP_DTYPE_INT64; },
        "sorted_indices_desc: wanted data type DTYPE_INT32"}});
}

TEST_F(MoeTokenPermuteWithRoutingMap, Numbers) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c.scalar["num_out_tokens"] = -1; },
                  "num_out_tokens: wanted 0 or more, got -1"},
                 {[](ApiCall &c) { c.scalar["num_out_tokens"] = 31; },
                  "num_out_tokens: wanted at most tokens_num * num_experts, 30, got 31"},
                 {[](ApiCall &c) { c.scalar["num_out_tokens"] = INT64_MAX; },
                  "num_out_tokens: wanted at most"},
                 {[](ApiCall &c) {
                    c["routing_map"].dims = c["probs"].dims = {5, 16777215};
                  },
                  "routing_map_desc: wanted dims[1] (num_experts) less than 16777215"},
                 {[](ApiCall &c) {
                    c["tokens"].dims = {16777215, 4};
                    c["routing_map"].dims = c["probs"].dims = {16777215, 6};
                  },
                  "routing_map_desc: wanted dims[0] (tokens_num) less than 16777215"}});
}

TEST_F(MoeTokenPermuteWithRoutingMap, Dimensions) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](ApiCall &c) {
                                            c["tokens"].dims = {6, 4};
                                          },
                                          "tokens_desc: wanted dims[0] 5"},
                                         {[](ApiCall &c) {
                                            c["probs"].dims = {5, 7};
                                          },
                                          "probs_desc: wanted"},
                                         {[](ApiCall &c) {
                                            c["permuted_tokens"].dims = {9, 4};
                                          },
                                          "permuted_tokens_desc: wanted dims[0] 10"},
                                         {[](ApiCall &c) {
                                            c["permuted_tokens"].dims = {10, 5};
                                          },
                                          "permuted_tokens_desc: wanted dims[1] 4"},
                                         {[](ApiCall &c) { c["permuted_probs"].dims = {11}; },
                                          "permuted_probs_desc: wanted dims[0] 10"},
                                         {[](ApiCall &c) { c["sorted_indices"].dims = {9}; },
                                          "sorted_indices_desc: wanted dims[0] 10"},
                                         {[](ApiCall &c) { c.scalar["num_out_tokens"] = 15; },
                                          "permuted_tokens_desc: wanted dims[0] 15"}});
}

TEST_F(MoeTokenPermuteWithRoutingMap, Limits) {
  expectRefused(
      MLUOP_STATUS_NOT_SUPPORTED,
      {{[](ApiCall &c) {
          c["routing_map"].dims = c["probs"].dims = {5, 600};
          c.scalar["num_out_tokens"] = 5 * 513;
          c["permuted_tokens"].dims = {5 * 513, 4};
          c["permuted_probs"].dims = c["sorted_indices"].dims = {5 * 513};
        },
        "num_out_tokens: wanted at most 512 rows of one token without drop_and_pad, got 513"},
       {[](ApiCall &c) {
          const int64_t tokens = 8388608, rows = tokens * 256;
          c["tokens"].dims = {tokens, 4};
          c["routing_map"].dims = c["probs"].dims = {tokens, 300};
          c.scalar["num_out_tokens"] = rows;
          c["permuted_tokens"].dims = {rows, 4};
          c["permuted_probs"].dims = c["sorted_indices"].dims = {rows};
        },
        "num_out_tokens: wanted at most 2147483647 rows, got 2147483648"}});
}

TEST_F(MoeTokenPermuteWithRoutingMap, Workspace) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c.workspace_size = 1; }, "workspace_size: wanted at least"},
                 {[](ApiCall &c) { c.workspace_size = 0; }, "workspace_size: wanted at least"},
                 {[](ApiCall &c) { c.has_workspace = false; }, "workspace: wanted not NULL"}});
}

TEST_F(MoeTokenPermuteWithRoutingMap, OverlappingMemory) {
  expectApart();
}

TEST_F(MoeTokenPermuteWithRoutingMapV2, OverlappingMemory) {
  expectApart();
}

TEST_F(MoeTokenPermuteWithRoutingMap, OldDevice) {
  expectOldDeviceRefused();
}

TEST_F(MoeTokenPermuteWithRoutingMapV2, GoodCalls) {
  for (auto dtype : {kInt, MLUOP_DTYPE_INT64}) {
    ApiCall c = good();
    c["tokens_per_expert"].dtype = dtype;
    EXPECT_SUCCESS(run(c));
    EXPECT_FALSE(c.areOutputsUntouched());
  }
  ApiCall without = good();
  without.remove("tokens_per_expert");
  EXPECT_SUCCESS(run(without));
}

TEST_F(MoeTokenPermuteWithRoutingMapV2, NothingToPermuteMeansNoTokens) {
  ApiCall c = good();
  c["tokens"].dims = {0, 4};
  c["routing_map"].dims = c["probs"].dims = {0, 6};
  c["permuted_tokens"].dims = {0, 4};
  c["permuted_probs"].dims = c["sorted_indices"].dims = {0};
  c.scalar["num_out_tokens"] = 0;
  EXPECT_SUCCESS(run(c));
  EXPECT_TRUE(c.isZero("tokens_per_expert"));
}

TEST_F(MoeTokenPermuteWithRoutingMapV2, Counts) {
  expectRanksAndStrides({"tokens_per_expert"});
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c.null_data = "tokens_per_expert"; },
                  "tokens_per_expert: wanted both its descriptor and its data or none of them, "
                  "got only the descriptor"},
                 {[](ApiCall &c) { c.null_desc = "tokens_per_expert"; },
                  "tokens_per_expert: wanted both its descriptor and its data or none of them, "
                  "got only the data"},
                 {[](ApiCall &c) { c["tokens_per_expert"].dtype = kFloat; },
                  "tokens_per_expert_desc: wanted data type"},
                 {[](ApiCall &c) { c["tokens_per_expert"].dims = {5}; },
                  "tokens_per_expert_desc: wanted dims[0] 6"}});
}
