/* SPDX-License-Identifier: MIT */
#include "top_k_top_p_sample_draw.h"

#include <stdio.h>

enum { LOGITS, TOP_K, TOP_P, Q, MIN_P, INDEX, FILTERED, N_TENSORS };

typedef struct SampleCase {
  mluopDrawTensor tensors[N_TENSORS];
  bool has_min_p, is_need_logits;
  const char *eps;
  int64_t guess;
} SampleCase;

static mluopDrawTensor row_setting(const char *id, const char *dtype, int64_t batch) {
  return (mluopDrawTensor){.id = id, .dtype = dtype, .rank = 1, .dims = {batch}};
}

static mluopDrawTensor matrix(const char *id, const char *dtype, int64_t batch, int64_t vocab) {
  return (mluopDrawTensor){.id = id, .dtype = dtype, .rank = 2, .dims = {batch, vocab}};
}

/* Normal rows of several widths, wide ones whose weights vanish, rows with many equal logits. */
static void draw_logits(mluopCaseDraw *draw, mluopDrawTensor *logits) {
  static const char *const spreads[] = {"1", "2.5", "5", "0.01"};
  switch (mluop_draw_between(draw, 0, 4)) {
    case 0:
      mluop_draw_reals(draw, logits, 0, 1000);
      break;
    case 1:
      mluop_draw_integers(draw, logits, 0, 4);
      break;
    case 2:
      mluop_draw_reals(draw, logits, 0, 10);
      break;
    default:
      snprintf(logits->data, sizeof logits->data,
               "random_data { seed: %lld mu: %lld sigma: %s distribution: GAUSSIAN }",
               (long long)mluop_draw_between(draw, 0, 1 << 30),
               (long long)mluop_draw_between(draw, -20, 20),
               spreads[mluop_draw_between(draw, 0, 3)]);
  }
}

static void draw_top_k(mluopCaseDraw *draw, mluopDrawTensor *top_k, int64_t vocab) {
  switch (mluop_draw_between(draw, 0, 3)) {
    case 0:
      mluop_draw_integers(draw, top_k, -1000, 0);
      break;
    case 1:
      mluop_draw_integers(draw, top_k, vocab - 1, vocab + 2);
      break;
    case 2:
      mluop_draw_integers(draw, top_k, 1020, 1030);
      break;
    default:
      mluop_draw_integers(draw, top_k, 1, 60);
  }
}

static void draw_good(mluopCaseDraw *draw, SampleCase *c) {
  static const char *const dtypes[] = {"DTYPE_FLOAT", "DTYPE_HALF", "DTYPE_BFLOAT16"};
  const char *dtype = dtypes[mluop_draw_between(draw, 0, 2)];
  const int64_t vocab = mluop_draw_size(draw, 1, mluop_draw_chance(draw, 20) ? 40000 : 3000);
  const int64_t batch = mluop_draw_size(draw, 1, vocab > 10000 ? 5 : 40);
  c->has_min_p = mluop_draw_chance(draw, 25);
  c->is_need_logits = mluop_draw_chance(draw, 50);
  c->eps = mluop_draw_chance(draw, 20) ? "0" : "1e-8";
  c->guess = mluop_draw_between(draw, -100, 1024);
  mluopDrawTensor *t = c->tensors;
  t[LOGITS] = matrix("logits", dtype, batch, vocab);
  t[TOP_K] = row_setting("top_k", "DTYPE_INT32", batch);
  t[TOP_P] = row_setting("top_p", dtype, batch);
  t[Q] = matrix(mluop_draw_chance(draw, 30) ? "NULL" : "q", "DTYPE_FLOAT", batch, vocab);
  t[MIN_P] = row_setting("min_p", dtype, batch);
  t[INDEX] = row_setting("logits_select_idx", "DTYPE_INT64", batch);
  t[FILTERED] = matrix("logits_top_kp_select", "DTYPE_FLOAT", batch, vocab);
  if (mluop_draw_chance(draw, 20)) {
    t[LOGITS].has_strides = true;
    t[LOGITS].strides[0] = vocab + mluop_draw_size(draw, 1, 40);
    t[LOGITS].strides[1] = 1;
  }
  draw_logits(draw, &t[LOGITS]);
  draw_top_k(draw, &t[TOP_K], vocab);
  if (mluop_draw_chance(draw, 30))
    mluop_draw_reals(draw, &t[TOP_P], -100, 100);
  else
    mluop_draw_reals(draw, &t[TOP_P], 0, 1.05);
  mluop_draw_reals(draw, &t[MIN_P], -0.05, 0.2);
  if (mluop_draw_chance(draw, 30))
    mluop_draw_reals(draw, &t[Q], -100, 100);
  else
    mluop_draw_reals(draw, &t[Q], 0, 1);
}

/* Spoils one thing; returns the status the operator must answer with. */
static const char *spoil(mluopCaseDraw *draw, SampleCase *c) {
  static const int required[] = {LOGITS, TOP_K, TOP_P, INDEX};
  mluopDrawTensor *t = c->tensors;
  mluopDrawTensor *any = &t[required[mluop_draw_between(draw, 0, 3)]];
  switch (mluop_draw_between(draw, 0, 5)) {
    case 0:
      any->id = "NULL";
      break;
    case 1:
      any->dims[any->rank++] = 1;
      any->has_strides = false;
      break;
    case 2:
      any->dtype = "DTYPE_UINT8";
      mluop_draw_integers(draw, any, 0, 3);
      break;
    case 3:
      c->eps = "-1";
      break;
    case 4:
      any = &t[mluop_draw_chance(draw, 50) ? TOP_K : INDEX];
      any->dims[0] += 1;
      break;
    default:
      t[LOGITS].has_strides = true;
      t[LOGITS].strides[0] = 1;
      t[LOGITS].strides[1] = t[LOGITS].dims[0];
      return t[LOGITS].dims[0] == 1 || t[LOGITS].dims[1] == 1 ? NULL : "MLUOP_STATUS_NOT_SUPPORTED";
  }
  return "MLUOP_STATUS_BAD_PARAM";
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
