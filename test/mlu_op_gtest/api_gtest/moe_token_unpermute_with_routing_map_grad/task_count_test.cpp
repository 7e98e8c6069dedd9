/* SPDX-License-Identifier: MIT
 *
 * The gradients of an unpermutation have the same bits for any number of tasks, also when
 * sorted_indices names rows twice.
 */
#include "util/permuted_rows_tasks.h"

TEST(MoeTokenUnpermuteGradTasks, SameBits) {
  for (bool drop_and_pad : {false, true}) {
    PermutedRowsTasks t(drop_and_pad);
    TaskTensor tokens_grad(MLUOP_DTYPE_FLOAT, {t.kTokens, t.kHidden});
    TaskTensor rows_grad(MLUOP_DTYPE_FLOAT, {t.row_num, t.kHidden});
    TaskTensor probs_grad(MLUOP_DTYPE_FLOAT, {t.kTokens, t.kExperts});
    tokens_grad.fillFloats(6);
    const auto call = [&](mluOpHandle_t handle) {
      return mluOpMoeTokenUnpermuteWithRoutingMapGrad(
          handle, tokens_grad.desc(), tokens_grad.data(), t.rows.desc(), t.rows.data(),
          t.indices.desc(), t.indices.data(), t.map.desc(), t.map.data(), t.probs.desc(),
          t.probs.data(), drop_and_pad, t.workspace.data(), t.kWorkspace, rows_grad.desc(),
          rows_grad.data(), probs_grad.desc(), probs_grad.data());
    };
    expectSameBits({&rows_grad, &probs_grad}, call);
    t.indices.fill<int32_t>([&](int64_t i) { return (int32_t)(i * 5 % (t.kTokens / 3)); });
    expectSameBits({&rows_grad, &probs_grad}, call);
  }
}
