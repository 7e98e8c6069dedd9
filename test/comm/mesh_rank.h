/* SPDX-License-Identifier: MIT
 *
 * A case of a mesh on one rank: its memory, its calls, its results. */
#ifndef TEST_COMM_MESH_RANK_H_
#define TEST_COMM_MESH_RANK_H_

#include "mesh_case.h"
#include "rank_threads.h"

/* Device memory, descriptors and workspace of one rank for both operators. */
typedef struct MeshRank {
  const MeshCase *mesh;
  void *input, *metadata, *mapping, *output;         /* of the combine */
  void *tokens, *indices, *sparse, *sparse_metadata; /* of the dispatch */
  mluOpTensorDescriptor_t input_desc, metadata_desc, mapping_desc, output_desc;
  mluOpTensorDescriptor_t tokens_desc, indices_desc, sparse_desc, sparse_metadata_desc;
  void *workspace;
  size_t workspace_size, dispatch_workspace_size, allocated;
} MeshRank;

/* Called on the rank's thread; 0 when everything worked. Buffers that are written are poisoned. */
int mesh_rank_open(const RankContext *rank, const MeshCase *mesh, MeshRank *memory);
void mesh_rank_close(MeshRank *memory);
/* Other data of the same shape into the same memory. */
int mesh_rank_load(const RankContext *rank, MeshRank *memory, const MeshCase *mesh);
/* Poisons what the operators write. */
int mesh_rank_poison(MeshRank *memory);

mluOpStatus_t mesh_rank_combine(const RankContext *rank, const MeshRank *memory);
mluOpStatus_t mesh_rank_dispatch(const RankContext *rank, const MeshRank *memory);

/* Whether the rank's outputs hold the expected bits; says on stderr what differs. */
bool mesh_rank_has_combined(const RankContext *rank, const MeshRank *memory);
bool mesh_rank_has_dispatched(const RankContext *rank, const MeshRank *memory);
/* A body for threads of ranks: opens memory for the case `mesh`, runs both operators, looks at the
 * results. 0 when all is right. */
int mesh_rank_works(const RankContext *rank, void *mesh);
/* Whether they still hold the poison. */
bool mesh_rank_is_untouched(const MeshRank *memory);

#endif /* TEST_COMM_MESH_RANK_H_ */
