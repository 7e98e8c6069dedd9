/* SPDX-License-Identifier: MIT
 *
 * The exchange itself is shared with all_to_all_combine. */
#include "core/tensor_rules.h"
#include "kernels/all_to_all/exchange_host.h"

static const mluopTensorRule rules[] = {
    MLUOP_IN(input, MLUOP_FLOATS, MLUOP_DIMS(MLUOP_ANY, MLUOP_ONE, MLUOP_ANY, MLUOP_ANY)),
    MLUOP_IN(expert_indices, A2A_ID_TYPES,
             MLUOP_DIMS(A2A_BATCH, MLUOP_ONE, A2A_SEQUENCE, MLUOP_ANY)),
    MLUOP_IN(expert_mapping, A2A_MAPPING_RULE),
    MLUOP_OUT(output, MLUOP_TYPE_OF(A2A_INPUT),
              MLUOP_DIMS(MLUOP_ONE, A2A_OUTPUT_BATCH, A2A_OUTPUT_SEQUENCE, A2A_HIDDEN)),
    MLUOP_OUT(metadata, MLUOP_TYPE_OF(A2A_IDS),
              MLUOP_DIMS(MLUOP_ONE, A2A_OUTPUT_BATCH, A2A_OUTPUT_SEQUENCE, A2A_TOP_K)),
};
static const mluopTensorTable table = MLUOP_TENSOR_TABLE(
    "all_to_all_dispatch", rules,
    .size_names = {"ranks", "batch", "sequence", "batch", "sequence", "hidden", "top_k"});

mluOpStatus_t MLUOP_WIN_API mluOpGetAllToAllDispatchWorkspaceSize(
    mluOpHandle_t handle, const cnclComm_t comm, const mluOpTensorDescriptor_t input_desc,
    const mluOpTensorDescriptor_t expert_indices_desc,
    const mluOpTensorDescriptor_t expert_mapping_desc, const int mesh_rows, const int mesh_cols,
    const int cluster_axis, const int output_concat_dim, size_t *workspace_size) {
  const A2aRequest request = A2A_REQUEST(A2A_DISPATCH, output_concat_dim);
  mluopTensors tensors = MLUOP_TENSOR_QUERIES("[mluOpGetAllToAllDispatchWorkspaceSize]", handle,
                                              &table, input, expert_indices, expert_mapping);
  return a2a_get_workspace_size(&tensors, &request, workspace_size);
}

mluOpStatus_t MLUOP_WIN_API mluOpAllToAllDispatch(
    mluOpHandle_t handle, const cnclComm_t comm, MLUOP_IN_ARGS(input),
    MLUOP_IN_ARGS(expert_indices), MLUOP_IN_ARGS(expert_mapping), const int mesh_rows,
    const int mesh_cols, const int cluster_axis, const int output_concat_dim, const int num_links,
    const mluOpCommTopology_t topology, void *workspace, const size_t workspace_size,
    MLUOP_OUT_ARGS(output), MLUOP_OUT_ARGS(metadata)) {
  const A2aRequest request = A2A_REQUEST(A2A_DISPATCH, output_concat_dim);
  mluopTensors tensors = MLUOP_TENSORS("[mluOpAllToAllDispatch]", handle, &table, NULL, input,
                                       expert_indices, expert_mapping, output, metadata);
  return a2a_run_operator(&tensors, &request, num_links, topology, workspace, workspace_size);
}
