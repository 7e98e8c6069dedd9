/* SPDX-License-Identifier: MIT
 *
 * A tensor for argument tests: a descriptor and device memory in which every byte is
 * known.
 */
#ifndef API_GTEST_UTIL_API_TENSOR_H_
#define API_GTEST_UTIL_API_TENSOR_H_

#include <cstdint>
#include <vector>

#include "mlu_op.h"

class ApiTensor {
 public:
  /* Two patterns, so that an operator which only copies its input is seen to have written. */
  static constexpr unsigned char kInputFill = 0x5a, kOutputFill = 0xa5;

  /* Empty strides: contiguous. A very large tensor gets a small buffer, because its call is refused
   * anyway. */
  ApiTensor(mluOpDataType_t dtype, const std::vector<int64_t> &dims,
            const std::vector<int64_t> &strides = {}, unsigned char fill = kInputFill);
  ~ApiTensor();
  ApiTensor(const ApiTensor &) = delete;
  ApiTensor &operator=(const ApiTensor &) = delete;

  mluOpTensorDescriptor_t desc() const { return desc_; }
  void *data() const { return data_; }
  void setLayout(mluOpTensorLayout_t layout);
  /* The current bytes. Synchronise first. */
  std::vector<unsigned char> bytes() const;
  /* True if no byte was written since the tensor was created. Synchronise first. */
  bool isUntouched() const;

 private:
  mluOpTensorDescriptor_t desc_ = nullptr;
  void *data_ = nullptr;
  size_t bytes_ = 0;
  unsigned char fill_;
};

#endif /* API_GTEST_UTIL_API_TENSOR_H_ */
