/* SPDX-License-Identifier: MIT
 *
 * The sums of an unpermutation have the same bits for any number of tasks.
 */
#include "util/task_counts.h"

namespace {
constexpr int64_t kTokens = 701, kExperts = 37, kHidden = 801;
constexpr size_t kWorkspace = 1 << 20;
}  // namespace

TEST(MoeTokenUnpermuteTasks, SameBits) {
  UnalignedMemory workspace(kWorkspace, 1);
  for (bool drop_and_pad : {false, true}) {
    const int64_t row_num = drop_and_pad ? 60 * kExperts : 4 * kTokens;
    TaskTensor map(MLUOP_DTYPE_INT8, {kTokens, kExperts});
    TaskTensor probs(MLUOP_DTYPE_FLOAT, {kTokens, kExperts});
    TaskTensor rows(MLUOP_DTYPE_FLOAT, {row_num, kHidden}), indices(MLUOP_DTYPE_INT32, {row_num});
    map.fill<int8_t>([](int64_t i) { return (int8_t)(i * 2654435761u % 97 < 9); });
    probs.fillFloats(4);
    rows.fillFloats(5);
    indices.fill<int32_t>([&](int64_t i) {
      return i % 11 == 3 ? -1 : (int32_t)(drop_and_pad ? i * 523 % kTokens : i * 523 % row_num);
    });
    TaskTensor tokens(MLUOP_DTYPE_FLOAT, {kTokens, kHidden});
    expectSameBits({&tokens}, [&](mluOpHandle_t handle) {
      return mluOpMoeTokenUnpermuteWithRoutingMap(
          handle, rows.desc(), rows.data(), indices.desc(), indices.data(), map.desc(), map.data(),
          probs.desc(), probs.data(), drop_and_pad, workspace.data(), kWorkspace, tokens.desc(),
          tokens.data());
    });
  }
}
