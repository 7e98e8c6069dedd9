/* SPDX-License-Identifier: MIT
 *
 * Host side of the operators that exchange rows between ranks. `api` is the public function's name
 * in brackets. */
#ifndef KERNELS_ALL_TO_ALL_EXCHANGE_HOST_H_
#define KERNELS_ALL_TO_ALL_EXCHANGE_HOST_H_

#include <stddef.h>

#include "kernels/all_to_all/exchange.h"
#include "mlu_op_comm.h"

typedef struct mluopTensors mluopTensors; /* core/tensor_rules.h */

/* Rows and sizes of the tensor tables, the same in both operators. The ids are expert_indices or
 * expert_metadata. */
enum { A2A_INPUT, A2A_IDS, A2A_MAPPING, A2A_OUTPUT, A2A_OUTPUT_IDS };
enum {
  A2A_RANKS,
  A2A_BATCH, /* this and the sequence: of the inputs */
  A2A_SEQUENCE,
  A2A_OUTPUT_BATCH,
  A2A_OUTPUT_SEQUENCE,
  A2A_HIDDEN,
  A2A_TOP_K,
  A2A_LOCAL_EXPERTS,
  A2A_SIZES
};
#define A2A_ID_TYPES MLUOP_TYPES(MLUOP_DTYPE_UINT16, MLUOP_DTYPE_INT32)
#define A2A_MAPPING_RULE A2A_ID_TYPES, MLUOP_DIMS(MLUOP_ONE, MLUOP_ONE, MLUOP_ANY, A2A_RANKS)

/* The arguments besides the tensors: the operator, and the ranks in a mesh. */
typedef struct A2aRequest {
  A2aKind kind;
  cnclComm_t comm;
  int mesh_rows, mesh_cols, cluster_axis, shard_dim;
  const char *shard_dim_name;
} A2aRequest;
/* Request of a public function with these parameters. */
#define A2A_REQUEST(kind, shard_dim) \
  { (kind), comm, mesh_rows, mesh_cols, cluster_axis, (shard_dim), #shard_dim }

/* Bodies of the two public functions of an operator. */
mluOpStatus_t a2a_get_workspace_size(mluopTensors *tensors, const A2aRequest *request,
                                     size_t *workspace_size);
mluOpStatus_t a2a_run_operator(mluopTensors *tensors, const A2aRequest *request, int num_links,
                               mluOpCommTopology_t topology, void *workspace,
                               size_t workspace_size);

/* Refuses what CNCL would only refuse after kernels are queued: a failed communicator, an open
 * group, the queue of another device, a captured queue. */
mluOpStatus_t a2a_check_state(const char *api, mluOpHandle_t handle, cnclComm_t comm);

/* A call with checked arguments. */
typedef struct A2aCall {
  const char *api;
  mluOpHandle_t handle;
  cnclComm_t comm;
  cnrtDim3_t fill_dim; /* tasks of KernelA2aFill */
  A2aArgs args;
  int8_t *records; /* of all ranks, on the host, once they are fetched */
} A2aCall;

mluOpStatus_t a2a_workspace_bytes(const char *api, mluOpHandle_t handle, cnclComm_t comm,
                                  const A2aGeometry *geometry, size_t *bytes);

/* Completes the call and queues it. The caller frees the records, also after a failure. */
mluOpStatus_t a2a_exchange(A2aCall *call, void *workspace);

/* ---- the ways of exchanging rows, and the steps they share ---- */

/* SUCCESS, or EXECUTION_FAILED and a line with `what` and the error. */
mluOpStatus_t a2a_cncl_status(const char *api, const char *what, cnclResult_t result);
mluOpStatus_t a2a_cnrt_status(const char *api, const char *what, cnrtRet_t result);

/* Tasks for so many bytes and tokens. */
cnrtDim3_t a2a_task_dim(mluOpHandle_t handle, int64_t bytes, int64_t tokens);

/* Queues the announcement of this rank's record, and the gathering of all records. */
mluOpStatus_t a2a_announce(const A2aCall *call);
mluOpStatus_t a2a_gather_records(const A2aCall *call);

/* Gathers the records, waits for the queue, copies them to the host and compares them. Every rank
 * compares all records, so all return the same status. */
mluOpStatus_t a2a_fetch_records(A2aCall *call);

/* Ranks in processes that can map each other's memory: rows are read from there. Sets *is_done to
 * false, on all ranks, if some rank's data cannot be mapped; then nothing has happened. */
mluOpStatus_t a2a_exchange_mapped(A2aCall *call, bool *is_done);

/* Ranks anywhere: rows travel in messages. */
mluOpStatus_t a2a_exchange_messages(A2aCall *call);

#endif /* KERNELS_ALL_TO_ALL_EXCHANGE_HOST_H_ */
