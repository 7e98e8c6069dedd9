/* SPDX-License-Identifier: MIT
 *
 * Results whose bits must not depend on the number of tasks. A handle determines how many tasks an
 * operator uses, so a test just sets its number of cores.
 */
#ifndef API_GTEST_UTIL_TASK_COUNTS_H_
#define API_GTEST_UTIL_TASK_COUNTS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "core/context.h"
#include "mlu_op.h"

/* Device memory whose address is aligned to its elements only. */
class UnalignedMemory {
 public:
  UnalignedMemory(size_t bytes, size_t element) : bytes_(bytes), offset_(element) {
    EXPECT_EQ(cnrtMalloc(&block_, bytes + 64), cnrtSuccess);
    EXPECT_EQ(cnrtMemset(block_, 0x5a, bytes + 64), cnrtSuccess);
  }
  ~UnalignedMemory() { EXPECT_EQ(cnrtFree(block_), cnrtSuccess); }
  UnalignedMemory(const UnalignedMemory &) = delete;
  UnalignedMemory &operator=(const UnalignedMemory &) = delete;

  void *data() const { return (char *)block_ + offset_; }
  void fill(const void *source) {
    EXPECT_EQ(cnrtMemcpy(data(), (void *)source, bytes_, cnrtMemcpyHostToDev), cnrtSuccess);
  }
  std::vector<unsigned char> read() const {
    std::vector<unsigned char> bytes(bytes_);
    EXPECT_EQ(cnrtMemcpy(bytes.data(), data(), bytes_, cnrtMemcpyDevToHost), cnrtSuccess);
    return bytes;
  }
  /* True if the bytes before and after were not written. */
  bool isFrameUntouched() const {
    std::vector<unsigned char> all(bytes_ + 64);
    EXPECT_EQ(cnrtMemcpy(all.data(), block_, all.size(), cnrtMemcpyDevToHost), cnrtSuccess);
    for (size_t i = 0; i < all.size(); ++i)
      if ((i < offset_ || i >= offset_ + bytes_) && all[i] != 0x5a) return false;
    return true;
  }

 private:
  void *block_ = nullptr;
  size_t bytes_, offset_;
};

/* One tensor of a call. */
class TaskTensor {
 public:
  TaskTensor(mluOpDataType_t dtype, const std::vector<int64_t> &dims)
      : element_(sizeOf(dtype)), count_(countOf(dims)), memory_(count_ * element_, element_) {
    EXPECT_EQ(mluOpCreateTensorDescriptor(&desc_), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mluOpSetTensorDescriptor_v2(desc_, MLUOP_LAYOUT_ARRAY, dtype, (int)dims.size(),
                                          dims.data()),
              MLUOP_STATUS_SUCCESS);
  }
  ~TaskTensor() { EXPECT_EQ(mluOpDestroyTensorDescriptor(desc_), MLUOP_STATUS_SUCCESS); }

  mluOpTensorDescriptor_t desc() const { return desc_; }
  void *data() const { return memory_.data(); }
  UnalignedMemory &memory() { return memory_; }

  /* Element i becomes value(i). */
  template <typename T>
  void fill(const std::function<T(int64_t)> &value) {
    std::vector<T> values(count_);
    for (size_t i = 0; i < count_; ++i) values[i] = value((int64_t)i);
    memory_.fill(values.data());
  }
  /* Floats with many significant bits, so that the order of a sum matters. */
  void fillFloats(uint32_t seed) {
    fill<float>([&](int64_t) {
      seed = seed * 1664525u + 1013904223u;
      return (float)(seed >> 8) / 16777216.0f - 0.5f;
    });
  }

 private:
  static size_t sizeOf(mluOpDataType_t dtype) {
    size_t size = 0;
    EXPECT_EQ(mluOpGetSizeOfDataType(dtype, &size), MLUOP_STATUS_SUCCESS);
    return size;
  }
  static size_t countOf(const std::vector<int64_t> &dims) {
    size_t count = 1;
    for (int64_t dim : dims) count *= (size_t)dim;
    return count;
  }

  size_t element_, count_;
  UnalignedMemory memory_;
  mluOpTensorDescriptor_t desc_ = nullptr;
};

struct Cores {
  int clusters, each; /* each 0: as many as a cluster of the device has */
};

inline mluOpHandle_t handleWith(Cores cores) {
  mluOpHandle_t handle = nullptr;
  EXPECT_EQ(mluOpCreate(&handle), MLUOP_STATUS_SUCCESS);
  handle->capability_cluster_num = cores.clusters;
  if (cores.each == 0) return handle;
  /* A union has the cores that the device's clusters have, so there are none of other clusters. */
  handle->core_num_per_cluster = cores.each;
  handle->capability_job_limit = CN_KERNEL_CLASS_BLOCK;
  handle->capability_union_clusters = 0;
  return handle;
}

/* Runs `call` with 1, 2, 3, 4 and 32 cores and with 1, 2 and 16 clusters of the device and expects
 * the same bits in all outputs. */
inline void expectSameBits(const std::vector<TaskTensor *> &outputs,
                           const std::function<mluOpStatus_t(mluOpHandle_t)> &call) {
  std::vector<std::vector<unsigned char>> wanted;
  for (Cores cores : {Cores{1, 1}, {2, 1}, {3, 1}, {4, 1}, {32, 1}, {1, 0}, {2, 0}, {16, 0}}) {
    const std::string where = std::to_string(cores.clusters) + " clusters of " +
                              (cores.each == 0 ? "the device" : "one core") + ", output ";
    mluOpHandle_t handle = handleWith(cores);
    EXPECT_EQ(call(handle), MLUOP_STATUS_SUCCESS) << where;
    EXPECT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
    for (size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_TRUE(outputs[i]->memory().isFrameUntouched()) << where << i;
      if (wanted.size() == i) wanted.push_back(outputs[i]->memory().read());
      EXPECT_TRUE(outputs[i]->memory().read() == wanted[i]) << where << i;
    }
    EXPECT_EQ(mluOpDestroy(handle), MLUOP_STATUS_SUCCESS);
  }
}

#endif /* API_GTEST_UTIL_TASK_COUNTS_H_ */
