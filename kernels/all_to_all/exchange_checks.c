/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "core/check.h"
#include "core/tensor.h"
#include "kernels/all_to_all/exchange_host.h"

/* Not every Neuware has these. Without them its CNCL refuses what it cannot do. */
extern cnrtRet_t cnrtxQueueDevice(cnrtQueue_t queue, int *device) __attribute__((weak));
extern cnrtRet_t cnrtxRefuseCapture(cnrtQueue_t queue) __attribute__((weak));
extern cnclResult_t cnclxGetGroupDepth(int *depth) __attribute__((weak));

/* CNCL refuses the queue of another device as well, but only after a kernel has run, and without
 * naming the argument. */
static mluOpStatus_t check_device(const char *api, mluOpHandle_t handle, cnclComm_t comm) {
  int device = 0;
  CNdev wanted = 0;
  const cnclResult_t result = cnclGetCommDevice(&device, comm);
  if (result != CNCL_RET_SUCCESS || cnDeviceGet(&wanted, device) != CN_SUCCESS) {
    LOG_ERROR("%s comm: wanted one with a device, got %p: %s.", api, (void *)comm,
              cnclGetErrorStr(result));
    return MLUOP_STATUS_BAD_PARAM;
  }
  if (handle->device != wanted) {
    LOG_ERROR("%s handle: wanted one of device %d, the device of comm, got one of device %llu.",
              api, device, (unsigned long long)handle->device);
    return MLUOP_STATUS_BAD_PARAM;
  }
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_mesh(const char *api, const A2aMesh *mesh, A2aGeometry *geometry) {
  int mesh_rows = mesh->rows, mesh_cols = mesh->cols, cluster_axis = mesh->cluster_axis;
  CHECK_VALUE(api, mesh_rows, mesh_rows > 0, "1 or more");
  CHECK_VALUE(api, mesh_cols, mesh_cols > 0, "1 or more");
  CHECK_VALUE(api, cluster_axis, cluster_axis == 0 || cluster_axis == 1, "0 or 1");
  if (mesh->shard_dim != 1 && mesh->shard_dim != 2) {
    return mluop_fail_value(api, mesh->shard_dim_name, mluopValueOf(mesh->shard_dim), "1 or 2");
  }
  int ranks = 0, rank = 0;
  cnclResult_t result = cnclGetCommCount(&ranks, mesh->comm);
  if (result == CNCL_RET_SUCCESS) result = cnclGetCommRank(&rank, mesh->comm);
  if (result != CNCL_RET_SUCCESS) {
    LOG_ERROR("%s comm: wanted a communicator, got %p: %s.", api, (void *)mesh->comm,
              cnclGetErrorStr(result));
    return MLUOP_STATUS_BAD_PARAM;
  }
  if ((int64_t)mesh_rows * mesh_cols != ranks) {
    LOG_ERROR("%s mesh_rows * mesh_cols: wanted %d, the ranks of comm, got %d * %d.", api, ranks,
              mesh_rows, mesh_cols);
    return MLUOP_STATUS_BAD_PARAM;
  }
  geometry->rank = rank;
  geometry->ranks = ranks;
  geometry->mesh_cols = mesh_cols;
  geometry->cluster_axis = cluster_axis;
  geometry->group_size = cluster_axis == 0 ? mesh_rows : mesh_cols;
  geometry->position = cluster_axis == 0 ? rank / mesh_cols : rank % mesh_cols;
  geometry->shard_dim = mesh->shard_dim;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t a2a_check_arguments(const char *api, mluOpHandle_t handle, const A2aInputs *inputs,
                                  const A2aMesh *mesh, A2aGeometry *geometry) {
  cnclComm_t comm = mesh->comm;
  mluOpTensorDescriptor_t input_desc = inputs->input_desc, ids_desc = inputs->ids_desc;
  mluOpTensorDescriptor_t expert_mapping_desc = inputs->expert_mapping_desc;
  CHECK_HANDLE(api, handle);
  CHECK_ARCH(api, handle, MLUOP_MLU370);
  CHECK_NOT_NULL(api, comm);
  CHECK_DESC(api, input_desc);
  MLUOP_RETURN_IF_FAILED(mluop_check_not_null(api, inputs->ids_name, ids_desc));
  CHECK_DESC(api, expert_mapping_desc);
  CHECK_RANK(api, input_desc, 4);
  MLUOP_RETURN_IF_FAILED(mluop_check_rank(api, inputs->ids_name, ids_desc, 4, 4));
  CHECK_RANK(api, expert_mapping_desc, 4);
  CHECK_DTYPE(api, input_desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16);
  CHECK_BFLOAT16(api, handle, input_desc);
  static const mluOpDataType_t id_dtypes[] = {MLUOP_DTYPE_UINT16, MLUOP_DTYPE_INT32};
  MLUOP_RETURN_IF_FAILED(mluop_check_dtype(api, inputs->ids_name, ids_desc, 2, id_dtypes));
  CHECK_DTYPE(api, expert_mapping_desc, MLUOP_DTYPE_UINT16, MLUOP_DTYPE_INT32);
  MLUOP_RETURN_IF_FAILED(check_mesh(api, mesh, geometry));
  return check_device(api, handle, comm);
}

static mluOpStatus_t check_queue_device(const char *api, mluOpHandle_t handle, cnclComm_t comm) {
  int wanted = 0, got = 0;
  if (cnrtxQueueDevice == NULL) return MLUOP_STATUS_SUCCESS;
  if (cnclGetCommDevice(&wanted, comm) != CNCL_RET_SUCCESS ||
      cnrtxQueueDevice(handle->queue, &got) != cnrtSuccess) {
    LOG_ERROR("%s queue of handle: wanted a queue, got %p.", api, (void *)handle->queue);
    return MLUOP_STATUS_BAD_PARAM;
  }
  if (got != wanted) {
    LOG_ERROR(
        "%s queue of handle: wanted one of device %d, the device of comm, got one of device "
        "%d.",
        api, wanted, got);
    return MLUOP_STATUS_BAD_PARAM;
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t a2a_check_state(const char *api, mluOpHandle_t handle, cnclComm_t comm) {
  const cnclResult_t earlier = cnclGetCommAsyncError(comm);
  if (earlier != CNCL_RET_SUCCESS) {
    LOG_ERROR("%s comm: wanted one that works, got one that failed before: %s.", api,
              cnclGetErrorStr(earlier));
    return MLUOP_STATUS_EXECUTION_FAILED;
  }
  int depth = 0;
  if (cnclxGetGroupDepth != NULL && cnclxGetGroupDepth(&depth) == CNCL_RET_SUCCESS && depth > 0) {
    LOG_ERROR(
        "%s comm: wanted a call outside of cnclGroupStart and cnclGroupEnd, got one between "
        "them.",
        api);
    return MLUOP_STATUS_NOT_SUPPORTED;
  }
  MLUOP_RETURN_IF_FAILED(check_queue_device(api, handle, comm));
  if (cnrtxRefuseCapture != NULL && cnrtxRefuseCapture(handle->queue) != cnrtSuccess) {
    LOG_ERROR(
        "%s queue of handle: wanted one that is not captured, got one that is; the capture "
        "is invalid now.",
        api);
    return MLUOP_STATUS_NOT_SUPPORTED;
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t a2a_check_links(const char *api, int num_links, mluOpCommTopology_t topology) {
  CHECK_VALUE(api, num_links, num_links >= 0, "1 or more, or MLUOP_COMM_LINKS_AUTO");
  CHECK_VALUE(api, topology,
              topology == MLUOP_COMM_TOPOLOGY_LINEAR || topology == MLUOP_COMM_TOPOLOGY_RING ||
                  topology == MLUOP_COMM_TOPOLOGY_AUTO,
              "a value of mluOpCommTopology_t");
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_at_most(const char *api, const char *what, int64_t got, int64_t most) {
  if (got <= most) return MLUOP_STATUS_SUCCESS;
  LOG_ERROR("%s %s: wanted at most %lld, got %lld.", api, what, (long long)most, (long long)got);
  return MLUOP_STATUS_NOT_SUPPORTED;
}

mluOpStatus_t a2a_check_mapping(const char *api, mluOpTensorDescriptor_t expert_mapping_desc,
                                A2aGeometry *geometry) {
  const int64_t ranks = geometry->ranks, num_experts = expert_mapping_desc->dims[2];
  CHECK_DIM(api, expert_mapping_desc, 0, 1);
  CHECK_DIM(api, expert_mapping_desc, 1, 1);
  CHECK_DIM(api, expert_mapping_desc, 3, ranks);
  if (num_experts % ranks != 0) {
    LOG_ERROR("%s expert_mapping_desc: wanted dims[2] a multiple of %lld (ranks), got %lld.", api,
              (long long)ranks, (long long)num_experts);
    return MLUOP_STATUS_BAD_PARAM;
  }
  MLUOP_RETURN_IF_FAILED(
      check_at_most(api, "dims[2] of expert_mapping_desc", num_experts, INT_MAX));
  geometry->num_experts = (int)num_experts;
  geometry->experts_per_rank = (int)(num_experts / ranks);
  geometry->map_bytes = expert_mapping_desc->dtype == MLUOP_DTYPE_UINT16 ? 2 : 4;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t a2a_check_extents(const char *api, int64_t batch, int64_t sequence, int64_t hidden) {
  MLUOP_RETURN_IF_FAILED(check_at_most(api, "batch", batch, INT32_MAX));
  MLUOP_RETURN_IF_FAILED(check_at_most(api, "sequence", sequence, INT32_MAX));
  return check_at_most(api, "hidden", hidden, INT64_MAX / (int64_t)sizeof(int64_t));
}

mluOpStatus_t a2a_check_shards(const char *api, const char *tensor, A2aGeometry *geometry) {
  const bool by_batch = geometry->shard_dim == 1;
  const int64_t whole = by_batch ? geometry->batch : geometry->sequence;
  if (whole % geometry->group_size != 0) {
    LOG_ERROR("%s %s: wanted dims[%d] a multiple of %d (ranks along cluster_axis), got %lld.", api,
              tensor, geometry->shard_dim, geometry->group_size, (long long)whole);
    return MLUOP_STATUS_BAD_PARAM;
  }
  geometry->local_batch = by_batch ? whole / geometry->group_size : geometry->batch;
  geometry->local_sequence = by_batch ? geometry->sequence : whole / geometry->group_size;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t a2a_check_limits(const char *api, const A2aGeometry *geometry) {
  int64_t slots = 0;
  if (__builtin_mul_overflow(geometry->batch, geometry->sequence, &slots) ||
      __builtin_mul_overflow(slots, geometry->top_k, &slots)) {
    slots = INT64_MAX;
  }
  MLUOP_RETURN_IF_FAILED(check_at_most(api, "ranks of comm", geometry->ranks, A2A_MAX_RANKS));
  MLUOP_RETURN_IF_FAILED(check_at_most(api, "ids of a token", geometry->top_k, A2A_MAX_SLOTS));
  MLUOP_RETURN_IF_FAILED(check_at_most(api, "experts times ranks along cluster_axis",
                                       (int64_t)geometry->num_experts * geometry->group_size,
                                       A2A_MAX_TABLE - 1));
  MLUOP_RETURN_IF_FAILED(check_at_most(api, "tokens times ids of a token", slots, INT32_MAX));
  /* An id has one row at most among what is sent, and one among what is received: the bytes of both
   * together can be counted. */
  return check_at_most(api, "bytes of a row", geometry->row_bytes,
                       INT64_MAX / 4 / (slots > 0 ? slots : 1));
}
