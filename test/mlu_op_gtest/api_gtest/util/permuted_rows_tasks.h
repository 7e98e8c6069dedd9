/* SPDX-License-Identifier: MIT
 *
 * Filled inputs of operators on permuted rows, for tests with several numbers of tasks: many tokens
 * select nothing or the wrong number of experts, and some rows belong to no token.
 */
#ifndef API_GTEST_UTIL_PERMUTED_ROWS_TASKS_H_
#define API_GTEST_UTIL_PERMUTED_ROWS_TASKS_H_

#include "util/task_counts.h"

struct PermutedRowsTasks {
  static constexpr int64_t kTokens = 701, kExperts = 37, kHidden = 801;
  static constexpr size_t kWorkspace = 1 << 20;

  explicit PermutedRowsTasks(bool drop_and_pad_)
      : drop_and_pad(drop_and_pad_), row_num(drop_and_pad ? 60 * kExperts : 4 * kTokens) {
    map.fill<int8_t>([](int64_t i) { return (int8_t)(i * 2654435761u % 97 < 9); });
    probs.fillFloats(4);
    rows.fillFloats(5);
    const int64_t targets = drop_and_pad ? kTokens : row_num;
    indices.fill<int32_t>(
        [&](int64_t i) { return i % 11 == 3 ? -1 : (int32_t)(i * 523 % targets); });
  }

  const bool drop_and_pad;
  const int64_t row_num;
  UnalignedMemory workspace{kWorkspace, 1};
  TaskTensor map{MLUOP_DTYPE_INT8, {kTokens, kExperts}};
  TaskTensor probs{MLUOP_DTYPE_FLOAT, {kTokens, kExperts}};
  TaskTensor rows{MLUOP_DTYPE_FLOAT, {row_num, kHidden}};
  TaskTensor indices{MLUOP_DTYPE_INT32, {row_num}};
};

#endif /* API_GTEST_UTIL_PERMUTED_ROWS_TASKS_H_ */
