/* SPDX-License-Identifier: MIT */
#include "gather_in_ub_batched_draw.h"

#include <stddef.h>

enum { PARAM, INDICES, BLOCK_TABLE, REQUEST_IDS, VALID_COUNTS, OUTPUT, N_TENSORS };

/* Most values are good, some a little and some far out of range. */
static void draw_range(mluopCaseDraw *draw, mluopDrawTensor *tensor, int64_t count) {
  switch (mluop_draw_between(draw, 0, 5)) {
    case 0:
      mluop_draw_integers(draw, tensor, -1, count);
      break;
    case 1:
      mluop_draw_integers(draw, tensor, INT32_MIN, INT32_MAX);
      break;
    default:
      mluop_draw_integers(draw, tensor, 0, count - 1);
      break;
  }
}

static int64_t draw_good(mluopCaseDraw *draw, mluopDrawTensor *t) {
  static const char *const dtypes[] = {"DTYPE_FLOAT", "DTYPE_HALF", "DTYPE_BFLOAT16", "DTYPE_INT8",
                                       "DTYPE_UINT8"};
  const char *dtype = dtypes[mluop_draw_between(draw, 0, 4)];
  const int64_t hidden = mluop_draw_size(draw, 1, 700), queries = mluop_draw_size(draw, 1, 40);
  const int64_t requests = mluop_draw_size(draw, 1, 10), entries = mluop_draw_size(draw, 1, 200);
  int64_t k = mluop_draw_size(draw, 1, 1500), token_size = mluop_draw_size(draw, 1, 3000);
  if (queries * k * hidden > 400000) k = 400000 / (queries * hidden) + 1;
  if (token_size * hidden > 800000) token_size = 800000 / hidden;
  const int64_t block_size = mluop_draw_size(draw, 1, 300);
  t[PARAM] =
      (mluopDrawTensor){.id = "param", .dtype = dtype, .rank = 2, .dims = {token_size, hidden}};
  t[INDICES] =
      (mluopDrawTensor){.id = "indices", .dtype = "DTYPE_INT32", .rank = 2, .dims = {queries, k}};
  t[BLOCK_TABLE] = (mluopDrawTensor){
      .id = "block_table", .dtype = "DTYPE_INT32", .rank = 2, .dims = {requests, entries}};
  t[REQUEST_IDS] = (mluopDrawTensor){.id = mluop_draw_chance(draw, 50) ? "NULL" : "request_ids",
                                     .dtype = "DTYPE_INT32",
                                     .rank = 1,
                                     .dims = {queries}};
  t[VALID_COUNTS] = (mluopDrawTensor){.id = mluop_draw_chance(draw, 50) ? "NULL" : "valid_counts",
                                      .dtype = "DTYPE_INT32",
                                      .rank = 1,
                                      .dims = {queries}};
  t[OUTPUT] =
      (mluopDrawTensor){.id = "output", .dtype = dtype, .rank = 3, .dims = {queries, k, hidden}};
  mluop_draw_reals(draw, &t[PARAM], -100, 100);
  draw_range(draw, &t[INDICES], entries * block_size);
  draw_range(draw, &t[BLOCK_TABLE], token_size / block_size + 1);
  draw_range(draw, &t[REQUEST_IDS], requests);
  draw_range(draw, &t[VALID_COUNTS], k + 1);
  return block_size;
}

static void spoil(mluopCaseDraw *draw, mluopDrawTensor *t, int64_t *block_size) {
  static const int needed[] = {PARAM, INDICES, BLOCK_TABLE, OUTPUT};
  mluopDrawTensor *any = &t[needed[mluop_draw_between(draw, 0, 3)]];
  switch (mluop_draw_between(draw, 0, 4)) {
    case 0:
      any->id = "NULL";
      break;
    case 1:
      any->dims[any->rank++] = 1;
      break;
    case 2:
      any->dtype = "DTYPE_INT64";
      mluop_draw_integers(draw, any, 0, 3);
      break;
    case 3:
      *block_size = -mluop_draw_between(draw, 0, 5);
      break;
    default:
      t[OUTPUT].dims[mluop_draw_between(draw, 0, 2)] += 1;
      break;
  }
}

void gather_in_ub_batched_draw(mluopCaseDraw *draw, bool valid) {
  mluopDrawTensor t[N_TENSORS];
  int64_t block_size = draw_good(draw, t);
  if (!valid) spoil(draw, t, &block_size);
  mluop_draw_begin(draw, "gather_in_ub_batched", valid ? NULL : "MLUOP_STATUS_BAD_PARAM");
  t[OUTPUT].data[0] = '\0';
  for (int i = 0; i < N_TENSORS; ++i) {
    mluop_draw_tensor(draw, i == OUTPUT ? "output" : "input", &t[i]);
  }
  mluop_text_add(
      &draw->text,
      "gather_in_ub_batched_param {\n  block_size: %lld\n  axis: -2\n}\n"
      "test_param {\n  error_func: DIFF3\n  error_threshold: 0\n  baseline_device: CPU\n}\n",
      (long long)block_size);
}
