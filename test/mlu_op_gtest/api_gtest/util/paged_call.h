/* SPDX-License-Identifier: MIT
 *
 * Argument tests of the operators on a paged cache: every documented constraint they share, one
 * wrong argument at a time. An operator says what its tensors are called and how it is called:
 *
 *     struct Operator {
 *       static PagedNames names();
 *       static ApiCall good();
 *       static mluOpStatus_t call(handle, c);
 *     };
 *     INSTANTIATE_TYPED_TEST_SUITE_P(GatherInUb, PagedTest, Operator);
 *
 * Its other tests are TEST_F of a class that derives from PagedTest<Operator>.
 */
#ifndef API_GTEST_UTIL_PAGED_CALL_H_
#define API_GTEST_UTIL_PAGED_CALL_H_

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "util/api_call.h"

struct PagedNames {
  std::string api;
  std::vector<std::string> values; /* tensors of the same data type; the first one determines it */
  std::vector<mluOpDataType_t> dtypes; /* their allowed data types */
  std::string cache;                   /* one of these: [32, 8], its rows may be apart */
  std::vector<std::string> ids;        /* int32 tensors besides block_table */
  std::vector<std::string> optional;   /* int32; descriptor and data, or neither */
  std::string output;
};

template <typename Operator>
class PagedTest : public ApiCallTest {
 protected:
  const PagedNames names_ = Operator::names();

  std::string name() const override { return names_.api; }
  ApiCall good() const override { return Operator::good(); }
  mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) override {
    return Operator::call(handle, c);
  }

  bool isValue(const std::string &tensor) const { return contains(names_.values, tensor); }
  std::vector<std::string> needed() const {
    std::vector<std::string> list = names_.values;
    list.insert(list.end(), names_.ids.begin(), names_.ids.end());
    list.push_back("block_table");
    if (!isValue(names_.output)) list.push_back(names_.output);
    return list;
  }
  std::vector<std::string> all() const {
    std::vector<std::string> list = needed();
    list.insert(list.end(), names_.optional.begin(), names_.optional.end());
    return list;
  }
  /* The name of a tensor's descriptor in messages. */
  static std::string label(const std::string &tensor) { return tensor + "_desc"; }

  void expectDims(mluOpStatus_t wanted, const std::string &tensor, const std::vector<int64_t> &dims,
                  const std::string &text) {
    expectRefused(
        wanted, {{[&](ApiCall &c) { c[tensor].dims = dims; }, label(tensor) + ": wanted " + text}});
  }
  void expectStrides(const std::string &tensor, const std::vector<int64_t> &strides,
                     const std::string &text) {
    expectRefused(MLUOP_STATUS_NOT_SUPPORTED, {{[&](ApiCall &c) { c[tensor].strides = strides; },
                                                label(tensor) + ": wanted " + text}});
  }
  /* Sizes that do not match the other tensors. */
  struct Dims {
    std::string tensor;
    std::vector<int64_t> dims;
    std::string text;
  };
  void expectWrongDims(const std::vector<Dims> &table) {
    for (const Dims &row : table)
      expectDims(MLUOP_STATUS_BAD_PARAM, row.tensor, row.dims, row.text);
  }
  /* Empty tensors where other tensors must be empty as well. */
  void expectEmptyRefused(const std::string &tensor, const std::function<void(ApiCall &)> &change) {
    expectRefused(MLUOP_STATUS_BAD_PARAM,
                  {{change, label(tensor) + ": wanted at least one element"}});
  }

 private:
  static bool contains(const std::vector<std::string> &list, const std::string &name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  }
};

TYPED_TEST_SUITE_P(PagedTest);

TYPED_TEST_P(PagedTest, GoodCalls) {
  for (auto dtype : this->names_.dtypes) {
    ApiCall c = this->good();
    for (const std::string &tensor : this->names_.values) c[tensor].dtype = dtype;
    EXPECT_SUCCESS(this->run(c));
  }
  ApiCall apart = this->good();
  apart[this->names_.cache].strides = {11, 1};
  EXPECT_SUCCESS(this->run(apart));
}

TYPED_TEST_P(PagedTest, NullArguments) {
  this->expectNeeded(this->needed());
  this->expectRefused(MLUOP_STATUS_BAD_PARAM,
                      {{[](ApiCall &c) { c.has_handle = false; }, "handle: wanted not NULL"}});
  for (const std::string &tensor : this->names_.optional) {
    const std::string text = tensor + ": wanted both its descriptor and its data or none of them, ";
    this->expectRefused(
        MLUOP_STATUS_BAD_PARAM,
        {{[&](ApiCall &c) { c.null_desc = tensor; }, text + "got only the data"},
         {[&](ApiCall &c) { c.null_data = tensor; }, text + "got only the descriptor"}});
  }
}

TYPED_TEST_P(PagedTest, Ranks) {
  for (const std::string &tensor : this->all()) {
    std::vector<int64_t> dims = this->good()[tensor].dims;
    const size_t rank = dims.size();
    dims.push_back(1);
    this->expectDims(MLUOP_STATUS_BAD_PARAM, tensor, dims,
                     std::to_string(rank) + " dimensions, got " + std::to_string(rank + 1));
    dims.resize(rank - 1);
    if (rank > 1)
      this->expectDims(MLUOP_STATUS_BAD_PARAM, tensor, dims,
                       std::to_string(rank) + " dimensions, got " + std::to_string(rank - 1));
  }
}

TYPED_TEST_P(PagedTest, DataTypes) {
  const std::vector<std::string> &values = this->names_.values;
  this->expectRefused(MLUOP_STATUS_BAD_PARAM, {{[&](ApiCall &c) {
                                                  for (const std::string &tensor : values)
                                                    c[tensor].dtype = MLUOP_DTYPE_INT32;
                                                },
                                                values[0] + "_desc: wanted data type"}});
  for (size_t i = 1; i < values.size(); ++i)
    this->expectRefused(MLUOP_STATUS_BAD_PARAM,
                        {{[&](ApiCall &c) { c[values[i]].dtype = MLUOP_DTYPE_HALF; },
                          values[i] + "_desc: wanted data type DTYPE_FLOAT as in " + values[0] +
                              "_desc, got DTYPE_HALF"}});
  for (const std::string &tensor : this->all()) {
    if (this->isValue(tensor) || tensor == this->names_.output) continue;
    const std::string text = this->label(tensor) + ": wanted data type DTYPE_INT32, got ";
    this->expectRefused(
        MLUOP_STATUS_BAD_PARAM,
        {{[&](ApiCall &c) { c[tensor].dtype = MLUOP_DTYPE_INT64; }, text + "DTYPE_INT64"},
         {[&](ApiCall &c) { c[tensor].dtype = MLUOP_DTYPE_FLOAT; }, text + "DTYPE_FLOAT"}});
  }
}

TYPED_TEST_P(PagedTest, BlockSize) {
  for (int size : {0, -4})
    this->expectRefused(MLUOP_STATUS_BAD_PARAM,
                        {{[&](ApiCall &c) { c.scalar["block_size"] = size; },
                          "block_size: wanted 1 or more, got " + std::to_string(size)}});
}

TYPED_TEST_P(PagedTest, EmptyTensors) {
  const std::string &cache = this->names_.cache;
  this->expectEmptyRefused(cache, [&](ApiCall &c) { c[cache].dims[0] = 0; });
  this->expectEmptyRefused("block_table", [](ApiCall &c) { c["block_table"].dims[1] = 0; });
}

TYPED_TEST_P(PagedTest, Strides) {
  for (const std::string &tensor : this->all()) {
    if (tensor == this->names_.cache) continue;
    const std::vector<int64_t> dims = this->good()[tensor].dims;
    const size_t rank = dims.size();
    std::vector<int64_t> strides(rank, 1);
    for (size_t i = rank - 1; i-- > 0;) strides[i] = strides[i + 1] * dims[i + 1];
    if (rank > 1 && dims[0] > 1) {
      std::vector<int64_t> gaps = strides;
      ++gaps[0];
      this->expectStrides(
          tensor, gaps,
          "strides[0] " + std::to_string(strides[0]) + ", got " + std::to_string(gaps[0]));
    }
    for (int64_t &stride : strides) stride *= 2;
    this->expectStrides(tensor, strides, "strides[" + std::to_string(rank - 1) + "] 1, got 2");
  }
  const std::string rows = "contiguous rows that do not overlap, got strides ";
  this->expectStrides(this->names_.cache, {16, 2}, rows + "[16, 2]");
  this->expectStrides(this->names_.cache, {7, 1}, rows + "[7, 1]");
}

TYPED_TEST_P(PagedTest, LargeTables) {
  const int64_t requests = this->good()["block_table"].dims[0];
  this->expectDims(MLUOP_STATUS_NOT_SUPPORTED, "block_table", {requests, 1 << 30},
                   "at most 1073741823 entries, got");
}

TYPED_TEST_P(PagedTest, OverlappingMemory) {
  this->expectApart();
}

TYPED_TEST_P(PagedTest, OldDevice) {
  this->expectOldDeviceRefused();
}

TYPED_TEST_P(PagedTest, BFloat16OnAnOlderDevice) {
  this->handle_->arch = MLUOP_MLU370;
  ApiCall c = this->good();
  EXPECT_SUCCESS(this->run(c));
  const std::vector<std::string> &values = this->names_.values;
  this->expectRefused(MLUOP_STATUS_NOT_SUPPORTED,
                      {{[&](ApiCall &c) {
                          for (const std::string &tensor : values)
                            c[tensor].dtype = MLUOP_DTYPE_BFLOAT16;
                        },
                        values[0] + "_desc: wanted another data type than DTYPE_BFLOAT16, which " +
                            this->handle_->device_name + " does not have"}});
}

REGISTER_TYPED_TEST_SUITE_P(PagedTest, GoodCalls, NullArguments, Ranks, DataTypes, BlockSize,
                            EmptyTensors, Strides, LargeTables, OverlappingMemory, OldDevice,
                            BFloat16OnAnOlderDevice);

#endif /* API_GTEST_UTIL_PAGED_CALL_H_ */
