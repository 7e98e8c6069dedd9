/* SPDX-License-Identifier: MIT
 *
 * mluOpGatherInUbBatched: every documented constraint, one wrong argument at a time.
 */
#include "util/paged_call.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;

struct Operator {
  static PagedNames names() {
    PagedNames names;
    names.api = "mluOpGatherInUbBatched";
    names.values = {"param", "output"};
    names.dtypes = {kFloat, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_INT8,
                    MLUOP_DTYPE_UINT8};
    names.cache = "param";
    names.ids = {"indices"};
    names.optional = {"request_ids", "valid_counts"};
    names.output = "output";
    return names;
  }
  static ApiCall good() {
    ApiCall c;
    c.input("param", kFloat, {32, 8});
    c.input("indices", kInt, {5, 10});
    c.input("block_table", kInt, {2, 3});
    c.input("request_ids", kInt, {5});
    c.input("valid_counts", kInt, {5});
    c.output("output", kFloat, {5, 10, 8});
    c.scalar = {{"block_size", 4}, {"axis", -2}};
    return c;
  }
  static mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) {
    return mluOpGatherInUbBatched(
        handle, c.desc("param"), c.data("param"), c.desc("indices"), c.data("indices"),
        c.desc("block_table"), c.data("block_table"), c.desc("request_ids"), c.data("request_ids"),
        c.desc("valid_counts"), c.data("valid_counts"), (int)c.scalar.at("block_size"),
        (int)c.scalar.at("axis"), c.desc("output"), c.data("output"));
  }
};

class GatherInUbBatched : public PagedTest<Operator> {};
}  // namespace

INSTANTIATE_TYPED_TEST_SUITE_P(GatherInUbBatched, PagedTest, Operator);

TEST_F(GatherInUbBatched, OptionalTensors) {
  for (const std::vector<std::string> &missing : std::vector<std::vector<std::string>>{
           {"request_ids"}, {"valid_counts"}, {"request_ids", "valid_counts"}}) {
    ApiCall c = good();
    for (const std::string &tensor : missing) c.remove(tensor);
    EXPECT_SUCCESS(run(c));
  }
}

TEST_F(GatherInUbBatched, Axis) {
  for (int axis : {0, -1, 1})
    expectRefused(MLUOP_STATUS_BAD_PARAM, {{[&](ApiCall &c) { c.scalar["axis"] = axis; },
                                            "axis: wanted -2, got " + std::to_string(axis)}});
}

TEST_F(GatherInUbBatched, Dimensions) {
  expectWrongDims({{"output", {4, 10, 8}, "dims[0] 5"},
                   {"output", {5, 9, 8}, "dims[1] 10"},
                   {"output", {5, 10, 9}, "dims[2] 8"},
                   {"request_ids", {4}, "dims[0] 5"},
                   {"valid_counts", {6}, "dims[0] 5"}});
}

TEST_F(GatherInUbBatched, NothingToGather) {
  expectEmptyRefused("indices", [](ApiCall &c) { c["indices"].dims[1] = c["output"].dims[1] = 0; });
  expectEmptyRefused("block_table", [](ApiCall &c) { c["block_table"].dims[0] = 0; });
}
