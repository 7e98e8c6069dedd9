/* SPDX-License-Identifier: MIT
 *
 * Argument tests of the operators on a paged cache: a good call by the names of its tensors, of
 * which rows of a table change one thing.
 */
#ifndef API_GTEST_GATHER_IN_UB_PAGED_API_H_
#define API_GTEST_GATHER_IN_UB_PAGED_API_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/context.h"
#include "util/api_tensor.h"
#include "util/log_capture.h"

struct PagedShape {
  mluOpDataType_t dtype;
  std::vector<int64_t> dims, strides = {};
};

/* A call before it is made. */
struct PagedCall {
  std::map<std::string, PagedShape> tensors;
  int block_size = 4, axis = -2;
  float scale = 1;
  bool has_handle = true;
  std::string null_desc, null_data; /* a tensor to leave out, as "a" or "a b" */
  std::string same_memory_as;       /* the output gets the memory of this one */
};

class PagedApi : public testing::Test {
 protected:
  PagedApi(const char *api, const char *output) : api_(api), output_name_(output) {}
  void SetUp() override { ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS); }
  void TearDown() override {
    tensors_.clear();
    EXPECT_EQ(mluOpDestroy(handle_), MLUOP_STATUS_SUCCESS);
  }

  virtual PagedCall goodCall() const = 0;
  virtual mluOpStatus_t invoke(mluOpHandle_t handle, const PagedCall &call) = 0;

  mluOpTensorDescriptor_t desc(const PagedCall &call, const std::string &name) const {
    return isListed(call.null_desc, name) ? nullptr : tensors_.at(name)->desc();
  }
  void *data(const PagedCall &call, const std::string &name) const {
    if (isListed(call.null_data, name)) return nullptr;
    const bool is_shared = name == output_name_ && !call.same_memory_as.empty();
    return tensors_.at(is_shared ? call.same_memory_as : name)->data();
  }

  mluOpStatus_t run(const PagedCall &call) {
    tensors_.clear();
    for (const auto &[name, shape] : call.tensors)
      tensors_[name] = std::make_unique<ApiTensor>(shape.dtype, shape.dims, shape.strides);
    const mluOpStatus_t status = invoke(call.has_handle ? handle_ : nullptr, call);
    EXPECT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
    for (const auto &[name, tensor] : tensors_)
      EXPECT_TRUE(name == output_name_ || tensor->isUntouched()) << name;
    return status;
  }

  struct Row {
    std::function<void(PagedCall &)> change;
    const char *text;
  };
  void expectRefused(mluOpStatus_t wanted, const std::vector<Row> &rows) {
    for (const Row &row : rows) {
      PagedCall call = goodCall();
      row.change(call);
      EXPECT_ONE_ERROR(wanted, run(call), std::string("[") + api_ + "] " + row.text);
      EXPECT_TRUE(tensors_.at(output_name_)->isUntouched()) << row.text;
    }
  }

  /* NULL in the place of the handle and of each descriptor and pointer that is not optional. */
  void expectNullRefused(const std::vector<std::string> &names) {
    std::vector<std::string> texts = {"handle: wanted not NULL"};
    std::vector<PagedCall> calls = {goodCall()};
    calls[0].has_handle = false;
    for (const std::string &name : names) {
      calls.push_back(goodCall());
      calls.back().null_desc = name;
      texts.push_back(name + "_desc: wanted not NULL");
      calls.push_back(goodCall());
      calls.back().null_data = name;
      texts.push_back(name + ": wanted not NULL");
    }
    for (size_t i = 0; i < calls.size(); ++i) {
      EXPECT_ONE_ERROR(MLUOP_STATUS_BAD_PARAM, run(calls[i]), texts[i]);
      EXPECT_TRUE(tensors_.at(output_name_)->isUntouched()) << texts[i];
    }
  }

  void expectOldDeviceRefused() {
    handle_->arch = MLUOP_MLU290;
    EXPECT_ONE_ERROR(MLUOP_STATUS_ARCH_MISMATCH, run(goodCall()),
                     "architecture 372 or newer, got 290");
    EXPECT_TRUE(tensors_.at(output_name_)->isUntouched());
  }

  mluOpHandle_t handle_ = nullptr;
  std::map<std::string, std::unique_ptr<ApiTensor>> tensors_;

 private:
  static bool isListed(const std::string &list, const std::string &name) {
    return (" " + list + " ").find(" " + name + " ") != std::string::npos;
  }

  const std::string api_, output_name_;
};

#endif /* API_GTEST_GATHER_IN_UB_PAGED_API_H_ */
