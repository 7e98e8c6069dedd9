/* SPDX-License-Identifier: MIT
 *
 * A case of all_to_all_combine and all_to_all_dispatch on a mesh: the data of all ranks on the
 * host, generated from a seed, so that every process of a job has the same. */
#ifndef TEST_COMM_MESH_CASE_H_
#define TEST_COMM_MESH_CASE_H_

#include <stdbool.h>
#include <stddef.h>

#include "all_to_all_combine_ref.h"
#include "all_to_all_dispatch_ref.h"
#include "mlu_op.h"

typedef enum MeshMapping { MAPPING_SEQUENTIAL, MAPPING_RANDOM } MeshMapping;

typedef enum MeshIds {
  IDS_DISTINCT,     /* different experts for a token */
  IDS_ANY,          /* duplicates are likely */
  IDS_OUT_OF_RANGE, /* every other id is invalid */
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

/* A small mesh of four ranks, for tests that are not about the data. */
extern const MeshShape mesh_small_shape;

typedef struct MeshCase {
  MeshShape shape;
  AllToAllCombineCall combine;   /* its output is the expected one */
  AllToAllDispatchCall dispatch; /* the same for the dispatch, with the same ids */
} MeshCase;

/* Exits if there is no memory. */
MeshCase *mesh_case_create(const MeshShape *shape, unsigned seed);
void mesh_case_free(MeshCase *mesh);
void mesh_case_describe(const MeshCase *mesh, char *text, size_t size);

#endif /* TEST_COMM_MESH_CASE_H_ */
