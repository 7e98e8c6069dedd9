/* SPDX-License-Identifier: MIT
 *
 * A mesh case on one rank: its memory, calls and results. */
#ifndef TEST_COMM_MESH_RANK_H_
#define TEST_COMM_MESH_RANK_H_

#include "mesh_case.h"
#include "rank_threads.h"

/* Device memory, descriptors and workspace of one rank for both operators. */
typedef struct MeshRank {
  const MeshCase *mesh;
  void *input, *metadata, *mapping, *output;         /* of combine */
  void *tokens, *indices, *sparse, *sparse_metadata; /* of dispatch */
  mluOpTensorDescriptor_t input_desc, metadata_desc, mapping_desc, output_desc;
  mluOpTensorDescriptor_t tokens_desc, indices_desc, sparse_desc, sparse_metadata_desc;
  void *workspace;
  size_t workspace_size, dispatch_workspace_size, allocated;
} MeshRank;

/* Called on the rank's thread; returns 0 on success. Output buffers are poisoned. */
int mesh_rank_open(const RankContext *rank, const MeshCase *mesh, MeshRank *memory);
void mesh_rank_close(MeshRank *memory);
/* Loads other data of the same shape into the same memory. */
int mesh_rank_load(const RankContext *rank, MeshRank *memory, const MeshCase *mesh);
/* Poisons the outputs. */
int mesh_rank_poison(MeshRank *memory);

mluOpStatus_t mesh_rank_combine(const RankContext *rank, const MeshRank *memory);
mluOpStatus_t mesh_rank_dispatch(const RankContext *rank, const MeshRank *memory);

/* True if the rank's outputs have the expected bits; otherwise prints the difference to stderr. */
bool mesh_rank_has_combined(const RankContext *rank, const MeshRank *memory);
bool mesh_rank_has_dispatched(const RankContext *rank, const MeshRank *memory);
/* A body for rank threads: opens memory for the case `mesh`, runs both operators and checks the
 * results. Returns 0 if all are correct. */
int mesh_rank_works(const RankContext *rank, void *mesh);
/* True if the outputs still hold the poison. */
bool mesh_rank_is_untouched(const MeshRank *memory);

#endif /* TEST_COMM_MESH_RANK_H_ */
