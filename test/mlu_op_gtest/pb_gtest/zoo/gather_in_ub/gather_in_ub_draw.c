/* SPDX-License-Identifier: MIT */
#include "gather_in_ub_draw.h"

#include <stddef.h>

enum { PARAM, INDICES, BLOCK_TABLE, OUTPUT, N_TENSORS };

typedef struct GatherCase {
  mluopDrawTensor tensors[N_TENSORS];
  int64_t block_size, axis;
} GatherCase;

static mluopDrawTensor matrix(const char *id, const char *dtype, int64_t rows, int64_t columns) {
  return (mluopDrawTensor){.id = id, .dtype = dtype, .rank = 2, .dims = {rows, columns}};
}

/* Most values are valid, some slightly and some far out of range. */
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

static void draw_good(mluopCaseDraw *draw, GatherCase *c) {
  static const char *const dtypes[] = {"DTYPE_FLOAT", "DTYPE_HALF", "DTYPE_BFLOAT16", "DTYPE_INT8",
                                       "DTYPE_UINT8"};
  const char *dtype = dtypes[mluop_draw_between(draw, 0, 4)];
  const int64_t hidden = mluop_draw_size(draw, 1, mluop_draw_chance(draw, 10) ? 20000 : 700);
  int64_t k = mluop_draw_size(draw, 1, 3000), token_size = mluop_draw_size(draw, 1, 3000);
  if (k * hidden > 400000) k = 400000 / hidden;
  if (token_size * hidden > 800000) token_size = 800000 / hidden;
  const int64_t entries = mluop_draw_size(draw, 1, 600);
  c->block_size = mluop_draw_size(draw, 1, mluop_draw_chance(draw, 10) ? INT32_MAX : 300);
  c->axis = -2;
  mluopDrawTensor *t = c->tensors;
  t[PARAM] = matrix("param", dtype, token_size, hidden);
  t[INDICES] = matrix("indices", "DTYPE_INT32", 1, k);
  t[BLOCK_TABLE] = matrix("block_table", "DTYPE_INT32", 1, entries);
  t[OUTPUT] = matrix("output", dtype, k, hidden);
  if (mluop_draw_chance(draw, 20)) {
    t[PARAM].has_strides = true;
    t[PARAM].strides[0] = hidden + mluop_draw_size(draw, 1, 40);
    t[PARAM].strides[1] = 1;
  }
  mluop_draw_reals(draw, &t[PARAM], -100, 100);
  const int64_t ids = entries * c->block_size;
  draw_range(draw, &t[INDICES], ids < INT32_MAX ? ids : INT32_MAX);
  draw_range(draw, &t[BLOCK_TABLE], token_size / c->block_size + 1);
}

/* Makes one thing invalid; returns the status that the operator must return. */
static const char *spoil(mluopCaseDraw *draw, GatherCase *c) {
  mluopDrawTensor *t = c->tensors;
  mluopDrawTensor *any = &t[mluop_draw_between(draw, 0, N_TENSORS - 1)];
  switch (mluop_draw_between(draw, 0, 7)) {
    case 0:
      any->id = "NULL";
      break;
    case 1:
      any->dims[any->rank++] = 1;
      t[PARAM].has_strides = false;
      break;
    case 2:
      any->dtype = "DTYPE_INT64";
      mluop_draw_integers(draw, any, 0, 3);
      break;
    case 3:
      c->block_size = -mluop_draw_between(draw, 0, 5);
      break;
    case 4:
      c->axis = mluop_draw_chance(draw, 50) ? 0 : -1;
      break;
    case 5:
      t[mluop_draw_chance(draw, 50) ? INDICES : BLOCK_TABLE].dims[0] = 2;
      break;
    case 6:
      t[OUTPUT].dims[mluop_draw_between(draw, 0, 1)] += 1;
      break;
    default:
      t[OUTPUT].has_strides = true;
      t[OUTPUT].strides[0] = t[OUTPUT].dims[1] + 2;
      t[OUTPUT].strides[1] = 1;
      return t[OUTPUT].dims[0] == 1 ? NULL : "MLUOP_STATUS_NOT_SUPPORTED";
  }
  return "MLUOP_STATUS_BAD_PARAM";
}

void gather_in_ub_draw(mluopCaseDraw *draw, bool valid) {
  GatherCase c;
  draw_good(draw, &c);
  const char *status = valid ? NULL : spoil(draw, &c);
  mluop_draw_begin(draw, "gather_in_ub", status);
  c.tensors[OUTPUT].data[0] = '\0';
  for (int i = 0; i < N_TENSORS; ++i) {
    mluop_draw_tensor(draw, i == OUTPUT ? "output" : "input", &c.tensors[i]);
  }
  mluop_text_add(
      &draw->text,
      "gather_in_ub_param {\n  block_size: %lld\n  axis: %lld\n}\n"
      "test_param {\n  error_func: DIFF3\n  error_threshold: 0\n  baseline_device: CPU\n}\n",
      (long long)c.block_size, (long long)c.axis);
}
