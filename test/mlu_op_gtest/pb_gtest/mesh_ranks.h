/* SPDX-License-Identifier: MIT
 *
 * For executors of operators on several devices. A case contains the tensors of all ranks: a tensor
 * with five or more dimensions is a stack whose first dimension is the rank; others are the same
 * for all ranks. Each rank is a thread with a virtual device. */
#ifndef MLUOP_TEST_MESH_RANKS_H_
#define MLUOP_TEST_MESH_RANKS_H_

#include "executor.h"
#include "rank_threads.h"

typedef struct mluopMeshTensor {
  mluOpTensorDescriptor_t desc; /* of one rank, NULL if the tensor is absent */
  size_t rank_bytes;            /* distance from one rank to the next, 0: the same for all */
} mluopMeshTensor;

typedef struct mluopMeshRanks {
  RankThreads *threads;
  int ranks;
  mluopMeshTensor *inputs, *outputs;
  size_t workspace_size; /* of one rank */
} mluopMeshRanks;

/* For prepare(): creates ctx->prepared with the ranks and the descriptors of their parts. */
int mluop_mesh_prepare(mluopTestContext *ctx, int64_t ranks);
void mluop_mesh_release(mluopTestContext *ctx);

/* The arguments of one rank. */
static inline mluopMeshRanks *mluop_mesh(const mluopTestContext *ctx) {
  return ctx->prepared;
}
void *mluop_mesh_input(const mluopTestContext *ctx, size_t index, int rank);
void *mluop_mesh_output(const mluopTestContext *ctx, size_t index, int rank);
void *mluop_mesh_workspace(const mluopTestContext *ctx, int rank);

/* Queries the workspace of one rank; *size becomes the sum for all ranks. */
mluOpStatus_t mluop_mesh_workspace_size(mluopTestContext *ctx, size_t *size,
                                        mluOpStatus_t (*ask)(const mluopTestContext *ctx,
                                                             const RankContext *rank,
                                                             size_t *rank_size));

/* Calls the operator on every rank and waits for all queues. All must return the same status. */
mluOpStatus_t mluop_mesh_compute(mluopTestContext *ctx,
                                 mluOpStatus_t (*call)(const mluopTestContext *ctx,
                                                       const RankContext *rank));

#endif /* MLUOP_TEST_MESH_RANKS_H_ */
