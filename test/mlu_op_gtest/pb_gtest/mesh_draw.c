/* SPDX-License-Identifier: MIT */
#include "mesh_draw.h"

#include <string.h>

enum { MAX_EXPERTS = 64 };

void mluop_mesh_draw(mluopCaseDraw *draw, mluopMeshDraw *mesh) {
  static const int meshes[][2] = {{1, 1}, {1, 2}, {1, 4}, {2, 2}, {2, 4},
                                  {4, 2}, {8, 1}, {1, 8}, {3, 1}};
  static const char *const dtypes[] = {"DTYPE_FLOAT", "DTYPE_HALF", "DTYPE_BFLOAT16"};
  static const char *const integers[] = {"DTYPE_UINT16", "DTYPE_INT32"};
  const int *size = meshes[mluop_draw_between(draw, 0, 8)];
  *mesh = (mluopMeshDraw){.rows = size[0],
                          .cols = size[1],
                          .ranks = size[0] * size[1],
                          .axis = mluop_draw_between(draw, 0, 1),
                          .shard_dim = mluop_draw_between(draw, 1, 2),
                          .local_batch = mluop_draw_between(draw, 1, 5),
                          .local_sequence = mluop_draw_between(draw, 1, 5),
                          .top_k = mluop_draw_size(draw, 1, 12),
                          .hidden = mluop_draw_size(draw, 1, 3000),
                          .num_links = mluop_draw_between(draw, 0, 4),
                          .topology = mluop_draw_between(draw, 0, 2),
                          .dtype = dtypes[mluop_draw_between(draw, 0, 2)],
                          .id_dtype = integers[mluop_draw_between(draw, 0, 1)],
                          .map_dtype = integers[mluop_draw_between(draw, 0, 1)]};
  mesh->group = mesh->axis == 0 ? mesh->rows : mesh->cols;
  mesh->batch = mesh->local_batch * (mesh->shard_dim == 1 ? mesh->group : 1);
  mesh->sequence = mesh->local_sequence * (mesh->shard_dim == 2 ? mesh->group : 1);
  mesh->experts = mesh->ranks * mluop_draw_between(draw, 1, MAX_EXPERTS / 8);
}

void mluop_mesh_draw_ids(mluopCaseDraw *draw, const mluopMeshDraw *mesh, mluopDrawTensor *ids) {
  const bool is_signed = strcmp(mesh->id_dtype, "DTYPE_INT32") == 0;
  const bool is_wild = mluop_draw_chance(draw, 30);
  mluop_draw_integers(draw, ids, is_wild && is_signed ? -3 : 0,
                      is_wild ? mesh->experts + 3 : mesh->experts - 1);
}

void mluop_mesh_draw_mapping(mluopCaseDraw *draw, const mluopMeshDraw *mesh) {
  int64_t rank_of[MAX_EXPERTS];
  for (int64_t e = 0; e < mesh->experts; ++e) rank_of[e] = e % mesh->ranks;
  for (int64_t e = mesh->experts - 1; e > 0; --e) {
    const int64_t other = mluop_draw_between(draw, 0, e), kept = rank_of[e];
    rank_of[e] = rank_of[other];
    rank_of[other] = kept;
  }
  mluop_text_add(&draw->text,
                 "input {\n  id: \"expert_mapping\"\n  shape { dims: 1 dims: 1 dims: %lld dims: "
                 "%lld }\n  layout: LAYOUT_ARRAY\n  dtype: %s\n ",
                 (long long)mesh->experts, (long long)mesh->ranks, mesh->map_dtype);
  for (int64_t i = 0; i < mesh->experts * mesh->ranks; ++i) {
    mluop_text_add(&draw->text, " value_i: %d", rank_of[i / mesh->ranks] == i % mesh->ranks);
  }
  mluop_text_add(&draw->text, "\n}\n");
}

void mluop_mesh_spoil(mluopCaseDraw *draw, mluopMeshDraw *mesh) {
  switch (mluop_draw_between(draw, 0, 5)) {
    case 0:
      mesh->rows = -mesh->rows;
      break;
    case 1:
      ++mesh->cols;
      break;
    case 2:
      mesh->axis = mluop_draw_chance(draw, 50) ? 2 : -1;
      break;
    case 3:
      mesh->shard_dim = mluop_draw_chance(draw, 50) ? 0 : 3;
      break;
    case 4:
      mesh->num_links = -mluop_draw_between(draw, 1, 3);
      break;
    default:
      mesh->topology = 3;
      break;
  }
}
