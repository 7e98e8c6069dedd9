/* SPDX-License-Identifier: MIT
 *
 * Random meshes of ranks for draw_case() of operators on several devices. */
#ifndef MLUOP_TEST_MESH_DRAW_H_
#define MLUOP_TEST_MESH_DRAW_H_

#include "tools/case_draw.h"

typedef struct mluopMeshDraw {
  int64_t rows, cols, ranks, axis, shard_dim;
  int64_t group; /* ranks along the axis */
  int64_t batch, sequence, local_batch, local_sequence;
  int64_t top_k, experts, hidden;
  int64_t num_links, topology;
  const char *dtype, *id_dtype, *map_dtype;
} mluopMeshDraw;

void mluop_mesh_draw(mluopCaseDraw *draw, mluopMeshDraw *mesh);

/* Expert ids, sometimes with invalid ones. */
void mluop_mesh_draw_ids(mluopCaseDraw *draw, const mluopMeshDraw *mesh, mluopDrawTensor *ids);

/* Writes the mapping as an input: the same number of experts on every rank, at random. */
void mluop_mesh_draw_mapping(mluopCaseDraw *draw, const mluopMeshDraw *mesh);

/* Makes one of the scalars invalid; all of these are BAD_PARAM. */
void mluop_mesh_spoil(mluopCaseDraw *draw, mluopMeshDraw *mesh);

#endif /* MLUOP_TEST_MESH_DRAW_H_ */
