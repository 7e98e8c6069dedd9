/* SPDX-License-Identifier: MIT
 *
 * Host side of all_to_all_combine: checks; the exchange is shared with all_to_all_dispatch. */
#include "core/check.h"
#include "core/context.h"
#include "core/tensor.h"
#include "core/tool.h"
#include "kernels/all_to_all/exchange_host.h"

#define API "[mluOpAllToAllCombine]"
#define WORKSPACE_API "[mluOpGetAllToAllCombineWorkspaceSize]"

static mluOpStatus_t check_inputs(const char *api, const A2aInputs *inputs, A2aGeometry *geometry) {
  mluOpTensorDescriptor_t input_desc = inputs->input_desc;
  mluOpTensorDescriptor_t expert_metadata_desc = inputs->ids_desc;
  mluOpTensorDescriptor_t expert_mapping_desc = inputs->expert_mapping_desc;
  MLUOP_RETURN_IF_FAILED(a2a_check_mapping(api, expert_mapping_desc, geometry));
  const int64_t batch = expert_metadata_desc->dims[1], sequence = expert_metadata_desc->dims[2];
  const int64_t experts_per_rank = geometry->experts_per_rank;
  CHECK_DIM(api, expert_metadata_desc, 0, 1);
  if (geometry->kind == A2A_COMBINE_REDUCED) {
    CHECK_DIM(api, input_desc, 0, 1);
  } else {
    CHECK_DIM(api, input_desc, 0, experts_per_rank);
  }
  CHECK_DIM(api, input_desc, 1, batch);
  CHECK_DIM(api, input_desc, 2, sequence);
  MLUOP_RETURN_IF_FAILED(a2a_check_extents(api, batch, sequence, input_desc->dims[3]));
  geometry->batch = batch;
  geometry->sequence = sequence;
  geometry->top_k = expert_metadata_desc->dims[3];
  geometry->row_bytes = input_desc->dims[3] * (int64_t)mluop_dtype_size(input_desc->dtype);
  geometry->id_bytes = (int)mluop_dtype_size(expert_metadata_desc->dtype);
  MLUOP_RETURN_IF_FAILED(a2a_check_shards(api, "expert_metadata_desc", geometry));
  CHECK_CONTIGUOUS(api, input_desc);
  CHECK_CONTIGUOUS(api, expert_metadata_desc);
  CHECK_CONTIGUOUS(api, expert_mapping_desc);
  return a2a_check_limits(api, geometry);
}

static mluOpStatus_t check_output(const A2aInputs *inputs, const A2aGeometry *geometry,
                                  mluOpTensorDescriptor_t output_desc) {
  const int64_t top_k = geometry->top_k, hidden = inputs->input_desc->dims[3];
  const int64_t local_batch = geometry->local_batch, local_sequence = geometry->local_sequence;
  CHECK_DIM(API, output_desc, 0, top_k);
  CHECK_DIM(API, output_desc, 1, local_batch);
  CHECK_DIM(API, output_desc, 2, local_sequence);
  CHECK_DIM(API, output_desc, 3, hidden);
  CHECK_CONTIGUOUS(API, output_desc);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetAllToAllCombineWorkspaceSize(
    mluOpHandle_t handle, const cnclComm_t comm, const mluOpTensorDescriptor_t input_desc,
    const mluOpTensorDescriptor_t expert_metadata_desc,
    const mluOpTensorDescriptor_t expert_mapping_desc, const bool local_reduce, const int mesh_rows,
    const int mesh_cols, const int cluster_axis, const int output_shard_dim,
    size_t *workspace_size) {
  const A2aInputs inputs = {input_desc, expert_metadata_desc, expert_mapping_desc,
                            "expert_metadata_desc"};
  const A2aMesh mesh = {comm,         mesh_rows,        mesh_cols,
                        cluster_axis, output_shard_dim, "output_shard_dim"};
  A2aGeometry geometry = {.kind = local_reduce ? A2A_COMBINE_REDUCED : A2A_COMBINE};
  MLUOP_RETURN_IF_FAILED(a2a_check_arguments(WORKSPACE_API, handle, &inputs, &mesh, &geometry));
  CHECK_NOT_NULL(WORKSPACE_API, workspace_size);
  if (geometry.ranks == 1 &&
      ANY_TENSOR_EMPTY(WORKSPACE_API, input_desc, expert_metadata_desc, expert_mapping_desc)) {
    *workspace_size = 0;
    return MLUOP_STATUS_SUCCESS;
  }
  MLUOP_RETURN_IF_FAILED(check_inputs(WORKSPACE_API, &inputs, &geometry));
  return a2a_workspace_bytes(WORKSPACE_API, handle, comm, &geometry, workspace_size);
}

mluOpStatus_t MLUOP_WIN_API mluOpAllToAllCombine(
    mluOpHandle_t handle, const cnclComm_t comm, const mluOpTensorDescriptor_t input_desc,
    const void *input, const mluOpTensorDescriptor_t expert_metadata_desc,
    const void *expert_metadata, const mluOpTensorDescriptor_t expert_mapping_desc,
    const void *expert_mapping, const bool local_reduce, const int mesh_rows, const int mesh_cols,
    const int cluster_axis, const int output_shard_dim, const int num_links,
    const mluOpCommTopology_t topology, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t output_desc, void *output) {
  const A2aInputs inputs = {input_desc, expert_metadata_desc, expert_mapping_desc,
                            "expert_metadata_desc"};
  const A2aMesh mesh = {comm,         mesh_rows,        mesh_cols,
                        cluster_axis, output_shard_dim, "output_shard_dim"};
  A2aGeometry geometry = {.kind = local_reduce ? A2A_COMBINE_REDUCED : A2A_COMBINE};
  MLUOP_RETURN_IF_FAILED(a2a_check_arguments(API, handle, &inputs, &mesh, &geometry));
  MLUOP_RETURN_IF_FAILED(a2a_check_links(API, num_links, topology));
  CHECK_DESC(API, output_desc);
  CHECK_RANK(API, output_desc, 4);
  CHECK_SAME_DTYPE(API, output_desc, input_desc);
  /* With other ranks, only the exchange tells whether they have nothing to do either. */
  if (geometry.ranks == 1 &&
      ANY_TENSOR_EMPTY(API, input_desc, expert_metadata_desc, expert_mapping_desc)) {
    return MLUOP_STATUS_SUCCESS;
  }
  MLUOP_RETURN_IF_FAILED(check_inputs(API, &inputs, &geometry));
  MLUOP_RETURN_IF_FAILED(check_output(&inputs, &geometry, output_desc));

  size_t needed = 0;
  MLUOP_RETURN_IF_FAILED(a2a_workspace_bytes(API, handle, comm, &geometry, &needed));
  CHECK_WORKSPACE(API, workspace, workspace_size, needed);
  if (!a2a_is_empty(&geometry)) {
    CHECK_DATA(API, input);
    CHECK_DATA(API, expert_metadata);
    CHECK_DATA(API, expert_mapping);
    CHECK_DATA(API, output);
    CHECK_APART(API, MLUOP_WRITTEN(output, output_desc), MLUOP_SCRATCH(workspace, needed),
                MLUOP_READ(input, input_desc), MLUOP_READ(expert_metadata, expert_metadata_desc),
                MLUOP_READ(expert_mapping, expert_mapping_desc));
  }

  const A2aCall call = {.api = API,
                        .handle = handle,
                        .comm = comm,
                        .geometry = geometry,
                        .dtype = input_desc->dtype,
                        .id_dtype = expert_metadata_desc->dtype,
                        .map_dtype = expert_mapping_desc->dtype,
                        .mesh_rows = mesh_rows,
                        .hidden = input_desc->dims[3],
                        .input = input,
                        .ids = expert_metadata,
                        .mapping = expert_mapping,
                        .workspace = workspace,
                        .output = output};
  return a2a_exchange(&call);
}
