/* SPDX-License-Identifier: MIT
 *
 * Device memory with known contents and its descriptor, for tests that examine results. On the CPU
 * root the pages before and after an allocation are inaccessible, so an array of whole pages
 * detects every access outside of it.
 */
#ifndef API_GTEST_GATHER_IN_UB_DEVICE_ARRAY_H_
#define API_GTEST_GATHER_IN_UB_DEVICE_ARRAY_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "mlu_op.h"

constexpr int64_t kPageBytes = 4096;

template <typename T>
class DeviceArray {
 public:
  DeviceArray(mluOpDataType_t dtype, const std::vector<int64_t> &dims) {
    EXPECT_EQ(mluOpCreateTensorDescriptor(&desc_), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mluOpSetTensorDescriptor_v2(desc_, MLUOP_LAYOUT_ARRAY, dtype, (int)dims.size(),
                                          dims.data()),
              MLUOP_STATUS_SUCCESS);
    count_ = mluOpGetTensorElementNum(desc_);
    void *memory = nullptr;
    EXPECT_EQ(cnrtMalloc(&memory, count_ * sizeof(T)), cnrtSuccess);
    data_ = (T *)memory;
  }
  DeviceArray(mluOpDataType_t dtype, const std::vector<int64_t> &dims, const std::vector<T> &values)
      : DeviceArray(dtype, dims) {
    EXPECT_EQ(count_, values.size());
    put(0, values);
  }
  ~DeviceArray() {
    EXPECT_EQ(cnrtFree(data_), cnrtSuccess);
    EXPECT_EQ(mluOpDestroyTensorDescriptor(desc_), MLUOP_STATUS_SUCCESS);
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  mluOpTensorDescriptor_t desc() const { return desc_; }
  T *data() const { return data_; }

  void put(int64_t first, const std::vector<T> &values) {
    EXPECT_EQ(cnrtMemcpy(data_ + first, (void *)values.data(), values.size() * sizeof(T),
                         cnrtMemcpyHostToDev),
              cnrtSuccess);
  }
  std::vector<T> get(int64_t first, int64_t count) const {
    std::vector<T> values((size_t)count);
    EXPECT_EQ(
        cnrtMemcpy(values.data(), data_ + first, values.size() * sizeof(T), cnrtMemcpyDevToHost),
        cnrtSuccess);
    return values;
  }
  std::vector<T> get() const { return get(0, (int64_t)count_); }

 private:
  mluOpTensorDescriptor_t desc_ = nullptr;
  T *data_ = nullptr;
  size_t count_ = 0;
};

/* Words with arbitrary bits, or in [low, high]. */
inline std::vector<int32_t> randomWords(std::mt19937 &random, int64_t count,
                                        int32_t low = INT32_MIN, int32_t high = INT32_MAX) {
  std::uniform_int_distribution<int32_t> uniform(low, high);
  std::vector<int32_t> words((size_t)count);
  for (int32_t &word : words) word = uniform(random);
  return words;
}

inline std::vector<uint8_t> randomBytes(std::mt19937 &random, int64_t count) {
  std::vector<uint8_t> bytes((size_t)count);
  for (uint8_t &byte : bytes) byte = (uint8_t)random();
  return bytes;
}

/* A handle with a queue, as every test of results needs one. */
class DeviceTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS); }
  void TearDown() override { EXPECT_EQ(mluOpDestroy(handle_), MLUOP_STATUS_SUCCESS); }
  mluOpHandle_t handle_ = nullptr;
};

#endif /* API_GTEST_GATHER_IN_UB_DEVICE_ARRAY_H_ */
