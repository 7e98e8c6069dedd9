/* SPDX-License-Identifier: MIT
 *
 * For executors of operators on several devices. A case holds the tensors of all ranks: one with
 * five dimensions or more is a stack, whose first dimension is the ranks; others are the same for
 * all ranks. The ranks are threads with a virtual device each. */
#ifndef MLUOP_TEST_MESH_RANKS_H_
#define MLUOP_TEST_MESH_RANKS_H_

#include "executor.h"
#include "rank_threads.h"

typedef struct mluopMeshTensor {
  mluOpTensorDescriptor_t desc; /* of one rank, NULL when the tensor is absent */
  size_t rank_bytes;            /* from one rank to the next, 0: the same for all */
} mluopMeshTensor;

typedef struct mluopMeshRanks {
  RankThreads *threads;
  int ranks;
  mluopMeshTensor *inputs, *outputs;
  size_t workspace_size; /* of one rank */
} mluopMeshRanks;

/* Makes ctx->prepared: the ranks and the descriptors of their parts. For prepare(). */
int mluop_mesh_prepare(mluopTestContext *ctx, int64_t ranks);
void mluop_mesh_release(mluopTestContext *ctx);

/* The arguments of one rank. */
static inline mluopMeshRanks *mluop_mesh(const mluopTestContext *ctx) {
  return ctx->prepared;
}
void *mluop_mesh_input(const mluopTestContext *ctx, size_t index, int rank);
void *mluop_mesh_output(const mluopTestContext *ctx, size_t index, int rank);
void *mluop_mesh_workspace(const mluopTestContext *ctx, int rank);

/* Asks for the workspace of one rank; *size is what all need together. */
mluOpStatus_t mluop_mesh_workspace_size(mluopTestContext *ctx, size_t *size,
                                        mluOpStatus_t (*ask)(const mluopTestContext *ctx,
                                                             const RankContext *rank,
                                                             size_t *rank_size));

/* Calls the operator on every rank and waits for all queues. All must return the same. */
mluOpStatus_t mluop_mesh_compute(mluopTestContext *ctx,
                                 mluOpStatus_t (*call)(const mluopTestContext *ctx,
                                                       const RankContext *rank));

#endif /* MLUOP_TEST_MESH_RANKS_H_ */
