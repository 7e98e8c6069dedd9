/* SPDX-License-Identifier: MIT */
#include "gather_in_ub_batched_draw.h"

#include "zoo/gather_in_ub/paged_draw.h"

static void spoil(mluopCaseDraw *draw, PagedDraw *d, mluopDrawTensor *output) {
  mluopDrawTensor *const needed[] = {&d->param, &d->indices, &d->block_table, output};
  if (mluop_draw_chance(draw, 20)) {
    output->dims[mluop_draw_between(draw, 0, 2)] += 1;
  } else {
    paged_draw_spoil(draw, needed[mluop_draw_between(draw, 0, 3)], &d->block_size);
  }
}

void gather_in_ub_batched_draw(mluopCaseDraw *draw, bool valid) {
  static const char *const dtypes[] = {"DTYPE_FLOAT", "DTYPE_HALF", "DTYPE_BFLOAT16", "DTYPE_INT8",
                                       "DTYPE_UINT8"};
  const char *dtype = dtypes[mluop_draw_between(draw, 0, 4)];
  PagedDraw d = paged_draw_queries(draw, dtype, mluop_draw_size(draw, 1, 700), 400000);
  mluop_draw_reals(draw, &d.param, -100, 100);
  mluopDrawTensor output = {
      .id = "output", .dtype = dtype, .rank = 3, .dims = {d.queries, d.k, d.hidden}};
  if (!valid) spoil(draw, &d, &output);
  mluop_draw_begin(draw, "gather_in_ub_batched", valid ? NULL : "MLUOP_STATUS_BAD_PARAM");
  output.data[0] = '\0';
  const mluopDrawTensor *const inputs[] = {&d.param, &d.indices, &d.block_table, &d.request_ids,
                                           &d.valid_counts};
  for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); ++i) {
    mluop_draw_tensor(draw, "input", inputs[i]);
  }
  mluop_draw_tensor(draw, "output", &output);
  mluop_text_add(
      &draw->text,
      "gather_in_ub_batched_param {\n  block_size: %lld\n  axis: -2\n}\n"
      "test_param {\n  error_func: DIFF3\n  error_threshold: 0\n  baseline_device: CPU\n}\n",
      (long long)d.block_size);
}
