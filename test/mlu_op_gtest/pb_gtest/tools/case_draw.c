/* SPDX-License-Identifier: MIT */
#include "tools/case_draw.h"

#include <stdio.h>

#include "data/random_integer.h"

int64_t mluop_draw_between(mluopCaseDraw *draw, int64_t low, int64_t high) {
  return low + (int64_t)mluop_random_below(&draw->random, (uint64_t)(high - low) + 1);
}

bool mluop_draw_chance(mluopCaseDraw *draw, int percent) {
  return mluop_random_below(&draw->random, 100) < (uint64_t)percent;
}

int64_t mluop_draw_size(mluopCaseDraw *draw, int64_t low, int64_t high) {
  int64_t size;
  switch (mluop_draw_between(draw, 0, 3)) {
    case 0: /* a power of two or a neighbour */
      size = (INT64_C(1) << mluop_draw_between(draw, 0, 62)) + mluop_draw_between(draw, -1, 1);
      while (size > high && size > 2) {
        size = size / 2 + mluop_draw_between(draw, 0, 1);
      }
      break;
    case 1: /* small */
      size = low + mluop_draw_between(draw, 0, 3);
      break;
    default:
      size = mluop_draw_between(draw, low, high);
      break;
  }
  return size < low ? low : size > high ? high : size;
}

void mluop_draw_begin(mluopCaseDraw *draw, const char *op_name, const char *refused_with) {
  mluop_text_add(&draw->text, "op_name: \"%s\"\n", op_name);
  if (refused_with) {
    mluop_text_add(&draw->text, "valid: \"False\"\npattern: \"%s\"\n", refused_with);
  }
}

static int draw_seed(mluopCaseDraw *draw) {
  return (int)mluop_draw_between(draw, 1, 1000000);
}

void mluop_draw_integers(mluopCaseDraw *draw, mluopDrawTensor *tensor, int64_t low, int64_t high) {
  snprintf(tensor->data, sizeof(tensor->data),
           "random_data { seed: %d lower_bound_double: %lld upper_bound_double: %lld distribution: "
           "DISCRETE_UNIFORM }",
           draw_seed(draw), (long long)low, (long long)high);
}

void mluop_draw_reals(mluopCaseDraw *draw, mluopDrawTensor *tensor, double low, double high) {
  snprintf(tensor->data, sizeof(tensor->data),
           "random_data { seed: %d lower_bound: %.9g upper_bound: %.9g distribution: UNIFORM }",
           draw_seed(draw), low, high);
}

void mluop_draw_tensor(mluopCaseDraw *draw, const char *kind, const mluopDrawTensor *tensor) {
  mluopTestText *text = &draw->text;
  mluop_text_add(text, "%s {\n  id: \"%s\"\n  shape {", kind, tensor->id);
  bool empty = false;
  for (int i = 0; i < tensor->rank; ++i) {
    mluop_text_add(text, " dims: %lld", (long long)tensor->dims[i]);
    empty |= tensor->dims[i] == 0;
  }
  for (int i = 0; tensor->has_strides && i < tensor->rank; ++i) {
    mluop_text_add(text, " dim_stride: %lld", (long long)tensor->strides[i]);
  }
  mluop_text_add(text, " }\n  layout: LAYOUT_ARRAY\n  dtype: %s\n", tensor->dtype);
  if (tensor->data[0] && !empty) {
    mluop_text_add(text, "  %s\n", tensor->data);
  }
  mluop_text_add(text, "}\n");
}
