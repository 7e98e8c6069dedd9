/* SPDX-License-Identifier: MIT
 *
 * Permutes more than 2^31 elements: every row must be where 64-bit arithmetic puts it. Takes 7 GB
 * of memory and some seconds, so it runs only if MLUOP_TEST_NIGHTLY is set and there is enough
 * memory.
 */
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "mlu_op.h"

namespace {
constexpr int64_t kTokens = 3, kExperts = 3, kRows = kTokens * kExperts;
constexpr int64_t kHidden = (INT64_C(1) << 28) + 8; /* row 8 begins past 2^31 elements */
constexpr size_t kNeededMegabytes = 9000;

bool isMemoryThere() {
  std::ifstream info("/proc/meminfo");
  std::string key, unit;
  for (size_t kilobytes; info >> key >> kilobytes >> unit;)
    if (key == "MemAvailable:") return kilobytes / 1024 > kNeededMegabytes;
  return false;
}

/* A half in [1, 2) that identifies its token and column. */
uint16_t valueAt(int64_t token, int64_t column) {
  return (uint16_t)(0x3c00u |
                    ((((uint64_t)column * 2654435761u) >> 13) + (uint64_t)token * 331u) % 1024u);
}

class DeviceMemory {
 public:
  explicit DeviceMemory(size_t bytes) { EXPECT_EQ(cnrtMalloc(&data_, bytes), cnrtSuccess); }
  ~DeviceMemory() { EXPECT_EQ(cnrtFree(data_), cnrtSuccess); }
  template <typename T>
  T *as() const {
    return (T *)data_;
  }

 private:
  void *data_ = nullptr;
};

class Desc {
 public:
  Desc(mluOpDataType_t dtype, const std::vector<int64_t> &dims) {
    EXPECT_EQ(mluOpCreateTensorDescriptor(&desc_), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mluOpSetTensorDescriptor_v2(desc_, MLUOP_LAYOUT_ARRAY, dtype, (int)dims.size(),
                                          dims.data()),
              MLUOP_STATUS_SUCCESS);
  }
  ~Desc() { EXPECT_EQ(mluOpDestroyTensorDescriptor(desc_), MLUOP_STATUS_SUCCESS); }
  operator mluOpTensorDescriptor_t() const { return desc_; }

 private:
  mluOpTensorDescriptor_t desc_ = nullptr;
};

int64_t countWrong(const uint16_t *row, int64_t token) {
  int64_t wrong = 0;
  for (int64_t j = 0; j < kHidden; ++j) wrong += row[j] != valueAt(token, j);
  return wrong;
}
}  // namespace

TEST(MoeTokenPermuteNightly, MoreThan2To31Elements) {
  if (std::getenv("MLUOP_TEST_NIGHTLY") == nullptr) GTEST_SKIP() << "MLUOP_TEST_NIGHTLY is not set";
  if (!isMemoryThere()) GTEST_SKIP() << "needs " << kNeededMegabytes << " MB of free memory";
  mluOpHandle_t handle = nullptr;
  ASSERT_EQ(mluOpCreate(&handle), MLUOP_STATUS_SUCCESS);
  const Desc tokens_desc(MLUOP_DTYPE_HALF, {kTokens, kHidden});
  const Desc rows_desc(MLUOP_DTYPE_HALF, {kRows, kHidden});
  const Desc map_desc(MLUOP_DTYPE_BOOL, {kTokens, kExperts}),
      indices_desc(MLUOP_DTYPE_INT32, {kRows});
  const DeviceMemory tokens(kTokens * kHidden * 2), rows(kRows * kHidden * 2);
  const DeviceMemory map(kTokens * kExperts), indices(kRows * 4);
  std::vector<uint16_t> row_values(kHidden); /* all rows together are too large */
  const size_t row_bytes = kHidden * sizeof(uint16_t);
  for (int64_t t = 0; t < kTokens; ++t) {
    for (int64_t j = 0; j < kHidden; ++j) row_values[j] = valueAt(t, j);
    ASSERT_EQ(cnrtMemcpy(tokens.as<uint16_t>() + t * kHidden, row_values.data(), row_bytes,
                         cnrtMemcpyHostToDev),
              cnrtSuccess);
  }
  ASSERT_EQ(cnrtMemset(map.as<void>(), 1, kTokens * kExperts), cnrtSuccess);
  size_t size = 0;
  ASSERT_EQ(mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(handle, map_desc, &size),
            MLUOP_STATUS_SUCCESS);
  const DeviceMemory workspace(size);

  /* Every expert is selected, so both modes have the same rows: for each expert all tokens. */
  for (bool drop_and_pad : {false, true}) {
    ASSERT_EQ(cnrtMemset(rows.as<void>(), 0, kRows * kHidden * 2), cnrtSuccess);
    ASSERT_EQ(mluOpMoeTokenPermuteWithRoutingMap(
                  handle, tokens_desc, tokens.as<void>(), map_desc, map.as<void>(), nullptr,
                  nullptr, kRows, drop_and_pad, workspace.as<void>(), size, rows_desc,
                  rows.as<void>(), nullptr, nullptr, indices_desc, indices.as<void>()),
              MLUOP_STATUS_SUCCESS);
    ASSERT_EQ(cnrtQueueSync(nullptr), cnrtSuccess);
    std::vector<int32_t> index_values(kRows);
    ASSERT_EQ(cnrtMemcpy(index_values.data(), indices.as<void>(), kRows * sizeof(int32_t),
                         cnrtMemcpyDevToHost),
              cnrtSuccess);
    for (int64_t row = 0; row < kRows; ++row) {
      ASSERT_EQ(cnrtMemcpy(row_values.data(), rows.as<uint16_t>() + row * kHidden, row_bytes,
                           cnrtMemcpyDevToHost),
                cnrtSuccess);
      EXPECT_EQ(countWrong(row_values.data(), row % kTokens), 0) << row;
      EXPECT_EQ(index_values[row],
                drop_and_pad ? row % kTokens : row % kExperts * kTokens + row / kExperts);
    }
  }
  EXPECT_EQ(mluOpDestroy(handle), MLUOP_STATUS_SUCCESS);
}
