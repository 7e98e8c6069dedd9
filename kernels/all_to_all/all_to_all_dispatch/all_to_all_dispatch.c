/* SPDX-License-Identifier: MIT
 *
 * Host side of all_to_all_dispatch: checks; the exchange is shared with all_to_all_combine. */
#include "core/check.h"
#include "core/context.h"
#include "core/tensor.h"
#include "core/tool.h"
#include "kernels/all_to_all/exchange_host.h"

#define API "[mluOpAllToAllDispatch]"
#define WORKSPACE_API "[mluOpGetAllToAllDispatchWorkspaceSize]"

static mluOpStatus_t check_inputs(const char *api, const A2aInputs *inputs, A2aGeometry *geometry) {
  mluOpTensorDescriptor_t input_desc = inputs->input_desc;
  mluOpTensorDescriptor_t expert_indices_desc = inputs->ids_desc;
  mluOpTensorDescriptor_t expert_mapping_desc = inputs->expert_mapping_desc;
  MLUOP_RETURN_IF_FAILED(a2a_check_mapping(api, expert_mapping_desc, geometry));
  const int64_t batch = input_desc->dims[0], sequence = input_desc->dims[2];
  CHECK_DIM(api, input_desc, 1, 1);
  CHECK_DIM(api, expert_indices_desc, 0, batch);
  CHECK_DIM(api, expert_indices_desc, 1, 1);
  CHECK_DIM(api, expert_indices_desc, 2, sequence);
  MLUOP_RETURN_IF_FAILED(a2a_check_extents(api, batch, sequence, input_desc->dims[3]));
  CHECK_CONTIGUOUS(api, input_desc);
  CHECK_CONTIGUOUS(api, expert_indices_desc);
  CHECK_CONTIGUOUS(api, expert_mapping_desc);
  geometry->local_batch = batch;
  geometry->local_sequence = sequence;
  geometry->batch = geometry->shard_dim == 1 ? batch * geometry->group_size : batch;
  geometry->sequence = geometry->shard_dim == 1 ? sequence : sequence * geometry->group_size;
  geometry->top_k = expert_indices_desc->dims[3];
  geometry->row_bytes = input_desc->dims[3] * (int64_t)mluop_dtype_size(input_desc->dtype);
  geometry->id_bytes = (int)mluop_dtype_size(expert_indices_desc->dtype);
  return a2a_check_limits(api, geometry);
}

static mluOpStatus_t check_outputs(const A2aInputs *inputs, const A2aGeometry *geometry,
                                   mluOpTensorDescriptor_t output_desc,
                                   mluOpTensorDescriptor_t metadata_desc) {
  const int64_t batch = geometry->batch, sequence = geometry->sequence;
  const int64_t hidden = inputs->input_desc->dims[3], top_k = geometry->top_k;
  CHECK_DIM(API, output_desc, 0, 1);
  CHECK_DIM(API, output_desc, 1, batch);
  CHECK_DIM(API, output_desc, 2, sequence);
  CHECK_DIM(API, output_desc, 3, hidden);
  CHECK_DIM(API, metadata_desc, 0, 1);
  CHECK_DIM(API, metadata_desc, 1, batch);
  CHECK_DIM(API, metadata_desc, 2, sequence);
  CHECK_DIM(API, metadata_desc, 3, top_k);
  CHECK_CONTIGUOUS(API, output_desc);
  CHECK_CONTIGUOUS(API, metadata_desc);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetAllToAllDispatchWorkspaceSize(
    mluOpHandle_t handle, const cnclComm_t comm, const mluOpTensorDescriptor_t input_desc,
    const mluOpTensorDescriptor_t expert_indices_desc,
    const mluOpTensorDescriptor_t expert_mapping_desc, const int mesh_rows, const int mesh_cols,
    const int cluster_axis, const int output_concat_dim, size_t *workspace_size) {
  const A2aInputs inputs = {input_desc, expert_indices_desc, expert_mapping_desc,
                            "expert_indices_desc"};
  const A2aMesh mesh = {comm,         mesh_rows,         mesh_cols,
                        cluster_axis, output_concat_dim, "output_concat_dim"};
  A2aGeometry geometry = {.kind = A2A_DISPATCH};
  MLUOP_RETURN_IF_FAILED(a2a_check_arguments(WORKSPACE_API, handle, &inputs, &mesh, &geometry));
  CHECK_NOT_NULL(WORKSPACE_API, workspace_size);
  if (geometry.ranks == 1 &&
      ANY_TENSOR_EMPTY(WORKSPACE_API, input_desc, expert_indices_desc, expert_mapping_desc)) {
    *workspace_size = 0;
    return MLUOP_STATUS_SUCCESS;
  }
  MLUOP_RETURN_IF_FAILED(check_inputs(WORKSPACE_API, &inputs, &geometry));
  return a2a_workspace_bytes(WORKSPACE_API, handle, comm, &geometry, workspace_size);
}

mluOpStatus_t MLUOP_WIN_API mluOpAllToAllDispatch(
    mluOpHandle_t handle, const cnclComm_t comm, const mluOpTensorDescriptor_t input_desc,
    const void *input, const mluOpTensorDescriptor_t expert_indices_desc,
    const void *expert_indices, const mluOpTensorDescriptor_t expert_mapping_desc,
    const void *expert_mapping, const int mesh_rows, const int mesh_cols, const int cluster_axis,
    const int output_concat_dim, const int num_links, const mluOpCommTopology_t topology,
    void *workspace, const size_t workspace_size, const mluOpTensorDescriptor_t output_desc,
    void *output, const mluOpTensorDescriptor_t metadata_desc, void *metadata) {
  const A2aInputs inputs = {input_desc, expert_indices_desc, expert_mapping_desc,
                            "expert_indices_desc"};
  const A2aMesh mesh = {comm,         mesh_rows,         mesh_cols,
                        cluster_axis, output_concat_dim, "output_concat_dim"};
  A2aGeometry geometry = {.kind = A2A_DISPATCH};
  MLUOP_RETURN_IF_FAILED(a2a_check_arguments(API, handle, &inputs, &mesh, &geometry));
  MLUOP_RETURN_IF_FAILED(a2a_check_links(API, num_links, topology));
  CHECK_DESC(API, output_desc);
  CHECK_DESC(API, metadata_desc);
  CHECK_RANK(API, output_desc, 4);
  CHECK_RANK(API, metadata_desc, 4);
  CHECK_SAME_DTYPE(API, output_desc, input_desc);
  CHECK_SAME_DTYPE(API, metadata_desc, expert_indices_desc);
  /* With other ranks, only the exchange tells whether they have nothing to do either. */
  if (geometry.ranks == 1 &&
      ANY_TENSOR_EMPTY(API, input_desc, expert_indices_desc, expert_mapping_desc)) {
    return MLUOP_STATUS_SUCCESS;
  }
  MLUOP_RETURN_IF_FAILED(check_inputs(API, &inputs, &geometry));
  MLUOP_RETURN_IF_FAILED(check_outputs(&inputs, &geometry, output_desc, metadata_desc));

  size_t needed = 0;
  MLUOP_RETURN_IF_FAILED(a2a_workspace_bytes(API, handle, comm, &geometry, &needed));
  CHECK_WORKSPACE(API, workspace, workspace_size, needed);
  if (!a2a_is_empty(&geometry)) {
    CHECK_DATA(API, input);
    CHECK_DATA(API, expert_indices);
    CHECK_DATA(API, expert_mapping);
    CHECK_DATA(API, output);
    CHECK_DATA(API, metadata);
    CHECK_APART(API, MLUOP_WRITTEN(output, output_desc), MLUOP_WRITTEN(metadata, metadata_desc),
                MLUOP_SCRATCH(workspace, needed), MLUOP_READ(input, input_desc),
                MLUOP_READ(expert_indices, expert_indices_desc),
                MLUOP_READ(expert_mapping, expert_mapping_desc));
  }

  const A2aCall call = {.api = API,
                        .handle = handle,
                        .comm = comm,
                        .geometry = geometry,
                        .dtype = input_desc->dtype,
                        .id_dtype = expert_indices_desc->dtype,
                        .map_dtype = expert_mapping_desc->dtype,
                        .mesh_rows = mesh_rows,
                        .hidden = input_desc->dims[3],
                        .input = input,
                        .ids = expert_indices,
                        .mapping = expert_mapping,
                        .workspace = workspace,
                        .output = output,
                        .output_ids = metadata};
  return a2a_exchange(&call);
}
