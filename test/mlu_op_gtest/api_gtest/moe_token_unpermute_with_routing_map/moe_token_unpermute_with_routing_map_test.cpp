/* SPDX-License-Identifier: MIT
 *
 * mluOpMoeTokenUnpermuteWithRoutingMap and its workspace query: every documented constraint,
 * one wrong argument at a time.
 */
#include "util/permuted_rows.h"

namespace {
struct Operator {
  static PermutedRowsNames names() {
    PermutedRowsNames names;
    names.api = "MoeTokenUnpermuteWithRoutingMap";
    names.input = "permuted_tokens";
    names.output = "unpermuted_tokens";
    names.outputs = {"unpermuted_tokens"};
    names.rows = {"permuted_tokens"};
    names.tokens = {"unpermuted_tokens"};
    names.expert_values = {"probs"};
    names.optional = {{"probs", "probs: wanted both its descriptor and its data or none of them"}};
    names.zeroed = {"unpermuted_tokens"};
    names.workspace_without_padding = 0;
    names.workspace_with_padding = 240;
    return names;
  }
  static mluOpStatus_t workspaceSize(mluOpHandle_t handle, mluOpTensorDescriptor_t indices,
                                     bool drop_and_pad, size_t *size) {
    return mluOpGetMoeTokenUnpermuteWithRoutingMapWorkspaceSize(handle, indices, drop_and_pad,
                                                                size);
  }
  static mluOpStatus_t call(mluOpHandle_t handle, const ApiCall &c, bool drop_and_pad,
                            void *workspace, size_t size) {
    return mluOpMoeTokenUnpermuteWithRoutingMap(
        handle, c.desc("permuted_tokens"), c.data("permuted_tokens"), c.desc("sorted_indices"),
        c.data("sorted_indices"), c.desc("routing_map"), c.data("routing_map"), c.desc("probs"),
        c.data("probs"), drop_and_pad, workspace, size, c.desc("unpermuted_tokens"),
        c.data("unpermuted_tokens"));
  }
};
}  // namespace

INSTANTIATE_TYPED_TEST_SUITE_P(MoeTokenUnpermuteWithRoutingMap, PermutedRowsTest, Operator);
