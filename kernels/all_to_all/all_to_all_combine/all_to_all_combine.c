/* SPDX-License-Identifier: MIT
 *
 * The exchange itself is shared with all_to_all_dispatch. */
#include "core/tensor_rules.h"
#include "kernels/all_to_all/exchange_host.h"

static const mluopTensorRule rules[] = {
    MLUOP_IN(input, MLUOP_FLOATS,
             MLUOP_DIMS(A2A_LOCAL_EXPERTS, A2A_BATCH, A2A_SEQUENCE, MLUOP_ANY)),
    MLUOP_IN(expert_metadata, A2A_ID_TYPES, MLUOP_DIMS(MLUOP_ONE, MLUOP_ANY, MLUOP_ANY, MLUOP_ANY)),
    MLUOP_IN(expert_mapping, A2A_MAPPING_RULE),
    MLUOP_OUT(output, MLUOP_TYPE_OF(A2A_INPUT),
              MLUOP_DIMS(A2A_TOP_K, A2A_OUTPUT_BATCH, A2A_OUTPUT_SEQUENCE, A2A_HIDDEN)),
};
static const mluopTensorTable table =
    MLUOP_TENSOR_TABLE("all_to_all_combine", rules,
                       .size_names = {"ranks", "batch", "sequence", "local_batch", "local_sequence",
                                      "hidden", "top_k", "experts_per_rank"});

mluOpStatus_t MLUOP_WIN_API mluOpGetAllToAllCombineWorkspaceSize(
    mluOpHandle_t handle, const cnclComm_t comm, const mluOpTensorDescriptor_t input_desc,
    const mluOpTensorDescriptor_t expert_metadata_desc,
    const mluOpTensorDescriptor_t expert_mapping_desc, const bool local_reduce, const int mesh_rows,
    const int mesh_cols, const int cluster_axis, const int output_shard_dim,
    size_t *workspace_size) {
  const A2aRequest request =
      A2A_REQUEST(local_reduce ? A2A_COMBINE_REDUCED : A2A_COMBINE, output_shard_dim);
  mluopTensors tensors = MLUOP_TENSOR_QUERIES("[mluOpGetAllToAllCombineWorkspaceSize]", handle,
                                              &table, input, expert_metadata, expert_mapping);
  return a2a_get_workspace_size(&tensors, &request, workspace_size);
}

mluOpStatus_t MLUOP_WIN_API mluOpAllToAllCombine(
    mluOpHandle_t handle, const cnclComm_t comm, MLUOP_IN_ARGS(input),
    MLUOP_IN_ARGS(expert_metadata), MLUOP_IN_ARGS(expert_mapping), const bool local_reduce,
    const int mesh_rows, const int mesh_cols, const int cluster_axis, const int output_shard_dim,
    const int num_links, const mluOpCommTopology_t topology, void *workspace,
    const size_t workspace_size, MLUOP_OUT_ARGS(output)) {
  const A2aRequest request =
      A2A_REQUEST(local_reduce ? A2A_COMBINE_REDUCED : A2A_COMBINE, output_shard_dim);
  mluopTensors tensors = MLUOP_TENSORS("[mluOpAllToAllCombine]", handle, &table, NULL, input,
                                       expert_metadata, expert_mapping, output);
  return a2a_run_operator(&tensors, &request, num_links, topology, workspace, workspace_size);
}
