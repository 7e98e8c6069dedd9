/* SPDX-License-Identifier: MIT
 *
 * mluOpSparseAttentionScores: every documented constraint, one wrong argument at a time.
 */
#include <cmath>

#include "gather_in_ub/paged_api.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;

class SparseAttentionScores : public PagedApi {
 protected:
  SparseAttentionScores() : PagedApi("mluOpSparseAttentionScores", "scores") {}
  PagedCall goodCall() const override {
    PagedCall call;
    call.tensors = {{"query", {kFloat, {5, 3, 8}}},  {"param", {kFloat, {32, 8}}},
                    {"indices", {kInt, {5, 10}}},    {"block_table", {kInt, {2, 3}}},
                    {"request_ids", {kInt, {5}}},    {"valid_counts", {kInt, {5}}},
                    {"scores", {kFloat, {5, 3, 10}}}};
    return call;
  }
  mluOpStatus_t invoke(mluOpHandle_t handle, const PagedCall &c) override {
    return mluOpSparseAttentionScores(
        handle, desc(c, "query"), data(c, "query"), desc(c, "param"), data(c, "param"),
        desc(c, "indices"), data(c, "indices"), desc(c, "block_table"), data(c, "block_table"),
        desc(c, "request_ids"), data(c, "request_ids"), desc(c, "valid_counts"),
        data(c, "valid_counts"), c.block_size, c.scale, desc(c, "scores"), data(c, "scores"));
  }
};
}  // namespace

TEST_F(SparseAttentionScores, GoodCalls) {
  for (const char *missing : {"", "request_ids", "valid_counts", "request_ids valid_counts"}) {
    PagedCall call = goodCall();
    call.null_desc = call.null_data = missing;
    EXPECT_SUCCESS(run(call));
  }
  for (auto dtype : {MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16}) {
    PagedCall call = goodCall();
    call.tensors["param"].dtype = call.tensors["query"].dtype = dtype;
    EXPECT_SUCCESS(run(call));
  }
}

TEST_F(SparseAttentionScores, NullArguments) {
  expectNullRefused({"query", "param", "indices", "block_table", "scores"});
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](PagedCall &c) { c.null_desc = "request_ids"; },
                  "request_ids: wanted both its descriptor and its data or none of them"},
                 {[](PagedCall &c) { c.null_data = "valid_counts"; },
                  "valid_counts: wanted both its descriptor and its data or none of them"}});
}

TEST_F(SparseAttentionScores, RanksAndDataTypes) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](PagedCall &c) {
                    c.tensors["query"].dims = {15, 8};
                  },
                  "query_desc: wanted 3 dimensions, got 2"},
                 {[](PagedCall &c) {
                    c.tensors["param"].dims = {8, 4, 8};
                  },
                  "param_desc: wanted 2 dimensions, got 3"},
                 {[](PagedCall &c) { c.tensors["indices"].dims = {50}; },
                  "indices_desc: wanted 2 dimensions, got 1"},
                 {[](PagedCall &c) { c.tensors["block_table"].dims = {6}; },
                  "block_table_desc: wanted 2 dimensions, got 1"},
                 {[](PagedCall &c) {
                    c.tensors["scores"].dims = {15, 10};
                  },
                  "scores_desc: wanted 3 dimensions, got 2"},
                 {[](PagedCall &c) {
                    c.tensors["query"].dtype = c.tensors["param"].dtype = MLUOP_DTYPE_INT8;
                  },
                  "query_desc: wanted data type"},
                 {[](PagedCall &c) { c.tensors["param"].dtype = MLUOP_DTYPE_HALF; },
                  "param_desc: wanted data type DTYPE_FLOAT as in query_desc, got DTYPE_HALF"},
                 {[](PagedCall &c) { c.tensors["indices"].dtype = MLUOP_DTYPE_INT64; },
                  "indices_desc: wanted data type DTYPE_INT32"},
                 {[](PagedCall &c) { c.tensors["block_table"].dtype = kFloat; },
                  "block_table_desc: wanted data type DTYPE_INT32"},
                 {[](PagedCall &c) { c.tensors["scores"].dtype = MLUOP_DTYPE_HALF; },
                  "scores_desc: wanted data type DTYPE_FLOAT, got DTYPE_HALF"}});
}

TEST_F(SparseAttentionScores, ScalarsAndDimensions) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](PagedCall &c) { c.block_size = 0; }, "block_size: wanted 1 or more, got 0"},
       {[](PagedCall &c) { c.scale = INFINITY; }, "scale: wanted a finite number"},
       {[](PagedCall &c) { c.scale = NAN; }, "scale: wanted a finite number"},
       {[](PagedCall &c) {
          c.tensors["query"].dims = {5, 3, 7};
        },
        "query_desc: wanted dims[2] 8"},
       {[](PagedCall &c) {
          c.tensors["indices"].dims = {4, 10};
        },
        "indices_desc: wanted dims[0] 5"},
       {[](PagedCall &c) {
          c.tensors["scores"].dims = {4, 3, 10};
        },
        "scores_desc: wanted dims[0] 5"},
       {[](PagedCall &c) {
          c.tensors["scores"].dims = {5, 2, 10};
        },
        "scores_desc: wanted dims[1] 3"},
       {[](PagedCall &c) {
          c.tensors["scores"].dims = {5, 3, 11};
        },
        "scores_desc: wanted dims[2] 10"},
       {[](PagedCall &c) { c.tensors["request_ids"].dims = {4}; }, "request_ids: wanted dims[0] 5"},
       {[](PagedCall &c) { c.tensors["valid_counts"].dims = {4}; },
        "valid_counts: wanted dims[0] 5"}});
}

TEST_F(SparseAttentionScores, EmptyTensors) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](PagedCall &c) {
                                            c.tensors["query"].dims = {5, 0, 8};
                                            c.tensors["scores"].dims = {5, 0, 10};
                                          },
                                          "query_desc: wanted at least one element"},
                                         {[](PagedCall &c) {
                                            c.tensors["param"].dims = {0, 8};
                                          },
                                          "param_desc: wanted at least one element"},
                                         {[](PagedCall &c) {
                                            c.tensors["indices"].dims = {5, 0};
                                            c.tensors["scores"].dims = {5, 3, 0};
                                          },
                                          "indices_desc: wanted at least one element"},
                                         {[](PagedCall &c) {
                                            c.tensors["block_table"].dims = {2, 0};
                                          },
                                          "block_table_desc: wanted at least one element"}});
}

TEST_F(SparseAttentionScores, Strides) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED, {{[](PagedCall &c) {
                                                c.tensors["query"].strides = {24, 8, 2};
                                              },
                                              "query_desc: wanted strides[2] 1, got 2"},
                                             {[](PagedCall &c) {
                                                c.tensors["param"].strides = {16, 2};
                                              },
                                              "param_desc: wanted contiguous rows"},
                                             {[](PagedCall &c) {
                                                c.tensors["indices"].strides = {12, 1};
                                              },
                                              "indices_desc: wanted strides[0] 10, got 12"},
                                             {[](PagedCall &c) {
                                                c.tensors["block_table"].strides = {4, 1};
                                              },
                                              "block_table_desc: wanted strides[0] 3, got 4"},
                                             {[](PagedCall &c) {
                                                c.tensors["scores"].strides = {33, 11, 1};
                                              },
                                              "scores_desc: wanted strides[1] 10, got 11"}});
}

TEST_F(SparseAttentionScores, OnChipSizes) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](PagedCall &c) {
                    c.tensors["query"].dims = {5, 3, 2049};
                    c.tensors["param"].dims = {32, 2049};
                  },
                  "query_desc: wanted up to 8192 heads"},
                 {[](PagedCall &c) {
                    c.tensors["query"].dims = {5, 65, 2048};
                    c.tensors["param"].dims = {32, 2048};
                    c.tensors["scores"].dims = {5, 65, 10};
                  },
                  "query_desc: wanted up to 8192 heads"},
                 {[](PagedCall &c) {
                    c.tensors["block_table"].dims = {2, 1073741824};
                  },
                  "block_table_desc: wanted at most 1073741823 entries"}});
}

TEST_F(SparseAttentionScores, OverlappingMemory) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](PagedCall &c) { c.same_memory_as = "param"; },
                                          "scores: wanted memory that does not overlap"},
                                         {[](PagedCall &c) { c.same_memory_as = "query"; },
                                          "scores: wanted memory that does not overlap"}});
}

TEST_F(SparseAttentionScores, OldDevice) {
  expectOldDeviceRefused();
}
