/* SPDX-License-Identifier: MIT
 *
 * mluOpPagedCacheWrite: every documented constraint, one wrong argument at a time.
 */
#include "gather_in_ub/paged_api.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;

class PagedCacheWrite : public PagedApi {
 protected:
  PagedCacheWrite() : PagedApi("mluOpPagedCacheWrite", "cache") {}
  PagedCall goodCall() const override {
    PagedCall call;
    call.tensors = {{"input", {kFloat, {9, 8}}},
                    {"positions", {kInt, {9}}},
                    {"request_ids", {kInt, {9}}},
                    {"block_table", {kInt, {2, 3}}},
                    {"cache", {kFloat, {32, 8}}}};
    return call;
  }
  mluOpStatus_t invoke(mluOpHandle_t handle, const PagedCall &c) override {
    return mluOpPagedCacheWrite(
        handle, desc(c, "input"), data(c, "input"), desc(c, "positions"), data(c, "positions"),
        desc(c, "request_ids"), data(c, "request_ids"), desc(c, "block_table"),
        data(c, "block_table"), c.block_size, desc(c, "cache"), data(c, "cache"));
  }
};
}  // namespace

TEST_F(PagedCacheWrite, GoodCalls) {
  EXPECT_SUCCESS(run(goodCall()));
  PagedCall one = goodCall(); /* one request needs no ids */
  one.tensors["block_table"].dims = {1, 3};
  one.null_desc = one.null_data = "request_ids";
  EXPECT_SUCCESS(run(one));
  for (auto dtype : {MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_INT8, MLUOP_DTYPE_UINT8}) {
    PagedCall call = goodCall();
    call.tensors["input"].dtype = call.tensors["cache"].dtype = dtype;
    EXPECT_SUCCESS(run(call));
  }
  PagedCall apart = goodCall();
  apart.tensors["cache"].strides = {11, 1};
  EXPECT_SUCCESS(run(apart));
}

TEST_F(PagedCacheWrite, NullArguments) {
  expectNullRefused({"input", "positions", "block_table", "cache"});
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](PagedCall &c) { c.null_desc = "request_ids"; },
                  "request_ids: wanted both its descriptor and its data or none of them"},
                 {[](PagedCall &c) { c.null_data = "request_ids"; },
                  "request_ids: wanted both its descriptor and its data or none of them"},
                 {[](PagedCall &c) { c.null_desc = c.null_data = "request_ids"; },
                  "request_ids: wanted not NULL, because block_table has more than one row"}});
}

TEST_F(PagedCacheWrite, Ranks) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](PagedCall &c) {
                                            c.tensors["input"].dims = {9, 2, 4};
                                          },
                                          "input_desc: wanted 2 dimensions, got 3"},
                                         {[](PagedCall &c) {
                                            c.tensors["positions"].dims = {1, 9};
                                          },
                                          "positions_desc: wanted 1 dimensions, got 2"},
                                         {[](PagedCall &c) {
                                            c.tensors["request_ids"].dims = {9, 1};
                                          },
                                          "request_ids: wanted 1 dimensions, got 2"},
                                         {[](PagedCall &c) { c.tensors["block_table"].dims = {6}; },
                                          "block_table_desc: wanted 2 dimensions, got 1"},
                                         {[](PagedCall &c) {
                                            c.tensors["cache"].dims = {8, 4, 8};
                                          },
                                          "cache_desc: wanted 2 dimensions, got 3"}});
}

TEST_F(PagedCacheWrite, DataTypes) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](PagedCall &c) { c.tensors["input"].dtype = c.tensors["cache"].dtype = kInt; },
                  "input_desc: wanted data type"},
                 {[](PagedCall &c) { c.tensors["cache"].dtype = MLUOP_DTYPE_HALF; },
                  "cache_desc: wanted data type DTYPE_FLOAT as in input_desc, got DTYPE_HALF"},
                 {[](PagedCall &c) { c.tensors["positions"].dtype = MLUOP_DTYPE_INT64; },
                  "positions_desc: wanted data type DTYPE_INT32, got DTYPE_INT64"},
                 {[](PagedCall &c) { c.tensors["request_ids"].dtype = kFloat; },
                  "request_ids: wanted data type DTYPE_INT32, got DTYPE_FLOAT"},
                 {[](PagedCall &c) { c.tensors["block_table"].dtype = kFloat; },
                  "block_table_desc: wanted data type DTYPE_INT32, got DTYPE_FLOAT"}});
}

TEST_F(PagedCacheWrite, ScalarsAndDimensions) {
  expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[](PagedCall &c) { c.block_size = 0; }, "block_size: wanted 1 or more, got 0"},
       {[](PagedCall &c) { c.tensors["positions"].dims = {8}; },
        "positions_desc: wanted dims[0] 9"},
       {[](PagedCall &c) { c.tensors["request_ids"].dims = {8}; }, "request_ids: wanted dims[0] 9"},
       {[](PagedCall &c) {
          c.tensors["cache"].dims = {32, 7};
        },
        "cache_desc: wanted dims[1] 8"}});
}

TEST_F(PagedCacheWrite, EmptyTensors) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](PagedCall &c) {
                                            c.tensors["input"].dims = {0, 8};
                                            c.tensors["positions"].dims =
                                                c.tensors["request_ids"].dims = {0};
                                          },
                                          "input_desc: wanted at least one element"},
                                         {[](PagedCall &c) {
                                            c.tensors["block_table"].dims = {2, 0};
                                          },
                                          "block_table_desc: wanted at least one element"},
                                         {[](PagedCall &c) {
                                            c.tensors["cache"].dims = {0, 8};
                                          },
                                          "cache_desc: wanted at least one element"}});
}

TEST_F(PagedCacheWrite, Strides) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](PagedCall &c) {
                    c.tensors["input"].strides = {9, 1};
                  },
                  "input_desc: wanted strides[0] 8, got 9"},
                 {[](PagedCall &c) { c.tensors["positions"].strides = {2}; },
                  "positions_desc: wanted strides[0] 1, got 2"},
                 {[](PagedCall &c) { c.tensors["request_ids"].strides = {2}; },
                  "request_ids: wanted strides[0] 1, got 2"},
                 {[](PagedCall &c) {
                    c.tensors["block_table"].strides = {4, 1};
                  },
                  "block_table_desc: wanted strides[0] 3, got 4"},
                 {[](PagedCall &c) {
                    c.tensors["cache"].strides = {7, 1};
                  },
                  "cache_desc: wanted contiguous rows that do not overlap"}});
}

TEST_F(PagedCacheWrite, LargeTables) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](PagedCall &c) {
                    c.tensors["block_table"].dims = {2, 536870912};
                  },
                  "block_table_desc: wanted at most 1073741823 entries, got 1073741824"}});
}

TEST_F(PagedCacheWrite, OverlappingMemory) {
  expectRefused(MLUOP_STATUS_BAD_PARAM, {{[](PagedCall &c) { c.same_memory_as = "input"; },
                                          "cache: wanted memory that does not overlap"}});
}

TEST_F(PagedCacheWrite, OldDevice) {
  expectOldDeviceRefused();
}
