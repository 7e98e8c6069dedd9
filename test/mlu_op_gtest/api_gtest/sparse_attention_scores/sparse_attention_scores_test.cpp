/* SPDX-License-Identifier: MIT
 *
 * mluOpSparseAttentionScores: every documented constraint, one wrong argument at a time.
 */
#include <cmath>

#include "util/paged_call.h"

namespace {
constexpr mluOpDataType_t kFloat = MLUOP_DTYPE_FLOAT, kInt = MLUOP_DTYPE_INT32;

struct Operator {
  static PagedNames names() {
    PagedNames names;
    names.api = "mluOpSparseAttentionScores";
    names.values = {"query", "param"};
    names.dtypes = {kFloat, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16};
    names.cache = "param";
    names.ids = {"indices"};
    names.optional = {"request_ids", "valid_counts"};
    names.output = "scores";
    return names;
  }
  static ApiCall good() {
    ApiCall c;
    c.input("query", kFloat, {5, 3, 8});
    c.input("param", kFloat, {32, 8});
    c.input("indices", kInt, {5, 10});
    c.input("block_table", kInt, {2, 3});
    c.input("request_ids", kInt, {5});
    c.input("valid_counts", kInt, {5});
    c.output("scores", kFloat, {5, 3, 10});
    c.scalar = {{"block_size", 4}};
    c.real = {{"scale", 1}};
    return c;
  }
  static mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) {
    return mluOpSparseAttentionScores(
        handle, c.desc("query"), c.data("query"), c.desc("param"), c.data("param"),
        c.desc("indices"), c.data("indices"), c.desc("block_table"), c.data("block_table"),
        c.desc("request_ids"), c.data("request_ids"), c.desc("valid_counts"),
        c.data("valid_counts"), (int)c.scalar.at("block_size"), c.real.at("scale"),
        c.desc("scores"), c.data("scores"));
  }
};

class SparseAttentionScores : public PagedTest<Operator> {};
}  // namespace

INSTANTIATE_TYPED_TEST_SUITE_P(SparseAttentionScores, PagedTest, Operator);

TEST_F(SparseAttentionScores, OptionalTensors) {
  for (const std::vector<std::string> &missing : std::vector<std::vector<std::string>>{
           {"request_ids"}, {"valid_counts"}, {"request_ids", "valid_counts"}}) {
    ApiCall c = good();
    for (const std::string &tensor : missing) c.remove(tensor);
    EXPECT_SUCCESS(run(c));
  }
}

TEST_F(SparseAttentionScores, ScoresAreFloat) {
  expectRefused(MLUOP_STATUS_BAD_PARAM,
                {{[](ApiCall &c) { c["scores"].dtype = MLUOP_DTYPE_HALF; },
                  "scores_desc: wanted data type DTYPE_FLOAT, got DTYPE_HALF"}});
}

TEST_F(SparseAttentionScores, Scale) {
  for (float scale : {INFINITY, -INFINITY, NAN})
    expectRefused(MLUOP_STATUS_BAD_PARAM, {{[&](ApiCall &c) { c.real["scale"] = scale; },
                                            "scale: wanted a finite number"}});
}

TEST_F(SparseAttentionScores, Dimensions) {
  expectWrongDims({{"query", {5, 3, 7}, "dims[2] 8"},
                   {"indices", {4, 10}, "dims[0] 5"},
                   {"scores", {4, 3, 10}, "dims[0] 5"},
                   {"scores", {5, 2, 10}, "dims[1] 3"},
                   {"scores", {5, 3, 11}, "dims[2] 10"},
                   {"request_ids", {4}, "dims[0] 5"},
                   {"valid_counts", {4}, "dims[0] 5"}});
}

TEST_F(SparseAttentionScores, NothingToScore) {
  expectEmptyRefused("query", [](ApiCall &c) { c["query"].dims[1] = c["scores"].dims[1] = 0; });
  expectEmptyRefused("indices", [](ApiCall &c) { c["indices"].dims[1] = c["scores"].dims[2] = 0; });
}

TEST_F(SparseAttentionScores, OnChipSizes) {
  expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                {{[](ApiCall &c) { c["query"].dims[2] = c["param"].dims[1] = 4097; },
                  "query_desc: wanted up to 8192 heads"},
                 {[](ApiCall &c) {
                    c["query"].dims[2] = c["param"].dims[1] = 4096;
                    c["query"].dims[1] = c["scores"].dims[1] = 65;
                  },
                  "query_desc: wanted up to 8192 heads"}});
}
