/* SPDX-License-Identifier: MIT */
#include "top_k_top_p_sample_draw.h"

#include "sample_draw.h"

enum { LOGITS, TOP_K, TOP_P, Q, MIN_P, INDEX, FILTERED, N_TENSORS };

typedef struct SampleCase {
  mluopDrawTensor tensors[N_TENSORS];
  bool has_min_p, is_need_logits;
  const char *eps;
  int64_t guess;
} SampleCase;

static void draw_good(mluopCaseDraw *draw, SampleCase *c) {
  const SampleDraw d = sample_draw_sizes(draw);
  c->has_min_p = mluop_draw_chance(draw, 25);
  c->is_need_logits = mluop_draw_chance(draw, 50);
  c->eps = mluop_draw_chance(draw, 20) ? "0" : "1e-8";
  c->guess = mluop_draw_between(draw, -100, 1024);
  mluopDrawTensor *t = c->tensors;
  sample_draw_inputs(draw, &d, &t[LOGITS], &t[TOP_K], &t[TOP_P]);
  t[Q] = sample_draw_matrix(&d, mluop_draw_chance(draw, 30) ? "NULL" : "q", "DTYPE_FLOAT");
  t[MIN_P] = sample_draw_vector(&d, "min_p", d.dtype);
  t[INDEX] = sample_draw_vector(&d, "logits_select_idx", "DTYPE_INT64");
  t[FILTERED] = sample_draw_matrix(&d, "logits_top_kp_select", "DTYPE_FLOAT");
  mluop_draw_reals(draw, &t[MIN_P], -0.05, 0.2);
  if (mluop_draw_chance(draw, 30))
    mluop_draw_reals(draw, &t[Q], -100, 100);
  else
    mluop_draw_reals(draw, &t[Q], 0, 1);
}

/* Makes one thing invalid; returns the status that the operator must return. */
static const char *spoil(mluopCaseDraw *draw, SampleCase *c) {
  static const int required[] = {LOGITS, TOP_K, TOP_P, INDEX};
  mluopDrawTensor *t = c->tensors;
  if (mluop_draw_chance(draw, 15)) {
    c->eps = "-1";
    return "MLUOP_STATUS_BAD_PARAM";
  }
  return sample_draw_spoil(draw, &t[required[mluop_draw_between(draw, 0, 3)]],
                           &t[mluop_draw_chance(draw, 50) ? TOP_K : INDEX], &t[LOGITS]);
}

void top_k_top_p_sample_draw(mluopCaseDraw *draw, bool valid) {
  SampleCase c;
  draw_good(draw, &c);
  const char *status = valid ? NULL : spoil(draw, &c);
  mluop_draw_begin(draw, "top_k_top_p_sample", status);
  if (c.has_min_p) mluop_text_add(&draw->text, "api_name: \"mluOpTopKTopPSample_v2\"\n");
  for (int i = LOGITS; i <= Q; ++i) mluop_draw_tensor(draw, "input", &c.tensors[i]);
  if (c.has_min_p) mluop_draw_tensor(draw, "input", &c.tensors[MIN_P]);
  mluop_draw_tensor(draw, "output", &c.tensors[INDEX]);
  if (c.is_need_logits) mluop_draw_tensor(draw, "output", &c.tensors[FILTERED]);
  mluop_text_add(
      &draw->text,
      "top_k_top_p_sample_param {\n  eps: %s\n  is_need_logits: %s\n  top_k_guess: %lld\n}\n"
      "test_param {\n  error_func: DIFF3\n  error_threshold: 0\n  baseline_device: CPU\n}\n",
      c.eps, c.is_need_logits ? "true" : "false", (long long)c.guess);
}
