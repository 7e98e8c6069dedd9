/* SPDX-License-Identifier: MIT
 *
 * The tensors of one operator call by argument name, for tables of wrong calls that change one
 * thing each.
 */
#ifndef API_GTEST_UTIL_API_CALL_H_
#define API_GTEST_UTIL_API_CALL_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/context.h"
#include "util/api_tensor.h"
#include "util/log_capture.h"

class ApiCall {
 public:
  struct Shape {
    mluOpDataType_t dtype;
    std::vector<int64_t> dims, strides;
    bool is_output;
  };

  bool has_handle = true;
  std::string null_desc, null_data; /* names of arguments to leave out */
  std::string same_memory[2];       /* the first one uses the memory of the second */
  std::map<std::string, int64_t> scalar;
  std::map<std::string, float> real;
  bool has_workspace = true;
  int64_t workspace_size = -1; /* the result of the query, unless 0 or more */
  bool is_refused = false;     /* the query may be refused too, so it is not called */

  void input(const std::string &name, mluOpDataType_t dtype, const std::vector<int64_t> &dims) {
    shapes_[name] = {dtype, dims, {}, false};
  }
  void output(const std::string &name, mluOpDataType_t dtype, const std::vector<int64_t> &dims) {
    shapes_[name] = {dtype, dims, {}, true};
  }
  void remove(const std::string &name) { shapes_.erase(name); }
  Shape &operator[](const std::string &name) { return shapes_.at(name); }
  const std::map<std::string, Shape> &shapes() const { return shapes_; }

  /* Creates the tensors; then desc() and data() return the arguments. */
  void make() {
    for (const auto &[name, shape] : shapes_)
      tensors_[name] = std::make_unique<ApiTensor>(
          shape.dtype, shape.dims, shape.strides,
          shape.is_output ? ApiTensor::kOutputFill : ApiTensor::kInputFill);
  }
  mluOpTensorDescriptor_t desc(const std::string &name) const {
    return has(name) && null_desc != name ? tensors_.at(name)->desc() : nullptr;
  }
  void *data(const std::string &name) const {
    if (name == same_memory[0]) return tensors_.at(same_memory[1])->data();
    return has(name) && null_data != name ? tensors_.at(name)->data() : nullptr;
  }
  /* True if the tensor exists and all of its bytes are zero. */
  bool isZero(const std::string &name) const {
    const std::vector<unsigned char> bytes = tensors_.at(name)->bytes();
    return !bytes.empty() && bytes == std::vector<unsigned char>(bytes.size());
  }
  bool areInputsUntouched() const { return areUntouched(false); }
  bool areOutputsUntouched() const { return areUntouched(true); }

 private:
  bool has(const std::string &name) const { return shapes_.count(name) != 0; }
  bool areUntouched(bool is_output) const {
    for (const auto &[name, shape] : shapes_)
      if (shape.is_output == is_output && !tensors_.at(name)->isUntouched()) return false;
    return true;
  }

  std::map<std::string, Shape> shapes_;
  std::map<std::string, std::unique_ptr<ApiTensor>> tensors_;
};

/* Tests of one operator: a good call, how to make it, and its name. */
class ApiCallTest : public testing::Test {
 protected:
  struct Row {
    std::function<void(ApiCall &)> change;
    std::string text; /* substring of the message */
  };

  void SetUp() override { ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(mluOpDestroy(handle_), MLUOP_STATUS_SUCCESS); }

  virtual std::string name() const = 0;
  virtual ApiCall good() const = 0;
  virtual mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c) = 0;

  mluOpStatus_t run(ApiCall &c) {
    c.make();
    const mluOpStatus_t status = call(c.has_handle ? handle_ : nullptr, c);
    EXPECT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
    EXPECT_TRUE(c.areInputsUntouched());
    return status;
  }

  void expectRefused(mluOpStatus_t wanted, const std::vector<Row> &rows) {
    for (const Row &row : rows) {
      ApiCall c = good();
      row.change(c);
      c.is_refused = true;
      EXPECT_ONE_ERROR(wanted, run(c), "[" + name() + "] " + row.text);
      EXPECT_TRUE(c.areOutputsUntouched()) << row.text;
    }
  }

  /* Each of these descriptors and data pointers is required. */
  void expectNeeded(const std::vector<std::string> &names) {
    for (const std::string &argument : names) {
      ApiCall no_desc = good(), no_data = good();
      no_desc.is_refused = no_data.is_refused = true;
      no_desc.null_desc = argument;
      no_data.null_data = argument;
      EXPECT_BAD_PARAM(run(no_desc), "[" + name() + "] " + argument + "_desc: wanted not NULL");
      EXPECT_TRUE(no_desc.areOutputsUntouched()) << argument;
      EXPECT_BAD_PARAM(run(no_data), "[" + name() + "] " + argument + ": wanted not NULL");
      EXPECT_TRUE(no_data.areOutputsUntouched()) << argument;
    }
  }

  /* An additional dimension, and memory with gaps, is refused for every tensor. */
  void expectRanksAndStrides(const std::vector<std::string> &names) {
    for (const std::string &argument : names) {
      ApiCall rank = good(), strided = good();
      rank.is_refused = strided.is_refused = true;
      rank[argument].dims.push_back(1);
      EXPECT_BAD_PARAM(run(rank), "[" + name() + "] " + argument + "_desc: wanted");
      EXPECT_TRUE(rank.areOutputsUntouched()) << argument;
      std::vector<int64_t> &strides = strided[argument].strides;
      const std::vector<int64_t> &dims = strided[argument].dims;
      strides.assign(dims.size(), 1);
      strides[0] = dims.size() == 2 ? dims[1] + 1 : 2;
      EXPECT_ONE_ERROR(MLUOP_STATUS_NOT_SUPPORTED, run(strided),
                       "[" + name() + "] " + argument + "_desc: wanted strides[0]");
      EXPECT_TRUE(strided.areOutputsUntouched()) << argument;
    }
  }

  /* An output may not share memory with any other tensor of the call. */
  void expectApart() {
    const ApiCall tensors = good();
    for (const auto &[output, shape] : tensors.shapes()) {
      if (!shape.is_output) continue;
      for (const auto &[other, ignored] : tensors.shapes()) {
        if (other == output) continue;
        ApiCall c = good();
        c.is_refused = true;
        c.same_memory[0] = output;
        c.same_memory[1] = other;
        EXPECT_ONE_ERROR(MLUOP_STATUS_BAD_PARAM, run(c),
                         "wanted memory that does not overlap the ");
        EXPECT_TRUE(c.areOutputsUntouched()) << output << " in " << other;
      }
    }
  }

  void expectOldDeviceRefused() {
    handle_->arch = MLUOP_MLU290;
    ApiCall c = good();
    c.is_refused = true;
    EXPECT_ONE_ERROR(MLUOP_STATUS_ARCH_MISMATCH, run(c), "architecture 372 or newer, got 290");
    EXPECT_TRUE(c.areOutputsUntouched());
  }

  mluOpHandle_t handle_ = nullptr;
};

#endif /* API_GTEST_UTIL_API_CALL_H_ */
