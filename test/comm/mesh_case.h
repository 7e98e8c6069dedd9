/* SPDX-License-Identifier: MIT
 *
 * A case of all_to_all_combine and all_to_all_dispatch on a mesh of ranks: data of all ranks on the
 * host, made from a seed, so that every process of a job makes the same; and its run on threads of
 * ranks. */
#ifndef TEST_COMM_MESH_CASE_H_
#define TEST_COMM_MESH_CASE_H_

#include <stdbool.h>

#include "all_to_all_combine_ref.h"
#include "all_to_all_dispatch_ref.h"
#include "rank_threads.h"

typedef enum MeshMapping { MAPPING_SEQUENTIAL, MAPPING_RANDOM } MeshMapping;

typedef enum MeshIds {
  IDS_DISTINCT,     /* different experts for a token */
  IDS_ANY,          /* duplicates are likely */
  IDS_OUT_OF_RANGE, /* every other one is no expert */
  IDS_ONE_EXPERT,   /* all slots name the last expert */
} MeshIds;

typedef struct MeshShape {
  int rows, cols, axis, shard_dim;
  bool local_reduce;
  int64_t batch, sequence, top_k, experts, hidden;
  mluOpDataType_t dtype, id_dtype, map_dtype;
  MeshMapping mapping;
  MeshIds ids;
} MeshShape;

/* A small mesh of four ranks, for tests of what happens around the data. */
extern const MeshShape mesh_small_shape;

typedef struct MeshCase {
  MeshShape shape;
  AllToAllCombineCall combine;   /* output: what is expected */
  AllToAllDispatchCall dispatch; /* the same for the way to the experts; the same ids */
} MeshCase;

/* Ends the program when there is no memory. */
MeshCase *mesh_case_create(const MeshShape *shape, unsigned seed);
void mesh_case_free(MeshCase *mesh);
void mesh_case_describe(const MeshCase *mesh, char *text, size_t size);

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

#endif /* TEST_COMM_MESH_CASE_H_ */
