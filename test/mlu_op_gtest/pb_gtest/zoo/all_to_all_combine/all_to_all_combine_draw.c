/* SPDX-License-Identifier: MIT */
#include "all_to_all_combine_draw.h"

#include "mesh_draw.h"

enum { INPUT, METADATA, OUTPUT, N_TENSORS };

/* Makes one tensor invalid; returns the status that the operator must return. */
static const char *spoil_tensor(mluopCaseDraw *draw, mluopDrawTensor *tensors) {
  mluopDrawTensor *any = &tensors[mluop_draw_between(draw, 0, N_TENSORS - 1)];
  switch (mluop_draw_between(draw, 0, 3)) {
    case 0:
      any->id = "NULL";
      break;
    case 1:
      any->dims[any->rank++] = 1;
      break;
    case 2: /* batch */
      any->dims[2] += 1;
      break;
    default:
      any->dtype = "DTYPE_INT8";
      mluop_draw_integers(draw, any, 0, 3);
      break;
  }
  return "MLUOP_STATUS_BAD_PARAM";
}

void all_to_all_combine_draw(mluopCaseDraw *draw, bool valid) {
  mluopMeshDraw m;
  mluop_mesh_draw(draw, &m);
  const bool local_reduce = mluop_draw_chance(draw, 40);
  mluopDrawTensor t[N_TENSORS] = {
      {.id = "input",
       .dtype = m.dtype,
       .rank = 5,
       .dims = {m.ranks, local_reduce ? 1 : m.experts / m.ranks, m.batch, m.sequence, m.hidden}},
      {.id = "expert_metadata",
       .dtype = m.id_dtype,
       .rank = 5,
       .dims = {m.ranks, 1, m.batch, m.sequence, m.top_k}},
      {.id = "output",
       .dtype = m.dtype,
       .rank = 5,
       .dims = {m.ranks, m.top_k, m.local_batch, m.local_sequence, m.hidden}}};
  mluop_draw_reals(draw, &t[INPUT], -100, 100);
  mluop_mesh_draw_ids(draw, &m, &t[METADATA]);
  const mluopMeshDraw good = m;
  const char *status = NULL;
  if (!valid && mluop_draw_chance(draw, 50)) {
    mluop_mesh_spoil(draw, &m);
    status = "MLUOP_STATUS_BAD_PARAM";
  } else if (!valid) {
    status = spoil_tensor(draw, t);
  }
  mluop_draw_begin(draw, "all_to_all_combine", status);
  mluop_draw_tensor(draw, "input", &t[INPUT]);
  mluop_draw_tensor(draw, "input", &t[METADATA]);
  mluop_mesh_draw_mapping(draw, &good);
  mluop_draw_tensor(draw, "output", &t[OUTPUT]);
  mluop_text_add(
      &draw->text,
      "all_to_all_combine_param {\n  mesh_rows: %lld mesh_cols: %lld cluster_axis: %lld\n"
      "  output_shard_dim: %lld local_reduce: %s num_links: %lld topology: %lld\n}\n"
      "test_param {\n  error_func: DIFF3\n  error_threshold: 0\n  baseline_device: CPU\n}\n",
      (long long)m.rows, (long long)m.cols, (long long)m.axis, (long long)m.shard_dim,
      local_reduce ? "true" : "false", (long long)m.num_links, (long long)m.topology);
}
