/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdlib.h>

#include "core/context.h"
#include "core/tensor_rules.h"
#include "kernels/all_to_all/exchange_host.h"
#include "kernels/kernel.h"

#define INPUT_ROWS MLUOP_ONLY(A2A_INPUT, A2A_IDS, A2A_MAPPING)
#define OUTPUT_ROWS MLUOP_EXCEPT(A2A_INPUT, A2A_IDS, A2A_MAPPING)

/* Extensions that not every Neuware has. Without them its CNCL refuses what it cannot do. */
extern cnrtRet_t cnrtxQueueDevice(cnrtQueue_t queue, int *device) __attribute__((weak));
extern cnrtRet_t cnrtxRefuseCapture(cnrtQueue_t queue) __attribute__((weak));
extern cnclResult_t cnclxGetGroupDepth(int *depth) __attribute__((weak));

/* CNCL refuses the queue of another device, too, but only after a kernel has run and without naming
 * the argument. */
static mluOpStatus_t check_device(const char *api, mluOpHandle_t handle, cnclComm_t comm) {
  int device = 0;
  CNdev wanted = 0;
  const cnclResult_t result = cnclGetCommDevice(&device, comm);
  CHECK_ELSE(BAD_PARAM, result == CNCL_RET_SUCCESS && cnDeviceGet(&wanted, device) == CN_SUCCESS,
             "%s comm: wanted one with a device, got %p: %s.", api, (void *)comm,
             cnclGetErrorStr(result));
  CHECK_ELSE(BAD_PARAM, handle->device == wanted,
             "%s handle: wanted one of device %d, the device of comm, got one of device %llu.", api,
             device, (unsigned long long)handle->device);
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_mesh(const char *api, const A2aRequest *mesh, A2aGeometry *geometry) {
  int mesh_rows = mesh->mesh_rows, mesh_cols = mesh->mesh_cols, cluster_axis = mesh->cluster_axis;
  CHECK_VALUE(api, mesh_rows, mesh_rows > 0, "1 or more");
  CHECK_VALUE(api, mesh_cols, mesh_cols > 0, "1 or more");
  CHECK_VALUE(api, cluster_axis, cluster_axis == 0 || cluster_axis == 1, "0 or 1");
  if (mesh->shard_dim != 1 && mesh->shard_dim != 2) {
    return mluop_fail_value(api, mesh->shard_dim_name, mluopValueOf(mesh->shard_dim), "1 or 2");
  }
  int ranks = 0, rank = 0;
  cnclResult_t result = cnclGetCommCount(&ranks, mesh->comm);
  if (result == CNCL_RET_SUCCESS) result = cnclGetCommRank(&rank, mesh->comm);
  CHECK_ELSE(BAD_PARAM, result == CNCL_RET_SUCCESS, "%s comm: wanted a communicator, got %p: %s.",
             api, (void *)mesh->comm, cnclGetErrorStr(result));
  CHECK_ELSE(BAD_PARAM, (int64_t)mesh_rows * mesh_cols == ranks,
             "%s mesh_rows * mesh_cols: wanted %d, the ranks of comm, got %d * %d.", api, ranks,
             mesh_rows, mesh_cols);
  geometry->rank = rank;
  geometry->ranks = ranks;
  geometry->mesh_cols = mesh_cols;
  geometry->cluster_axis = cluster_axis;
  geometry->group_size = cluster_axis == 0 ? mesh_rows : mesh_cols;
  geometry->position = cluster_axis == 0 ? rank / mesh_cols : rank % mesh_cols;
  geometry->shard_dim = mesh->shard_dim;
  return MLUOP_STATUS_SUCCESS;
}

/* Checks of single arguments, before any two are compared. Sets the ranks of the geometry. */
static mluOpStatus_t check_arguments(mluopTensors *tensors, const A2aRequest *request,
                                     A2aGeometry *geometry) {
  cnclComm_t comm = request->comm;
  CHECK_TENSORS(tensors, INPUT_ROWS, HANDLE);
  CHECK_NOT_NULL(tensors->api, comm);
  CHECK_TENSORS(tensors, INPUT_ROWS, PRESENT, RANK, BASE_TYPE, BFLOAT16, TYPE);
  MLUOP_RETURN_IF_FAILED(check_mesh(tensors->api, request, geometry));
  return check_device(tensors->api, tensors->handle, comm);
}

static mluOpStatus_t check_queue_device(const char *api, mluOpHandle_t handle, cnclComm_t comm) {
  int wanted = 0, got = 0;
  if (cnrtxQueueDevice == NULL) return MLUOP_STATUS_SUCCESS;
  CHECK_ELSE(BAD_PARAM,
             cnclGetCommDevice(&wanted, comm) == CNCL_RET_SUCCESS &&
                 cnrtxQueueDevice(handle->queue, &got) == cnrtSuccess,
             "%s queue of handle: wanted a queue, got %p.", api, (void *)handle->queue);
  CHECK_ELSE(BAD_PARAM, got == wanted,
             "%s queue of handle: wanted one of device %d, the device of comm, got one of device "
             "%d.",
             api, wanted, got);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t a2a_check_state(const char *api, mluOpHandle_t handle, cnclComm_t comm) {
  const cnclResult_t earlier = cnclGetCommAsyncError(comm);
  CHECK_ELSE(EXECUTION_FAILED, earlier == CNCL_RET_SUCCESS,
             "%s comm: wanted one that works, got one that failed before: %s.", api,
             cnclGetErrorStr(earlier));
  int depth = 0;
  if (cnclxGetGroupDepth != NULL && cnclxGetGroupDepth(&depth) != CNCL_RET_SUCCESS) depth = 0;
  CHECK_ELSE(NOT_SUPPORTED, depth == 0,
             "%s comm: wanted a call outside of cnclGroupStart and cnclGroupEnd, got one between "
             "them.",
             api);
  MLUOP_RETURN_IF_FAILED(check_queue_device(api, handle, comm));
  CHECK_ELSE(NOT_SUPPORTED,
             cnrtxRefuseCapture == NULL || cnrtxRefuseCapture(handle->queue) == cnrtSuccess,
             "%s queue of handle: wanted one that is not captured, got one that is; the capture "
             "is invalid now.",
             api);
  return MLUOP_STATUS_SUCCESS;
}

#define CHECK_UP_TO(api, what, got, most)                                                        \
  CHECK_ELSE(NOT_SUPPORTED, (got) <= (most), "%s " what ": wanted at most %lld, got %lld.", api, \
             (long long)(most), (long long)(got))

/* The mapping is [1, 1, experts, ranks], with the same number of experts on every rank. */
static mluOpStatus_t check_mapping(mluopTensors *tensors, A2aGeometry *geometry) {
  const mluOpTensorDescriptor_t mapping_desc = tensors->tensor[A2A_MAPPING].desc;
  const int64_t ranks = geometry->ranks, num_experts = mapping_desc->dims[2];
  tensors->sizes[A2A_RANKS] = ranks;
  CHECK_TENSORS(tensors, MLUOP_ONLY(A2A_MAPPING), SHAPE);
  CHECK_ELSE(BAD_PARAM, num_experts % ranks == 0,
             "%s expert_mapping_desc: wanted dims[2] a multiple of %lld (ranks), got %lld.",
             tensors->api, (long long)ranks, (long long)num_experts);
  CHECK_UP_TO(tensors->api, "dims[2] of expert_mapping_desc", num_experts, INT_MAX);
  geometry->num_experts = (int)num_experts;
  geometry->experts_per_rank = (int)(num_experts / ranks);
  geometry->map_bytes = (int)mluop_dtype_size(mapping_desc->dtype);
  return MLUOP_STATUS_SUCCESS;
}

/* NOT_SUPPORTED for sizes whose products could exceed 64 bits. Only tensors without elements can
 * have them. */
static mluOpStatus_t check_extents(const mluopTensors *tensors) {
  const int64_t *sizes = tensors->sizes;
  CHECK_UP_TO(tensors->api, "batch", sizes[A2A_BATCH], INT32_MAX);
  CHECK_UP_TO(tensors->api, "sequence", sizes[A2A_SEQUENCE], INT32_MAX);
  CHECK_UP_TO(tensors->api, "hidden", sizes[A2A_HIDDEN], INT64_MAX / (int64_t)sizeof(int64_t));
  return MLUOP_STATUS_SUCCESS;
}

/* The ids of a combine are those of the whole group, which split batch or sequence. */
static mluOpStatus_t check_combine_shapes(mluopTensors *tensors, A2aGeometry *geometry) {
  const mluOpTensorDescriptor_t input_desc = tensors->tensor[A2A_INPUT].desc;
  const int64_t *dims = tensors->tensor[A2A_IDS].desc->dims;
  const bool is_reduced = geometry->kind == A2A_COMBINE_REDUCED,
             by_batch = geometry->shard_dim == 1;
  tensors->sizes[A2A_BATCH] = geometry->batch = geometry->local_batch = dims[1];
  tensors->sizes[A2A_SEQUENCE] = geometry->sequence = geometry->local_sequence = dims[2];
  tensors->sizes[A2A_LOCAL_EXPERTS] = is_reduced ? 1 : geometry->experts_per_rank;
  CHECK_TENSORS(tensors, MLUOP_ONLY(A2A_IDS), SHAPE);
  if (is_reduced) CHECK_DIM(tensors->api, input_desc, 0, 1); /* 1, not a number of experts */
  CHECK_TENSORS(tensors, MLUOP_ONLY(A2A_INPUT), SHAPE);
  MLUOP_RETURN_IF_FAILED(check_extents(tensors));
  int64_t *part = by_batch ? &geometry->local_batch : &geometry->local_sequence;
  CHECK_ELSE(BAD_PARAM, *part % geometry->group_size == 0,
             "%s %s: wanted dims[%d] a multiple of %d (ranks along cluster_axis), got %lld.",
             tensors->api, tensors->table->rules[A2A_IDS].desc_name, geometry->shard_dim,
             geometry->group_size, (long long)*part);
  *part /= geometry->group_size;
  return MLUOP_STATUS_SUCCESS;
}

/* The ids of a dispatch are those of a rank. */
static mluOpStatus_t check_dispatch_shapes(mluopTensors *tensors, A2aGeometry *geometry) {
  const int64_t *dims = tensors->tensor[A2A_INPUT].desc->dims;
  tensors->sizes[A2A_BATCH] = geometry->batch = geometry->local_batch = dims[0];
  tensors->sizes[A2A_SEQUENCE] = geometry->sequence = geometry->local_sequence = dims[2];
  CHECK_TENSORS(tensors, MLUOP_ONLY(A2A_INPUT, A2A_IDS), SHAPE);
  MLUOP_RETURN_IF_FAILED(check_extents(tensors));
  *(geometry->shard_dim == 1 ? &geometry->batch : &geometry->sequence) *= geometry->group_size;
  return MLUOP_STATUS_SUCCESS;
}

/* NOT_SUPPORTED for sizes that the kernels cannot handle. */
static mluOpStatus_t check_limits(const char *api, const A2aGeometry *geometry) {
  int64_t slots = 0;
  if (__builtin_mul_overflow(geometry->batch, geometry->sequence, &slots) ||
      __builtin_mul_overflow(slots, geometry->top_k, &slots)) {
    slots = INT64_MAX;
  }
  CHECK_UP_TO(api, "ranks of comm", geometry->ranks, A2A_MAX_RANKS);
  CHECK_UP_TO(api, "ids of a token", geometry->top_k, A2A_MAX_SLOTS);
  CHECK_UP_TO(api, "experts times ranks along cluster_axis",
              (int64_t)geometry->num_experts * geometry->group_size, A2A_MAX_TABLE - 1);
  CHECK_UP_TO(api, "tokens times ids of a token", slots, INT32_MAX);
  /* An id has at most one row among the sent ones and one among the received ones, so the bytes of
   * both fit 64 bits. */
  CHECK_UP_TO(api, "bytes of a row", geometry->row_bytes, INT64_MAX / 4 / MAX(slots, 1));
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_inputs(mluopTensors *tensors, A2aGeometry *geometry) {
  const mluOpTensorDescriptor_t input_desc = tensors->tensor[A2A_INPUT].desc;
  const mluOpTensorDescriptor_t ids_desc = tensors->tensor[A2A_IDS].desc;
  MLUOP_RETURN_IF_FAILED(check_mapping(tensors, geometry));
  tensors->sizes[A2A_HIDDEN] = input_desc->dims[3];
  MLUOP_RETURN_IF_FAILED(geometry->kind == A2A_DISPATCH ? check_dispatch_shapes(tensors, geometry)
                                                        : check_combine_shapes(tensors, geometry));
  CHECK_TENSORS(tensors, INPUT_ROWS, LAYOUT);
  geometry->top_k = ids_desc->dims[3];
  geometry->row_bytes = input_desc->dims[3] * (int64_t)mluop_dtype_size(input_desc->dtype);
  geometry->id_bytes = (int)mluop_dtype_size(ids_desc->dtype);
  return check_limits(tensors->api, geometry);
}

static mluOpStatus_t check_outputs(mluopTensors *tensors, const A2aGeometry *geometry) {
  const bool is_dispatch = geometry->kind == A2A_DISPATCH;
  tensors->sizes[A2A_OUTPUT_BATCH] = is_dispatch ? geometry->batch : geometry->local_batch;
  tensors->sizes[A2A_OUTPUT_SEQUENCE] = is_dispatch ? geometry->sequence : geometry->local_sequence;
  tensors->sizes[A2A_TOP_K] = geometry->top_k;
  CHECK_TENSORS(tensors, OUTPUT_ROWS, SHAPE, LAYOUT);
  return MLUOP_STATUS_SUCCESS;
}

/* With other ranks, only the exchange shows whether they have nothing to do either. */
static bool has_nothing_to_do(mluopTensors *tensors, const A2aGeometry *geometry) {
  return geometry->ranks == 1 &&
         ANY_TENSOR_EMPTY(tensors->api, tensors->tensor[A2A_INPUT].desc,
                          tensors->tensor[A2A_IDS].desc, tensors->tensor[A2A_MAPPING].desc);
}

mluOpStatus_t a2a_get_workspace_size(mluopTensors *tensors, const A2aRequest *request,
                                     size_t *workspace_size) {
  A2aGeometry geometry = {.kind = request->kind};
  int64_t sizes[A2A_SIZES];
  tensors->sizes = sizes;
  MLUOP_RETURN_IF_FAILED(check_arguments(tensors, request, &geometry));
  CHECK_NOT_NULL(tensors->api, workspace_size);
  if (has_nothing_to_do(tensors, &geometry)) {
    *workspace_size = 0;
    return MLUOP_STATUS_SUCCESS;
  }
  MLUOP_RETURN_IF_FAILED(check_inputs(tensors, &geometry));
  return a2a_workspace_bytes(tensors->api, tensors->handle, request->comm, &geometry,
                             workspace_size);
}

static A2aRecord make_record(const mluopTensors *tensors, const A2aRequest *request,
                             const A2aGeometry *g) {
  return (A2aRecord){{[A2A_RECORD_MAGIC] = A2A_RECORD_MAGIC_NUMBER,
                      [A2A_RECORD_KIND] = g->kind,
                      [A2A_RECORD_DTYPE] = tensors->tensor[A2A_INPUT].desc->dtype,
                      [A2A_RECORD_ID_DTYPE] = tensors->tensor[A2A_IDS].desc->dtype,
                      [A2A_RECORD_MAP_DTYPE] = tensors->tensor[A2A_MAPPING].desc->dtype,
                      [A2A_RECORD_MESH_ROWS] = request->mesh_rows,
                      [A2A_RECORD_MESH_COLS] = g->mesh_cols,
                      [A2A_RECORD_CLUSTER_AXIS] = g->cluster_axis,
                      [A2A_RECORD_SHARD_DIM] = g->shard_dim,
                      [A2A_RECORD_BATCH] = g->batch,
                      [A2A_RECORD_SEQUENCE] = g->sequence,
                      [A2A_RECORD_TOP_K] = g->top_k,
                      [A2A_RECORD_HIDDEN] = tensors->sizes[A2A_HIDDEN],
                      [A2A_RECORD_EXPERTS] = g->num_experts,
                      [A2A_RECORD_INPUT] = (int64_t)(uintptr_t)tensors->tensor[A2A_INPUT].data,
                      [A2A_RECORD_IDS] = (int64_t)(uintptr_t)tensors->tensor[A2A_IDS].data}};
}

mluOpStatus_t a2a_run_operator(mluopTensors *tensors, const A2aRequest *request, int num_links,
                               mluOpCommTopology_t topology, void *workspace,
                               size_t workspace_size) {
  A2aGeometry geometry = {.kind = request->kind};
  int64_t sizes[A2A_SIZES];
  tensors->sizes = sizes;
  MLUOP_RETURN_IF_FAILED(check_arguments(tensors, request, &geometry));
  CHECK_VALUE(tensors->api, num_links, num_links >= 0, "1 or more, or MLUOP_COMM_LINKS_AUTO");
  CHECK_VALUE(tensors->api, topology,
              topology == MLUOP_COMM_TOPOLOGY_LINEAR || topology == MLUOP_COMM_TOPOLOGY_RING ||
                  topology == MLUOP_COMM_TOPOLOGY_AUTO,
              "a value of mluOpCommTopology_t");
  CHECK_TENSORS(tensors, OUTPUT_ROWS, PRESENT, RANK, TYPE);
  if (has_nothing_to_do(tensors, &geometry)) return MLUOP_STATUS_SUCCESS;
  MLUOP_RETURN_IF_FAILED(check_inputs(tensors, &geometry));
  MLUOP_RETURN_IF_FAILED(check_outputs(tensors, &geometry));

  size_t needed = 0;
  MLUOP_RETURN_IF_FAILED(
      a2a_workspace_bytes(tensors->api, tensors->handle, request->comm, &geometry, &needed));
  CHECK_TENSOR_WORKSPACE(tensors, workspace, workspace_size, needed);
  if (!a2a_is_empty(&geometry)) CHECK_TENSORS(tensors, MLUOP_ALL, DATA, APART);
  A2aCall call = {.api = tensors->api,
                  .handle = tensors->handle,
                  .comm = request->comm,
                  .args = {.geometry = geometry,
                           .own = make_record(tensors, request, &geometry),
                           .input = tensors->tensor[A2A_INPUT].data,
                           .ids = tensors->tensor[A2A_IDS].data,
                           .mapping = tensors->tensor[A2A_MAPPING].data,
                           .output = (int8_t *)tensors->tensor[A2A_OUTPUT].data,
                           .output_ids = (int8_t *)tensors->tensor[A2A_OUTPUT_IDS].data,
                           .copies_in_order = tensors->handle->facts.copies_in_order}};
  const mluOpStatus_t status = a2a_exchange(&call, workspace);
  free(call.records);
  return status;
}
