/* SPDX-License-Identifier: MIT
 *
 * The gradients of a permutation have the same bits for any number of tasks.
 */
#include "util/permuted_rows_tasks.h"

TEST(MoeTokenPermuteGradTasks, SameBits) {
  for (bool drop_and_pad : {false, true}) {
    PermutedRowsTasks t(drop_and_pad);
    TaskTensor row_probs(MLUOP_DTYPE_FLOAT, {t.row_num});
    row_probs.fillFloats(4);
    TaskTensor tokens_grad(MLUOP_DTYPE_FLOAT, {t.kTokens, t.kHidden});
    TaskTensor probs_grad(MLUOP_DTYPE_FLOAT, {t.kTokens, t.kExperts});
    expectSameBits({&tokens_grad, &probs_grad}, [&](mluOpHandle_t handle) {
      return mluOpMoeTokenPermuteWithRoutingMapGrad(
          handle, t.rows.desc(), t.rows.data(), row_probs.desc(), row_probs.data(),
          t.indices.desc(), t.indices.data(), t.map.desc(), t.map.data(), drop_and_pad,
          t.workspace.data(), t.kWorkspace, tokens_grad.desc(), tokens_grad.data(),
          probs_grad.desc(), probs_grad.data());
    });
  }
}
