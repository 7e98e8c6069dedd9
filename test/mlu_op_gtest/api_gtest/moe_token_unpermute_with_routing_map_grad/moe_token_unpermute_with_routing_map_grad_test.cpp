/* SPDX-License-Identifier: MIT
 *
 * mluOpMoeTokenUnpermuteWithRoutingMapGrad and its workspace query: every documented constraint,
 * one wrong argument at a time.
 */
#include "util/permuted_rows.h"

namespace {
struct Operator {
  static PermutedRowsNames names() {
    PermutedRowsNames names;
    names.api = "MoeTokenUnpermuteWithRoutingMapGrad";
    names.input = "unpermuted_tokens_grad";
    names.output = "permuted_tokens_grad";
    names.outputs = {"permuted_tokens_grad", "probs_grad"};
    names.rows = {"permuted_tokens_grad", "permuted_tokens"};
    names.tokens = {"unpermuted_tokens_grad"};
    names.expert_values = {"probs", "probs_grad"};
    names.optional = {
        {"permuted_tokens", "probs_desc and permuted_tokens_desc: wanted both or none"},
        {"probs", "probs_desc and permuted_tokens_desc: wanted both or none"},
        {"probs_grad", "probs_desc and probs_grad_desc: wanted both or none"}};
    names.zeroed = {"probs_grad"};
    names.workspace_without_padding = names.workspace_with_padding = 48;
    return names;
  }
  static mluOpStatus_t workspaceSize(mluOpHandle_t handle, mluOpTensorDescriptor_t indices,
                                     bool drop_and_pad, size_t *size) {
    return mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize(handle, indices, drop_and_pad,
                                                                    size);
  }
  static mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c, bool drop_and_pad,
                            void *workspace, size_t size) {
    return mluOpMoeTokenUnpermuteWithRoutingMapGrad(
        handle, c.desc("unpermuted_tokens_grad"), c.data("unpermuted_tokens_grad"),
        c.desc("permuted_tokens"), c.data("permuted_tokens"), c.desc("sorted_indices"),
        c.data("sorted_indices"), c.desc("routing_map"), c.data("routing_map"), c.desc("probs"),
        c.data("probs"), drop_and_pad, workspace, size, c.desc("permuted_tokens_grad"),
        c.data("permuted_tokens_grad"), c.desc("probs_grad"), c.data("probs_grad"));
  }
};
}  // namespace

INSTANTIATE_TYPED_TEST_SUITE_P(MoeTokenUnpermuteWithRoutingMapGrad, PermutedRowsTest, Operator);
