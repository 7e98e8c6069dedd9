/* SPDX-License-Identifier: MIT
 *
 * Host side of the operators that exchange rows between ranks: checks, workspace, and the steps of
 * a call. `api` is the public function's name in brackets. */
#ifndef KERNELS_ALL_TO_ALL_EXCHANGE_HOST_H_
#define KERNELS_ALL_TO_ALL_EXCHANGE_HOST_H_

#include <stddef.h>

#include "kernels/all_to_all/exchange.h"
#include "mlu_op_comm.h"

/* Ranks in a mesh, as the caller gives them. */
typedef struct A2aMesh {
  cnclComm_t comm;
  int rows, cols, cluster_axis, shard_dim;
  const char *shard_dim_name;
} A2aMesh;

/* What goes in: rows, ids by the name the caller knows, and the mapping. */
typedef struct A2aInputs {
  mluOpTensorDescriptor_t input_desc, ids_desc, expert_mapping_desc;
  const char *ids_name;
} A2aInputs;

/* Handle to scalars, which is asked before anything is compared with anything: descriptors, ranks,
 * data types, and the mesh against the communicator. Fills what the geometry says about ranks. */
mluOpStatus_t a2a_check_arguments(const char *api, mluOpHandle_t handle, const A2aInputs *inputs,
                                  const A2aMesh *mesh, A2aGeometry *geometry);

/* What CNCL would refuse when kernels are in the queue already: a communicator that failed, an open
 * group, the queue of another device, a queue that is captured. */
mluOpStatus_t a2a_check_state(const char *api, mluOpHandle_t handle, cnclComm_t comm);

mluOpStatus_t a2a_check_links(const char *api, int num_links, mluOpCommTopology_t topology);

/* The mapping is [1, 1, experts, ranks], and every rank has as many experts. */
mluOpStatus_t a2a_check_mapping(const char *api, mluOpTensorDescriptor_t expert_mapping_desc,
                                A2aGeometry *geometry);

/* Sizes whose products with few others fit 64 bits. Those of a tensor with elements do in any case,
 * those of one without may be anything. */
mluOpStatus_t a2a_check_extents(const char *api, int64_t batch, int64_t sequence, int64_t hidden);

/* Splits batch and sequence, which are set, over the group. */
mluOpStatus_t a2a_check_shards(const char *api, const char *tensor, A2aGeometry *geometry);

/* Sizes the kernels can work with, else NOT_SUPPORTED. */
mluOpStatus_t a2a_check_limits(const char *api, const A2aGeometry *geometry);

/* One call whose arguments were checked. */
typedef struct A2aCall {
  const char *api;
  mluOpHandle_t handle;
  cnclComm_t comm;
  A2aGeometry geometry;
  mluOpDataType_t dtype, id_dtype, map_dtype;
  int mesh_rows;
  int64_t hidden;
  const void *input, *ids, *mapping;
  void *workspace;
  void *output, *output_ids;
} A2aCall;

/* Bytes of workspace a call needs. */
mluOpStatus_t a2a_workspace_bytes(const char *api, mluOpHandle_t handle, cnclComm_t comm,
                                  const A2aGeometry *geometry, size_t *bytes);

/* Puts the call into the queue. */
mluOpStatus_t a2a_exchange(const A2aCall *call);

#endif /* KERNELS_ALL_TO_ALL_EXCHANGE_HOST_H_ */
