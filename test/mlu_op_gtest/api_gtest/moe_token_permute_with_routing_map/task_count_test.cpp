/* SPDX-License-Identifier: MIT
 *
 * A permutation has the same bits for any number of tasks, with tokens that select too many and too
 * few experts.
 */
#include "util/task_counts.h"

namespace {
constexpr int64_t kTokens = 701, kExperts = 37, kHidden = 801;
constexpr size_t kWorkspace = 1 << 20;
}  // namespace

TEST(MoeTokenPermuteTasks, SameBits) {
  TaskTensor tokens(MLUOP_DTYPE_FLOAT, {kTokens, kHidden});
  TaskTensor map(MLUOP_DTYPE_INT8, {kTokens, kExperts}),
      probs(MLUOP_DTYPE_FLOAT, {kTokens, kExperts});
  TaskTensor counts(MLUOP_DTYPE_INT64, {kExperts});
  map.fill<int8_t>([](int64_t i) { return (int8_t)(i * 2654435761u % 97 < 9 ? i % 127 - 63 : 0); });
  tokens.fillFloats(3);
  probs.fillFloats(4);
  UnalignedMemory workspace(kWorkspace, 1);
  for (bool drop_and_pad : {false, true}) {
    const int64_t row_num = drop_and_pad ? 60 * kExperts : 4 * kTokens;
    TaskTensor rows(MLUOP_DTYPE_FLOAT, {row_num, kHidden}), row_probs(MLUOP_DTYPE_FLOAT, {row_num});
    TaskTensor indices(MLUOP_DTYPE_INT32, {row_num});
    expectSameBits({&rows, &row_probs, &indices, &counts}, [&](mluOpHandle_t handle) {
      return mluOpMoeTokenPermuteWithRoutingMap_v2(
          handle, tokens.desc(), tokens.data(), map.desc(), map.data(), probs.desc(), probs.data(),
          row_num, drop_and_pad, workspace.data(), kWorkspace, rows.desc(), rows.data(),
          row_probs.desc(), row_probs.data(), indices.desc(), indices.data(), counts.desc(),
          counts.data());
    });
  }
}
