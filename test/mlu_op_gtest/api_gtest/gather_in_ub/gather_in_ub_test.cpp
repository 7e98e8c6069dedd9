/* SPDX-License-Identifier: MIT
 *
 * mluOpGatherInUb: every documented constraint, one wrong argument at a time.
 */
#include "util/paged_call.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;

struct Operator {
  static PagedNames names() {
    PagedNames names;
    names.api = "mluOpGatherInUb";
    names.values = {"param", "output"};
    names.dtypes = {kFloat, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_INT8,
                    MLUOP_DTYPE_UINT8};
    names.cache = "param";
    names.ids = {"indices"};
    names.output = "output";
    return names;
  }
  static ApiCall good() {
    ApiCall c;
    c.input("param", kFloat, {32, 8});
    c.input("indices", kInt, {1, 10});
    c.input("block_table", kInt, {1, 3});
    c.output("output", kFloat, {10, 8});
    c.scalar = {{"block_size", 4}, {"axis", -2}};
    return c;
  }
  static mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) {
    return mluOpGatherInUb(handle, c.desc("param"), c.data("param"), c.desc("indices"),
                           c.data("indices"), c.desc("block_table"), c.data("block_table"),
                           (int)c.scalar.at("block_size"), (int)c.scalar.at("axis"),
                           c.desc("output"), c.data("output"));
  }
};

class GatherInUb : public PagedTest<Operator> {};
}  // namespace

INSTANTIATE_TYPED_TEST_SUITE_P(GatherInUb, PagedTest, Operator);

TEST_F(GatherInUb, OneRow) {
  ApiCall c = good(); /* strides of dimensions of size 1 do not matter */
  c["param"].dims = {1, 8};
  c["param"].strides = {3, 1};
  EXPECT_SUCCESS(run(c));
}

TEST_F(GatherInUb, Axis) {
  for (int axis : {0, -1, 1})
    expectRefused(MLUOP_STATUS_BAD_PARAM, {{[&](ApiCall &c) { c.scalar["axis"] = axis; },
                                            "axis: wanted -2, got " + std::to_string(axis)}});
}

TEST_F(GatherInUb, Dimensions) {
  expectWrongDims({{"indices", {2, 10}, "dims[0] 1, got 2"},
                   {"block_table", {2, 3}, "dims[0] 1, got 2"},
                   {"output", {9, 8}, "dims[0] 10"},
                   {"output", {10, 7}, "dims[1] 8"}});
}

TEST_F(GatherInUb, NothingToGather) {
  expectEmptyRefused("param", [](ApiCall &c) { c["param"].dims[1] = c["output"].dims[1] = 0; });
  expectEmptyRefused("indices", [](ApiCall &c) { c["indices"].dims[1] = c["output"].dims[0] = 0; });
}
