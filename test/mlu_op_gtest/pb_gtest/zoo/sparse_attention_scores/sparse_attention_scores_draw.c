/* SPDX-License-Identifier: MIT */
#include "sparse_attention_scores_draw.h"

#include "zoo/gather_in_ub/paged_draw.h"

typedef struct ScoresDraw {
  PagedDraw paged;
  mluopDrawTensor query, scores;
  const char *scale;
} ScoresDraw;

static ScoresDraw draw_good(mluopCaseDraw *draw) {
  static const char *const dtypes[] = {"DTYPE_FLOAT", "DTYPE_HALF", "DTYPE_BFLOAT16"};
  static const char *const scales[] = {"1", "0.125", "0.0416667", "3"};
  const char *dtype = dtypes[mluop_draw_between(draw, 0, 2)];
  const int64_t heads = mluop_draw_size(draw, 1, mluop_draw_chance(draw, 20) ? 200 : 40);
  ScoresDraw s = {
      .paged = paged_draw_queries(draw, dtype, mluop_draw_size(draw, 1, 600), 4000000 / heads),
      .scale = scales[mluop_draw_between(draw, 0, 3)]};
  PagedDraw *d = &s.paged;
  s.query = (mluopDrawTensor){
      .id = "query", .dtype = dtype, .rank = 3, .dims = {d->queries, heads, d->hidden}};
  s.scores = (mluopDrawTensor){
      .id = "scores", .dtype = "DTYPE_FLOAT", .rank = 3, .dims = {d->queries, heads, d->k}};
  if (mluop_draw_chance(draw, 20)) {
    d->param.has_strides = true;
    d->param.strides[0] = d->hidden + mluop_draw_size(draw, 1, 40);
    d->param.strides[1] = 1;
  }
  /* All of one sign, so that sums do not cancel and their relative error is meaningful. */
  mluop_draw_reals(draw, &s.query, 0, 1);
  mluop_draw_reals(draw, &d->param, 0, 4);
  return s;
}

/* Makes one thing invalid; returns the status that the operator must return. */
static const char *spoil(mluopCaseDraw *draw, ScoresDraw *s) {
  PagedDraw *d = &s->paged;
  mluopDrawTensor *const needed[] = {&s->query, &d->param, &d->indices, &d->block_table,
                                     &s->scores};
  switch (mluop_draw_between(draw, 0, 9)) {
    case 0:
      s->scale = mluop_draw_chance(draw, 50) ? "inf" : "nan";
      break;
    case 1:
      s->scores.dims[mluop_draw_between(draw, 0, 2)] += 1;
      break;
    case 2: /* the heads of a query fit neither a tile nor the lanes */
      s->query.dims[1] = s->scores.dims[1] = mluop_draw_between(draw, 8193, 9000);
      s->query.dims[2] = d->param.dims[1] = 1;
      d->param.has_strides = false;
      return "MLUOP_STATUS_NOT_SUPPORTED";
    case 3:
      d->request_ids.id = "request_ids";
      d->request_ids.dims[0] += 1;
      break;
    default:
      paged_draw_spoil(draw, needed[mluop_draw_between(draw, 0, 4)], &d->block_size);
      break;
  }
  return "MLUOP_STATUS_BAD_PARAM";
}

void sparse_attention_scores_draw(mluopCaseDraw *draw, bool valid) {
  ScoresDraw s = draw_good(draw);
  PagedDraw *d = &s.paged;
  mluop_draw_begin(draw, "sparse_attention_scores", valid ? NULL : spoil(draw, &s));
  s.scores.data[0] = '\0';
  const mluopDrawTensor *const inputs[] = {&s.query,        &d->param,       &d->indices,
                                           &d->block_table, &d->request_ids, &d->valid_counts};
  for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); ++i) {
    mluop_draw_tensor(draw, "input", inputs[i]);
  }
  mluop_draw_tensor(draw, "output", &s.scores);
  mluop_text_add(&draw->text,
                 "sparse_attention_scores_param {\n  block_size: %lld\n  scale: %s\n}\n"
                 "test_param {\n  error_func: DIFF1\n  error_func: DIFF2\n"
                 "  error_threshold: 1e-05\n  error_threshold: 1e-05\n"
                 "  baseline_device: CPU\n}\n",
                 (long long)d->block_size, s.scale);
}
