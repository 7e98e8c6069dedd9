/* SPDX-License-Identifier: MIT */
#include "all_to_all_dispatch_draw.h"

#include "mesh_draw.h"

enum { INPUT, INDICES, OUTPUT, METADATA, N_TENSORS };

void all_to_all_dispatch_draw(mluopCaseDraw *draw, bool valid) {
  mluopMeshDraw m;
  mluop_mesh_draw(draw, &m);
  mluopDrawTensor t[N_TENSORS] = {{.id = "input",
                                   .dtype = m.dtype,
                                   .rank = 5,
                                   .dims = {m.ranks, m.local_batch, 1, m.local_sequence, m.hidden}},
                                  {.id = "expert_indices",
                                   .dtype = m.id_dtype,
                                   .rank = 5,
                                   .dims = {m.ranks, m.local_batch, 1, m.local_sequence, m.top_k}},
                                  {.id = "output",
                                   .dtype = m.dtype,
                                   .rank = 5,
                                   .dims = {m.ranks, 1, m.batch, m.sequence, m.hidden}},
                                  {.id = "metadata",
                                   .dtype = m.id_dtype,
                                   .rank = 5,
                                   .dims = {m.ranks, 1, m.batch, m.sequence, m.top_k}}};
  mluop_draw_reals(draw, &t[INPUT], -100, 100);
  mluop_mesh_draw_ids(draw, &m, &t[INDICES]);
  const mluopMeshDraw good = m;
  if (!valid) {
    mluopDrawTensor *any = &t[mluop_draw_between(draw, 0, N_TENSORS - 1)];
    switch (mluop_draw_between(draw, 0, 3)) {
      case 0:
        any->dims[3] += 1; /* sequence */
        break;
      case 1:
        any->dims[any->rank++] = 1;
        break;
      case 2:
        any->dtype = "DTYPE_INT64";
        mluop_draw_integers(draw, any, 0, 3);
        break;
      default:
        mluop_mesh_spoil(draw, &m);
        break;
    }
  }
  mluop_draw_begin(draw, "all_to_all_dispatch", valid ? NULL : "MLUOP_STATUS_BAD_PARAM");
  mluop_draw_tensor(draw, "input", &t[INPUT]);
  mluop_draw_tensor(draw, "input", &t[INDICES]);
  mluop_mesh_draw_mapping(draw, &good);
  mluop_draw_tensor(draw, "output", &t[OUTPUT]);
  mluop_draw_tensor(draw, "output", &t[METADATA]);
  mluop_text_add(
      &draw->text,
      "all_to_all_dispatch_param {\n  mesh_rows: %lld mesh_cols: %lld cluster_axis: %lld\n"
      "  output_concat_dim: %lld num_links: %lld topology: %lld\n}\n"
      "test_param {\n  error_func: DIFF3\n  error_threshold: 0\n  baseline_device: CPU\n}\n",
      (long long)m.rows, (long long)m.cols, (long long)m.axis, (long long)m.shard_dim,
      (long long)m.num_links, (long long)m.topology);
}
