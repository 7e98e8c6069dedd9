/* SPDX-License-Identifier: MIT
 *
 * mluOpGatherInUb: every documented constraint, one wrong argument at a time.
 */
#include "gather_in_ub/paged_api.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;

class GatherInUb : public PagedApi {
 protected:
  GatherInUb() : PagedApi("mluOpGatherInUb", "output") {}
  PagedCall goodCall() const override {
    PagedCall call;
    call.tensors = {{"param", {kFloat, {32, 8}}},
                    {"indices", {kInt, {1, 10}}},
                    {"block_table", {kInt, {1, 3}}},
                    {"output", {kFloat, {10, 8}}}};
    return call;
  }
  mluOpStatus_t invoke(mluOpHandle_t handle, const PagedCall &c) override {
    return mluOpGatherInUb(handle, desc(c, "param"), data(c, "param"), desc(c, "indices"),
                           data(c, "indices"), desc(c, "block_table"), data(c, "block_table"),
                           c.block_size, c.axis, desc(c, "output"), data(c, "output"));
  }
};
}  // namespace

TEST_F(GatherInUb, GoodCalls) {
  EXPECT_SUCCESS(run(goodCall()));
  for (auto dtype : {MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_INT8, MLUOP_DTYPE_UINT8}) {
    PagedCall call = goodCall();
    call.tensors["param"].dtype = call.tensors["output"].dtype = dtype;
    EXPECT_SUCCESS(run(call));
  }
  PagedCall apart = goodCall(); /* rows of the cache lie apart */
  apart.tensors["param"].strides = {11, 1};
  EXPECT_SUCCESS(run(apart));
  PagedCall one = goodCall(); /* strides of dimensions of size 1 do not matter */
  one.tensors["param"] = {kFloat, {1, 8}, {3, 1}};
  EXPECT_SUCCESS(run(one));
}

TEST_F(GatherInUb, NullArguments) {
  expectNullRefused({"param", "indices", "block_table", "output"});
}

TEST_F(GatherInUb, Ranks) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](PagedCall &c) {
                                            c.tensors["param"].dims = {8, 4, 8};
                                          },
                                          "param_desc: wanted 2 dimensions, got 3"},
                                         {[](PagedCall &c) { c.tensors["indices"].dims = {10}; },
                                          "indices_desc: wanted 2 dimensions, got 1"},
                                         {[](PagedCall &c) { c.tensors["block_table"].dims = {3}; },
                                          "block_table_desc: wanted 2 dimensions, got 1"},
                                         {[](PagedCall &c) {
                                            c.tensors["output"].dims = {1, 10, 8};
                                          },
                                          "output_desc: wanted 2 dimensions, got 3"}});
}

TEST_F(GatherInUb, DataTypes) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](PagedCall &c) { c.tensors["param"].dtype = c.tensors["output"].dtype = kInt; },
                  "param_desc: wanted data type"},
                 {[](PagedCall &c) { c.tensors["output"].dtype = MLUOP_DTYPE_HALF; },
                  "output_desc: wanted data type DTYPE_FLOAT as in param_desc, got DTYPE_HALF"},
                 {[](PagedCall &c) { c.tensors["indices"].dtype = MLUOP_DTYPE_INT64; },
                  "indices_desc: wanted data type DTYPE_INT32, got DTYPE_INT64"},
                 {[](PagedCall &c) { c.tensors["block_table"].dtype = kFloat; },
                  "block_table_desc: wanted data type DTYPE_INT32, got DTYPE_FLOAT"}});
}

TEST_F(GatherInUb, Scalars) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](PagedCall &c) { c.block_size = 0; }, "block_size: wanted 1 or more, got 0"},
                 {[](PagedCall &c) { c.block_size = -4; }, "block_size: wanted 1 or more, got -4"},
                 {[](PagedCall &c) { c.axis = 0; }, "axis: wanted -2, got 0"},
                 {[](PagedCall &c) { c.axis = -1; }, "axis: wanted -2, got -1"}});
}

TEST_F(GatherInUb, Dimensions) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](PagedCall &c) {
                                            c.tensors["indices"].dims = {2, 10};
                                          },
                                          "indices_desc: wanted dims[0] 1, got 2"},
                                         {[](PagedCall &c) {
                                            c.tensors["block_table"].dims = {2, 3};
                                          },
                                          "block_table_desc: wanted dims[0] 1, got 2"},
                                         {[](PagedCall &c) {
                                            c.tensors["output"].dims = {9, 8};
                                          },
                                          "output_desc: wanted dims[0] 10"},
                                         {[](PagedCall &c) {
                                            c.tensors["output"].dims = {10, 7};
                                          },
                                          "output_desc: wanted dims[1] 8"}});
}

TEST_F(GatherInUb, EmptyTensors) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](PagedCall &c) {
                                            c.tensors["param"].dims = {0, 8};
                                          },
                                          "param_desc: wanted at least one element"},
                                         {[](PagedCall &c) {
                                            c.tensors["param"].dims = {32, 0};
                                            c.tensors["output"].dims = {10, 0};
                                          },
                                          "param_desc: wanted at least one element"},
                                         {[](PagedCall &c) {
                                            c.tensors["indices"].dims = {1, 0};
                                            c.tensors["output"].dims = {0, 8};
                                          },
                                          "indices_desc: wanted at least one element"},
                                         {[](PagedCall &c) {
                                            c.tensors["block_table"].dims = {1, 0};
                                          },
                                          "block_table_desc: wanted at least one element"}});
}

TEST_F(GatherInUb, Strides) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](PagedCall &c) {
                    c.tensors["param"].strides = {16, 2};
                  },
                  "param_desc: wanted contiguous rows that do not overlap, got strides [16, 2]"},
                 {[](PagedCall &c) {
                    c.tensors["param"].strides = {7, 1};
                  },
                  "param_desc: wanted contiguous rows that do not overlap, got strides [7, 1]"},
                 {[](PagedCall &c) {
                    c.tensors["indices"].strides = {20, 2};
                  },
                  "indices_desc: wanted strides[1] 1, got 2"},
                 {[](PagedCall &c) {
                    c.tensors["block_table"].strides = {6, 2};
                  },
                  "block_table_desc: wanted strides[1] 1, got 2"},
                 {[](PagedCall &c) {
                    c.tensors["output"].strides = {9, 1};
                  },
                  "output_desc: wanted strides[0] 8, got 9"}});
}

TEST_F(GatherInUb, LargeTables) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](PagedCall &c) {
                    c.tensors["block_table"].dims = {1, 1073741824};
                  },
                  "block_table_desc: wanted at most 1073741823 entries, got 1073741824"}});
}

TEST_F(GatherInUb, OverlappingMemory) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](PagedCall &c) { c.same_memory_as = "param"; },
                                          "output: wanted memory that does not overlap"}});
}

TEST_F(GatherInUb, OldDevice) {
  expectOldDeviceRefused();
}
