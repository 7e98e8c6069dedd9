/* SPDX-License-Identifier: MIT */
#include "paged_cache_write_draw.h"

#include "zoo/gather_in_ub/paged_draw.h"

enum { INPUT, POSITIONS, REQUEST_IDS, BLOCK_TABLE, CACHE, N_TENSORS };

static int64_t draw_good(mluopCaseDraw *draw, mluopDrawTensor *t) {
  static const char *const dtypes[] = {"DTYPE_FLOAT", "DTYPE_HALF", "DTYPE_BFLOAT16", "DTYPE_INT8",
                                       "DTYPE_UINT8"};
  const char *dtype = dtypes[mluop_draw_between(draw, 0, 4)];
  const int64_t hidden = mluop_draw_size(draw, 1, mluop_draw_chance(draw, 10) ? 9000 : 500);
  const int64_t requests = mluop_draw_size(draw, 1, 10), entries = mluop_draw_size(draw, 1, 200);
  int64_t n = mluop_draw_size(draw, 1, 3000), token_size = mluop_draw_size(draw, 1, 3000);
  if (n * hidden > 400000) n = 400000 / hidden;
  if (token_size * hidden > 800000) token_size = 800000 / hidden;
  const int64_t block_size = mluop_draw_size(draw, 1, 300);
  t[INPUT] = (mluopDrawTensor){.id = "input", .dtype = dtype, .rank = 2, .dims = {n, hidden}};
  t[POSITIONS] =
      (mluopDrawTensor){.id = "positions", .dtype = "DTYPE_INT32", .rank = 1, .dims = {n}};
  t[REQUEST_IDS] = (mluopDrawTensor){
      .id = requests == 1 ? "NULL" : "request_ids", .dtype = "DTYPE_INT32", .rank = 1, .dims = {n}};
  t[BLOCK_TABLE] = (mluopDrawTensor){
      .id = "block_table", .dtype = "DTYPE_INT32", .rank = 2, .dims = {requests, entries}};
  t[CACHE] =
      (mluopDrawTensor){.id = "cache", .dtype = dtype, .rank = 2, .dims = {token_size, hidden}};
  if (mluop_draw_chance(draw, 20)) {
    t[CACHE].has_strides = true;
    t[CACHE].strides[0] = hidden + mluop_draw_size(draw, 1, 40);
    t[CACHE].strides[1] = 1;
  }
  mluop_draw_reals(draw, &t[INPUT], -100, 100);
  mluop_draw_reals(draw, &t[CACHE], -100, 100);
  paged_draw_range(draw, &t[POSITIONS], entries * block_size);
  paged_draw_range(draw, &t[REQUEST_IDS], requests);
  paged_draw_range(draw, &t[BLOCK_TABLE], token_size / block_size + 1);
  return block_size;
}

void paged_cache_write_draw(mluopCaseDraw *draw, bool valid) {
  mluopDrawTensor t[N_TENSORS];
  int64_t block_size = draw_good(draw, t);
  if (!valid) {
    static const int needed[] = {INPUT, POSITIONS, BLOCK_TABLE, CACHE};
    paged_draw_spoil(draw, &t[needed[mluop_draw_between(draw, 0, 3)]], &block_size);
  }
  mluop_draw_begin(draw, "paged_cache_write", valid ? NULL : "MLUOP_STATUS_BAD_PARAM");
  for (int i = 0; i < N_TENSORS; ++i) mluop_draw_tensor(draw, "input", &t[i]);
  mluopDrawTensor output = t[CACHE];
  output.data[0] = '\0';
  mluop_draw_tensor(draw, "output", &output);
  mluop_text_add(
      &draw->text,
      "paged_cache_write_param {\n  block_size: %lld\n}\n"
      "test_param {\n  error_func: DIFF3\n  error_threshold: 0\n  baseline_device: CPU\n}\n",
      (long long)block_size);
}
