/* SPDX-License-Identifier: MIT
 *
 * Host side of the operators that exchange rows between ranks: checks, workspace, and the steps of
 * a call. `api` is the public function's name in brackets. */
#ifndef KERNELS_ALL_TO_ALL_EXCHANGE_HOST_H_
#define KERNELS_ALL_TO_ALL_EXCHANGE_HOST_H_

#include <stddef.h>

#include "kernels/all_to_all/exchange.h"
#include "mlu_op_comm.h"

typedef struct mluopTensors mluopTensors; /* core/tensor_rules.h */

/* Rows and sizes of the tables of tensors: alike in both operators, which call the ids
 * expert_indices or expert_metadata. */
enum { A2A_INPUT, A2A_IDS, A2A_MAPPING, A2A_OUTPUT, A2A_OUTPUT_IDS };
enum {
  A2A_RANKS,
  A2A_BATCH, /* and the sequence: of the inputs */
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

/* What a caller wants besides the tensors: the operator, and ranks in a mesh. */
typedef struct A2aRequest {
  A2aKind kind;
  cnclComm_t comm;
  int mesh_rows, mesh_cols, cluster_axis, shard_dim;
  const char *shard_dim_name;
  /* Shapes of the operator's inputs: rows and ids. Fills what the geometry says about tokens. */
  mluOpStatus_t (*check_shapes)(mluopTensors *tensors, A2aGeometry *geometry);
} A2aRequest;
/* Of a public function with these scalars. */
#define A2A_REQUEST(kind, shard_dim, check_shapes) \
  { (kind), comm, mesh_rows, mesh_cols, cluster_axis, (shard_dim), #shard_dim, (check_shapes) }

/* The two public functions of an operator. */
mluOpStatus_t a2a_get_workspace_size(mluopTensors *tensors, const A2aRequest *request,
                                     size_t *workspace_size);
mluOpStatus_t a2a_run_operator(mluopTensors *tensors, const A2aRequest *request, int num_links,
                               mluOpCommTopology_t topology, void *workspace,
                               size_t workspace_size);

/* What CNCL would refuse when kernels are in the queue already: a communicator that failed, an open
 * group, the queue of another device, a queue that is captured. */
mluOpStatus_t a2a_check_state(const char *api, mluOpHandle_t handle, cnclComm_t comm);

/* Sizes whose products with few others fit 64 bits. Those of a tensor with elements do in any case,
 * those of one without may be anything. */
mluOpStatus_t a2a_check_extents(const mluopTensors *tensors);

/* Splits batch and sequence, which are set, over the group. */
mluOpStatus_t a2a_check_shards(const mluopTensors *tensors, A2aGeometry *geometry);

/* One call whose arguments were checked. */
typedef struct A2aCall {
  const char *api;
  mluOpHandle_t handle;
  cnclComm_t comm;
  cnrtDim3_t fill_dim; /* tasks of KernelA2aFill */
  A2aArgs args;
} A2aCall;

/* Bytes of workspace a call needs. */
mluOpStatus_t a2a_workspace_bytes(const char *api, mluOpHandle_t handle, cnclComm_t comm,
                                  const A2aGeometry *geometry, size_t *bytes);

/* Completes the call, which has what the caller passed, and puts it into the queue. */
mluOpStatus_t a2a_exchange(A2aCall *call, void *workspace);

#endif /* KERNELS_ALL_TO_ALL_EXCHANGE_HOST_H_ */
