/* SPDX-License-Identifier: MIT
 *
 * mluOpGatherInUbBatched: every documented constraint, one wrong argument at a time.
 */
#include "gather_in_ub/paged_api.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;

class GatherInUbBatched : public PagedApi {
 protected:
  GatherInUbBatched() : PagedApi("mluOpGatherInUbBatched", "output") {}
  PagedCall goodCall() const override {
    PagedCall call;
    call.tensors = {{"param", {kFloat, {32, 8}}},    {"indices", {kInt, {5, 10}}},
                    {"block_table", {kInt, {2, 3}}}, {"request_ids", {kInt, {5}}},
                    {"valid_counts", {kInt, {5}}},   {"output", {kFloat, {5, 10, 8}}}};
    return call;
  }
  mluOpStatus_t invoke(mluOpHandle_t handle, const PagedCall &c) override {
    return mluOpGatherInUbBatched(
        handle, desc(c, "param"), data(c, "param"), desc(c, "indices"), data(c, "indices"),
        desc(c, "block_table"), data(c, "block_table"), desc(c, "request_ids"),
        data(c, "request_ids"), desc(c, "valid_counts"), data(c, "valid_counts"), c.block_size,
        c.axis, desc(c, "output"), data(c, "output"));
  }
};
}  // namespace

TEST_F(GatherInUbBatched, GoodCalls) {
  for (const char *missing : {"", "request_ids", "valid_counts", "request_ids valid_counts"}) {
    PagedCall call = goodCall();
    call.null_desc = call.null_data = missing;
    EXPECT_SUCCESS(run(call));
  }
  for (auto dtype : {MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_INT8, MLUOP_DTYPE_UINT8}) {
    PagedCall call = goodCall();
    call.tensors["param"].dtype = call.tensors["output"].dtype = dtype;
    EXPECT_SUCCESS(run(call));
  }
  PagedCall apart = goodCall();
  apart.tensors["param"].strides = {11, 1};
  EXPECT_SUCCESS(run(apart));
}

TEST_F(GatherInUbBatched, NullArguments) {
  expectNullRefused({"param", "indices", "block_table", "output"});
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](PagedCall &c) { c.null_desc = "request_ids"; },
        "request_ids: wanted both its descriptor and its data or none of them, got only the data"},
       {[](PagedCall &c) { c.null_data = "request_ids"; },
        "request_ids: wanted both its descriptor and its data or none of them, got only the "
        "descriptor"},
       {[](PagedCall &c) { c.null_desc = "valid_counts"; },
        "valid_counts: wanted both its descriptor and its data or none of them, got only the data"},
       {[](PagedCall &c) { c.null_data = "valid_counts"; },
        "valid_counts: wanted both its descriptor and its data or none of them, got only the "
        "descriptor"}});
}

TEST_F(GatherInUbBatched, Ranks) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](PagedCall &c) {
                                            c.tensors["param"].dims = {8, 4, 8};
                                          },
                                          "param_desc: wanted 2 dimensions, got 3"},
                                         {[](PagedCall &c) { c.tensors["indices"].dims = {50}; },
                                          "indices_desc: wanted 2 dimensions, got 1"},
                                         {[](PagedCall &c) { c.tensors["block_table"].dims = {6}; },
                                          "block_table_desc: wanted 2 dimensions, got 1"},
                                         {[](PagedCall &c) {
                                            c.tensors["request_ids"].dims = {5, 1};
                                          },
                                          "request_ids: wanted 1 dimensions, got 2"},
                                         {[](PagedCall &c) {
                                            c.tensors["valid_counts"].dims = {1, 5};
                                          },
                                          "valid_counts: wanted 1 dimensions, got 2"},
                                         {[](PagedCall &c) {
                                            c.tensors["output"].dims = {50, 8};
                                          },
                                          "output_desc: wanted 3 dimensions, got 2"}});
}

TEST_F(GatherInUbBatched, DataTypes) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](PagedCall &c) { c.tensors["param"].dtype = c.tensors["output"].dtype = kInt; },
                  "param_desc: wanted data type"},
                 {[](PagedCall &c) { c.tensors["output"].dtype = MLUOP_DTYPE_HALF; },
                  "output_desc: wanted data type DTYPE_FLOAT as in param_desc, got DTYPE_HALF"},
                 {[](PagedCall &c) { c.tensors["indices"].dtype = MLUOP_DTYPE_INT64; },
                  "indices_desc: wanted data type DTYPE_INT32, got DTYPE_INT64"},
                 {[](PagedCall &c) { c.tensors["block_table"].dtype = kFloat; },
                  "block_table_desc: wanted data type DTYPE_INT32, got DTYPE_FLOAT"},
                 {[](PagedCall &c) { c.tensors["request_ids"].dtype = MLUOP_DTYPE_INT64; },
                  "request_ids: wanted data type DTYPE_INT32, got DTYPE_INT64"},
                 {[](PagedCall &c) { c.tensors["valid_counts"].dtype = kFloat; },
                  "valid_counts: wanted data type DTYPE_INT32, got DTYPE_FLOAT"}});
}

TEST_F(GatherInUbBatched, Scalars) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](PagedCall &c) { c.block_size = 0; }, "block_size: wanted 1 or more, got 0"},
                 {[](PagedCall &c) { c.axis = 1; }, "axis: wanted -2, got 1"}});
}

TEST_F(GatherInUbBatched, Dimensions) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](PagedCall &c) {
          c.tensors["output"].dims = {4, 10, 8};
        },
        "output_desc: wanted dims[0] 5"},
       {[](PagedCall &c) {
          c.tensors["output"].dims = {5, 9, 8};
        },
        "output_desc: wanted dims[1] 10"},
       {[](PagedCall &c) {
          c.tensors["output"].dims = {5, 10, 9};
        },
        "output_desc: wanted dims[2] 8"},
       {[](PagedCall &c) { c.tensors["request_ids"].dims = {4}; }, "request_ids: wanted dims[0] 5"},
       {[](PagedCall &c) { c.tensors["valid_counts"].dims = {6}; },
        "valid_counts: wanted dims[0] 5"}});
}

TEST_F(GatherInUbBatched, EmptyTensors) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](PagedCall &c) {
                                            c.tensors["param"].dims = {0, 8};
                                          },
                                          "param_desc: wanted at least one element"},
                                         {[](PagedCall &c) {
                                            c.tensors["indices"].dims = {5, 0};
                                            c.tensors["output"].dims = {5, 0, 8};
                                          },
                                          "indices_desc: wanted at least one element"},
                                         {[](PagedCall &c) {
                                            c.tensors["block_table"].dims = {0, 3};
                                          },
                                          "block_table_desc: wanted at least one element"}});
}

TEST_F(GatherInUbBatched, Strides) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](PagedCall &c) {
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
                 {[](PagedCall &c) { c.tensors["request_ids"].strides = {2}; },
                  "request_ids: wanted strides[0] 1, got 2"},
                 {[](PagedCall &c) { c.tensors["valid_counts"].strides = {2}; },
                  "valid_counts: wanted strides[0] 1, got 2"},
                 {[](PagedCall &c) {
                    c.tensors["output"].strides = {90, 9, 1};
                  },
                  "output_desc: wanted strides[1] 8, got 9"}});
}

TEST_F(GatherInUbBatched, LargeTables) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](PagedCall &c) {
                    c.tensors["block_table"].dims = {2, 1073741824};
                  },
                  "block_table_desc: wanted at most 1073741823 entries, got 1073741824"}});
}

TEST_F(GatherInUbBatched, OverlappingMemory) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](PagedCall &c) { c.same_memory_as = "param"; },
                                          "output: wanted memory that does not overlap"}});
}

TEST_F(GatherInUbBatched, OldDevice) {
  expectOldDeviceRefused();
}
