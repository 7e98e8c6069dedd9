/* SPDX-License-Identifier: MIT */
#include "apply_top_k_top_p_draw.h"

#include "zoo/top_k_top_p_sample/sample_draw.h"

enum { LOGITS, TOP_K, TOP_P, OUTPUT, N_TENSORS };

/* Makes one thing invalid; returns the status that the operator must return. */
static const char *spoil(mluopCaseDraw *draw, mluopDrawTensor *t) {
  if (mluop_draw_chance(draw, 15)) {
    t[OUTPUT].dims[mluop_draw_between(draw, 0, 1)] += 1;
    return "MLUOP_STATUS_BAD_PARAM";
  }
  return sample_draw_spoil(draw, &t[mluop_draw_between(draw, 0, OUTPUT)],
                           &t[mluop_draw_chance(draw, 50) ? TOP_K : TOP_P], &t[LOGITS]);
}

void apply_top_k_top_p_draw(mluopCaseDraw *draw, bool valid) {
  mluopDrawTensor t[N_TENSORS];
  const SampleDraw d = sample_draw_sizes(draw);
  sample_draw_inputs(draw, &d, &t[LOGITS], &t[TOP_K], &t[TOP_P]);
  t[OUTPUT] = sample_draw_matrix(&d, "output", d.dtype);
  const char *status = valid ? NULL : spoil(draw, t);
  mluop_draw_begin(draw, "apply_top_k_top_p", status);
  t[OUTPUT].data[0] = '\0';
  for (int i = 0; i < N_TENSORS; ++i) {
    mluop_draw_tensor(draw, i == OUTPUT ? "output" : "input", &t[i]);
  }
  mluop_text_add(
      &draw->text,
      "test_param {\n  error_func: DIFF3\n  error_threshold: 0\n  baseline_device: CPU\n}\n");
}
