/* SPDX-License-Identifier: MIT
 *
 * mluOpMoeTokenPermuteWithRoutingMapGrad and its workspace query: every documented constraint,
 * one wrong argument at a time.
 */
#include "util/permuted_rows.h"

namespace {
struct Operator {
  static PermutedRowsNames names() {
    PermutedRowsNames names;
    names.api = "MoeTokenPermuteWithRoutingMapGrad";
    names.input = "permuted_tokens_grad";
    names.output = "tokens_grad";
    names.outputs = {"tokens_grad", "probs_grad"};
    names.rows = {"permuted_tokens_grad"};
    names.row_values = {"permuted_probs_grad"};
    names.tokens = {"tokens_grad"};
    names.expert_values = {"probs_grad"};
    names.optional = {
        {"permuted_probs_grad",
         "permuted_probs_grad_desc and probs_grad_desc: wanted both or none"},
        {"probs_grad", "permuted_probs_grad_desc and probs_grad_desc: wanted both or none"}};
    names.zeroed = {"tokens_grad", "probs_grad"};
    names.workspace_without_padding = 0;
    names.workspace_with_padding = 240;
    return names;
  }
  static mluOpStatus_t workspaceSize(mluOpHandle_t handle, mluOpTensorDescriptor_t indices,
                                     bool drop_and_pad, size_t *size) {
    return mluOpGetMoeTokenPermuteWithRoutingMapGradWorkspaceSize(handle, indices, drop_and_pad,
                                                                  size);
  }
  static mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c, bool drop_and_pad,
                            void *workspace, size_t size) {
    return mluOpMoeTokenPermuteWithRoutingMapGrad(
        handle, c.desc("permuted_tokens_grad"), c.data("permuted_tokens_grad"),
        c.desc("permuted_probs_grad"), c.data("permuted_probs_grad"), c.desc("sorted_indices"),
        c.data("sorted_indices"), c.desc("routing_map"), c.data("routing_map"), drop_and_pad,
        workspace, size, c.desc("tokens_grad"), c.data("tokens_grad"), c.desc("probs_grad"),
        c.data("probs_grad"));
  }
};
}  // namespace

INSTANTIATE_TYPED_TEST_SUITE_P(MoeTokenPermuteWithRoutingMapGrad, PermutedRowsTest, Operator);
