/* SPDX-License-Identifier: MIT
 *
 * Argument tests of the operators that read or write permuted rows through sorted_indices, beside a
 * routing map: every documented constraint they share, one wrong argument at a time. An operator
 * says what its tensors are called and how it is called:
 *
 *     struct Operator {
 *       static PermutedRowsNames names();
 *       static mluOpStatus_t workspaceSize(handle, sorted_indices_desc, drop_and_pad, size);
 *       static mluOpStatus_t call(handle, c, drop_and_pad, workspace, workspace_size);
 *     };
 *     INSTANTIATE_TYPED_TEST_SUITE_P(MoeTokenUnpermute, PermutedRowsTest, Operator);
 */
#ifndef API_GTEST_UTIL_PERMUTED_ROWS_H_
#define API_GTEST_UTIL_PERMUTED_ROWS_H_

#include <map>
#include <string>
#include <vector>

#include "util/api_call.h"

struct PermutedRowsNames {
  std::string api; /* without the prefix mluOp */
  std::string input, output;
  std::vector<std::string> outputs;
  std::vector<std::string> rows;       /* [rows, hidden]; the first one sets the number of rows */
  std::vector<std::string> row_values; /* [rows], besides sorted_indices */
  std::vector<std::string> tokens;     /* [tokens, hidden] */
  std::vector<std::string> expert_values; /* [tokens, experts], besides routing_map */
  /* Arguments that must be given together or not at all, and the message if one descriptor is
   * missing. */
  std::map<std::string, std::string> optional;
  std::vector<std::string> zeroed; /* outputs that are zeroed if there are no rows */
  size_t workspace_without_padding, workspace_with_padding;
};

/* 5 tokens of 4 elements, 6 experts, two rows per token. */
template <typename Operator>
class PermutedRowsTest : public ApiCallTest {
 protected:
  const PermutedRowsNames names_ = Operator::names();

  std::string name() const override { return "mluOp" + names_.api; }

  ApiCall good() const override {
    ApiCall c;
    c.input("sorted_indices", MLUOP_DTYPE_INT32, {10});
    c.input("routing_map", MLUOP_DTYPE_INT8, {5, 6});
    for (const std::string &tensor : names_.rows) c.input(tensor, MLUOP_DTYPE_FLOAT, {10, 4});
    for (const std::string &tensor : names_.row_values) c.input(tensor, MLUOP_DTYPE_FLOAT, {10});
    for (const std::string &tensor : names_.tokens) c.input(tensor, MLUOP_DTYPE_FLOAT, {5, 4});
    for (const std::string &tensor : names_.expert_values)
      c.input(tensor, MLUOP_DTYPE_FLOAT, {5, 6});
    for (const std::string &tensor : names_.outputs) c[tensor].is_output = true;
    c.scalar = {{"drop_and_pad", 0}};
    return c;
  }

  /* Capacity 2 for each expert. */
  ApiCall padded() const {
    ApiCall c = good();
    c.scalar["drop_and_pad"] = 1;
    setRows(c, 12);
    return c;
  }

  mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) override {
    size_t size = 1 << 16;
    ApiTensor workspace(MLUOP_DTYPE_INT8, {(int64_t)size});
    const bool drop_and_pad = c.scalar.at("drop_and_pad") != 0;
    if (c.workspace_size >= 0) {
      size = (size_t)c.workspace_size;
    } else if (!c.is_refused) {
      EXPECT_EQ(Operator::workspaceSize(handle, c.desc("sorted_indices"), drop_and_pad, &size),
                MLUOP_STATUS_SUCCESS);
    }
    return Operator::call(handle, c, drop_and_pad, c.has_workspace ? workspace.data() : nullptr,
                          size);
  }

  std::vector<std::string> wide() const { return joined(names_.rows, names_.tokens); }
  std::vector<std::string> floats() const {
    return joined(wide(), joined(names_.row_values, names_.expert_values));
  }
  std::vector<std::string> needed() const {
    std::vector<std::string> list = {"sorted_indices", "routing_map"};
    for (const std::string &tensor : floats())
      if (names_.optional.count(tensor) == 0) list.push_back(tensor);
    return list;
  }
  std::vector<std::string> inputs() const {
    ApiCall c = good();
    std::vector<std::string> list;
    for (const std::string &tensor : joined({"sorted_indices", "routing_map"}, floats()))
      if (!c[tensor].is_output) list.push_back(tensor);
    return list;
  }

  void setRows(ApiCall &c, int64_t rows) const {
    for (const std::string &tensor : names_.rows) c[tensor].dims[0] = rows;
    for (const std::string &tensor : names_.row_values) c[tensor].dims[0] = rows;
    c["sorted_indices"].dims[0] = rows;
  }
  void setExperts(ApiCall &c, int64_t experts) const {
    for (const std::string &tensor : names_.expert_values) c[tensor].dims[1] = experts;
    c["routing_map"].dims[1] = experts;
  }

  static std::vector<std::string> joined(std::vector<std::string> a,
                                         const std::vector<std::string> &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
};

TYPED_TEST_SUITE_P(PermutedRowsTest);

TYPED_TEST_P(PermutedRowsTest, WorkspaceSize) {
  const std::string api = "[mluOpGet" + this->names_.api + "WorkspaceSize] ";
  const ApiTensor indices(MLUOP_DTYPE_INT32, {12}), rank2(MLUOP_DTYPE_INT32, {12, 1});
  mluOpHandle_t handle = this->handle_;
  size_t size = 1;
  EXPECT_SUCCESS(TypeParam::workspaceSize(handle, indices.desc(), false, &size));
  EXPECT_EQ(size, this->names_.workspace_without_padding);
  EXPECT_SUCCESS(TypeParam::workspaceSize(handle, indices.desc(), true, &size));
  EXPECT_EQ(size, this->names_.workspace_with_padding);
  EXPECT_BAD_PARAM(TypeParam::workspaceSize(nullptr, indices.desc(), true, &size),
                   api + "handle: wanted not NULL");
  EXPECT_BAD_PARAM(TypeParam::workspaceSize(handle, nullptr, true, &size),
                   api + "sorted_indices_desc: wanted not NULL");
  EXPECT_BAD_PARAM(TypeParam::workspaceSize(handle, indices.desc(), true, nullptr),
                   api + "workspace_size: wanted not NULL");
  EXPECT_BAD_PARAM(TypeParam::workspaceSize(handle, rank2.desc(), true, &size),
                   api + "sorted_indices_desc: wanted 1 dimensions, got 2");
  const ApiTensor int64(MLUOP_DTYPE_INT64, {12}), apart(MLUOP_DTYPE_INT32, {12}, {2});
  const ApiTensor large(MLUOP_DTYPE_INT32, {int64_t{1} << 31});
  size = 77;
  EXPECT_BAD_PARAM(TypeParam::workspaceSize(handle, int64.desc(), true, &size),
                   api + "sorted_indices_desc: wanted data type DTYPE_INT32, got DTYPE_INT64");
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED,
                   TypeParam::workspaceSize(handle, apart.desc(), true, &size),
                   api + "sorted_indices_desc: wanted strides[0] 1, got 2");
  EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED,
                   TypeParam::workspaceSize(handle, large.desc(), true, &size),
                   api + "sorted_indices_desc: wanted at most 2147483647 rows, got 2147483648");
  EXPECT_EQ(size, 77u); /* unchanged */
}

TYPED_TEST_P(PermutedRowsTest, GoodCalls) {
  for (bool is_padded : {false, true}) {
    for (auto dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16}) {
      ApiCall c = is_padded ? this->padded() : this->good();
      for (const std::string &tensor : this->floats()) c[tensor].dtype = dtype;
      EXPECT_SUCCESS(this->run(c));
      EXPECT_FALSE(c.areOutputsUntouched());
    }
    ApiCall mixed = is_padded ? this->padded() : this->good();
    for (const std::string &tensor : this->wide()) mixed[tensor].dtype = MLUOP_DTYPE_BFLOAT16;
    EXPECT_SUCCESS(this->run(mixed));
    ApiCall bare = is_padded ? this->padded() : this->good();
    for (const auto &[tensor, text] : this->names_.optional) bare.remove(tensor);
    EXPECT_SUCCESS(this->run(bare));
  }
}

TYPED_TEST_P(PermutedRowsTest, NoRowsMeanZeros) {
  for (bool is_padded : {false, true}) {
    for (const std::string &missing : this->inputs()) {
      ApiCall c = is_padded ? this->padded() : this->good();
      this->setRows(c, 0);
      c.null_data = missing;
      c.has_workspace = false;
      c.workspace_size = 0;
      EXPECT_SUCCESS(this->run(c));
      for (const std::string &output : this->names_.zeroed) EXPECT_TRUE(c.isZero(output)) << output;
    }
  }
}

TYPED_TEST_P(PermutedRowsTest, NothingToWriteNeedsNoData) {
  for (const std::string &missing : this->needed()) {
    ApiCall c = this->good();
    for (const std::string &tensor : this->wide()) c[tensor].dims[1] = 0;
    c.null_data = missing;
    c.has_workspace = false;
    c.workspace_size = 0;
    EXPECT_SUCCESS(this->run(c));
    EXPECT_TRUE(c.areOutputsUntouched());
  }
}

TYPED_TEST_P(PermutedRowsTest, NullArguments) {
  this->expectNeeded(this->needed());
  this->expectRefused(MLUOP_STATUS_BAD_PARAM,
                      {{[](ApiCall &c) { c.has_handle = false; }, "handle: wanted not NULL"}});
  for (const auto &optional : this->names_.optional) {
    const std::string &tensor = optional.first;
    this->expectRefused(MLUOP_STATUS_BAD_PARAM,
                        {{[&](ApiCall &c) { c.null_desc = tensor; }, optional.second},
                         {[&](ApiCall &c) { c.null_data = tensor; },
                          tensor + ": wanted both its descriptor and its data or none of them"}});
  }
}

TYPED_TEST_P(PermutedRowsTest, RanksAndStrides) {
  this->expectRanksAndStrides({"sorted_indices", "routing_map"});
  this->expectRanksAndStrides(this->floats());
}

TYPED_TEST_P(PermutedRowsTest, DataTypes) {
  const std::string &input = this->names_.input, &output = this->names_.output;
  this->expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[&](ApiCall &c) { c[input].dtype = MLUOP_DTYPE_INT32; }, input + "_desc: wanted data type"},
       {[&](ApiCall &c) { c[output].dtype = MLUOP_DTYPE_HALF; },
        output + "_desc: wanted data type DTYPE_FLOAT as in " + input + "_desc"},
       {[](ApiCall &c) { c["sorted_indices"].dtype = MLUOP_DTYPE_INT64; },
        "sorted_indices_desc: wanted data type DTYPE_INT32"},
       {[](ApiCall &c) { c["routing_map"].dtype = MLUOP_DTYPE_FLOAT; },
        "routing_map_desc: wanted data type"}});
  for (const std::string &tensor : this->floats()) {
    if (tensor == input) continue; /* the others must match it */
    this->expectRefused(MLUOP_STATUS_BAD_PARAM,
                        {{[&](ApiCall &c) { c[tensor].dtype = MLUOP_DTYPE_HALF; },
                          tensor + "_desc: wanted data type"}});
  }
}

TYPED_TEST_P(PermutedRowsTest, Dimensions) {
  const auto expectDims = [&](const std::string &tensor, const std::vector<int64_t> &dims,
                              const std::string &text) {
    this->expectRefused(MLUOP_STATUS_BAD_PARAM, {{[&](ApiCall &c) { c[tensor].dims = dims; },
                                                  tensor + "_desc: wanted" + text}});
  };
  const PermutedRowsNames &names = this->names_;
  expectDims("sorted_indices", {9}, " dims[0] 10");
  for (const std::string &tensor : names.row_values) expectDims(tensor, {9}, " dims[0] 10");
  for (const std::string &tensor : names.expert_values) expectDims(tensor, {5, 7}, "");
  for (const std::string &tensor : names.tokens) {
    expectDims(tensor, {6, 4}, " dims[0] 5");
    expectDims(tensor, {5, 5}, " dims[1] 4");
  }
  for (size_t i = 1; i < names.rows.size(); ++i) expectDims(names.rows[i], {9, 4}, "");

  const std::string rows = names.rows[0] + "_desc dims[0]: wanted a multiple of ";
  this->expectRefused(
      MLUOP_STATUS_BAD_PARAM,
      {{[&](ApiCall &c) { this->setRows(c, 11); }, rows + "5 (tokens_num)"},
       {[&](ApiCall &c) { this->setRows(c, 35); },
        rows + "5 (tokens_num) up to 6 times that, got 35"},
       {[](ApiCall &c) { c.scalar["drop_and_pad"] = 1; }, rows + "6 (num_experts)"}});
}

TYPED_TEST_P(PermutedRowsTest, Limits) {
  this->expectRefused(
      MLUOP_STATUS_NOT_SUPPORTED,
      {{[&](ApiCall &c) {
          this->setExperts(c, 600);
          this->setRows(c, 5 * 513);
        },
        this->names_.rows[0] +
            "_desc: wanted at most 512 rows of one token without drop_and_pad, got 513"}});
  this->expectRefused(MLUOP_STATUS_BAD_PARAM,
                      {{[&](ApiCall &c) { this->setExperts(c, 16777215); },
                        "routing_map_desc: wanted dims[1] (num_experts) less than 16777215"}});
}

TYPED_TEST_P(PermutedRowsTest, Workspace) {
  ApiCall small = this->padded(), missing = this->padded();
  const size_t needed = this->names_.workspace_with_padding;
  small.workspace_size = needed - 4;
  EXPECT_BAD_PARAM(this->run(small), "workspace_size: wanted at least " + std::to_string(needed) +
                                         ", got " + std::to_string(needed - 4));
  EXPECT_TRUE(small.areOutputsUntouched());
  missing.has_workspace = false;
  EXPECT_BAD_PARAM(this->run(missing), "workspace: wanted not NULL");
  EXPECT_TRUE(missing.areOutputsUntouched());
}

TYPED_TEST_P(PermutedRowsTest, OverlappingMemory) {
  this->expectApart();
}

TYPED_TEST_P(PermutedRowsTest, OldDevice) {
  this->expectOldDeviceRefused();
}

REGISTER_TYPED_TEST_SUITE_P(PermutedRowsTest, WorkspaceSize, GoodCalls, NoRowsMeanZeros,
                            NothingToWriteNeedsNoData, NullArguments, RanksAndStrides, DataTypes,
                            Dimensions, Limits, Workspace, OverlappingMemory, OldDevice);

#endif /* API_GTEST_UTIL_PERMUTED_ROWS_H_ */
