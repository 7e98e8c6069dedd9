/* SPDX-License-Identifier: MIT
 *
 * The sums of an unpermutation have the same bits for any number of tasks.
 */
#include "util/permuted_rows_tasks.h"

TEST(MoeTokenUnpermuteTasks, SameBits) {
  for (bool drop_and_pad : {false, true}) {
    PermutedRowsTasks t(drop_and_pad);
    TaskTensor tokens(MLUOP_DTYPE_FLOAT, {t.kTokens, t.kHidden});
    expectSameBits({&tokens}, [&](mluOpHandle_t handle) {
      return mluOpMoeTokenUnpermuteWithRoutingMap(
          handle, t.rows.desc(), t.rows.data(), t.indices.desc(), t.indices.data(), t.map.desc(),
          t.map.data(), t.probs.desc(), t.probs.data(), drop_and_pad, t.workspace.data(),
          t.kWorkspace, tokens.desc(), tokens.data());
    });
  }
}
