/* SPDX-License-Identifier: MIT */
#include "moe_dispatch_forward_draw.h"

#include <stddef.h>

enum { GATES, INDICES, LOCATIONS, INPUT, DISPATCH, N_TENSORS };

typedef struct DispatchCase {
  mluopDrawTensor tensors[N_TENSORS];
  int64_t samples, capacity, hidden, num_experts;
} DispatchCase;

static void draw_sizes(mluopCaseDraw *draw, DispatchCase *c) {
  c->samples = mluop_draw_size(draw, 1, 3000);
  c->hidden = mluop_draw_size(draw, 1, mluop_draw_chance(draw, 10) ? 20000 : 600);
  if (c->samples * c->hidden > 400000) {
    c->samples = 400000 / c->hidden;
  }
  c->num_experts = mluop_draw_size(draw, 1, 64);
  c->capacity = mluop_draw_size(draw, 1, 300);
  while (c->num_experts * c->capacity * c->hidden > 800000 && c->capacity > 1) {
    c->capacity /= 2;
  }
  if (mluop_draw_chance(draw, 5)) {
    int64_t *const zero[] = {&c->samples, &c->hidden, &c->num_experts, &c->capacity};
    *zero[mluop_draw_between(draw, 0, 3)] = 0;
  }
}

/* Half of the cases stay inside the legal range, the others go a little or far beyond it. */
static void draw_routing(mluopCaseDraw *draw, mluopDrawTensor *tensor, int64_t limit) {
  const int64_t top = limit > 0 ? limit - 1 : 0;
  switch (mluop_draw_between(draw, 0, 5)) {
    case 0:
      mluop_draw_integers(draw, tensor, -limit, 2 * limit);
      break;
    case 1:
      mluop_draw_integers(draw, tensor, INT32_MIN, INT32_MAX);
      break;
    case 2: /* one slot for all */
      mluop_draw_integers(draw, tensor, top, top);
      break;
    default:
      mluop_draw_integers(draw, tensor, 0, top);
      break;
  }
}

static void draw_good(mluopCaseDraw *draw, DispatchCase *c) {
  static const char *const dtypes[] = {"DTYPE_FLOAT", "DTYPE_FLOAT", "DTYPE_HALF",
                                       "DTYPE_BFLOAT16"};
  const char *dtype = dtypes[mluop_draw_between(draw, 0, 3)];
  draw_sizes(draw, c);
  mluopDrawTensor *t = c->tensors;
  const int64_t rows = c->num_experts * c->capacity;
  t[GATES] = (mluopDrawTensor){.id = "gates", .dtype = dtype, .rank = 1, .dims = {c->samples}};
  t[INDICES] =
      (mluopDrawTensor){.id = "indices", .dtype = "DTYPE_INT32", .rank = 1, .dims = {c->samples}};
  t[LOCATIONS] =
      (mluopDrawTensor){.id = "locations", .dtype = "DTYPE_INT32", .rank = 1, .dims = {c->samples}};
  t[INPUT] =
      (mluopDrawTensor){.id = "input", .dtype = dtype, .rank = 2, .dims = {c->samples, c->hidden}};
  t[DISPATCH] =
      (mluopDrawTensor){.id = "dispatch", .dtype = dtype, .rank = 2, .dims = {rows, c->hidden}};
  mluop_draw_reals(draw, &t[GATES], -2, 2);
  draw_routing(draw, &t[INDICES], c->num_experts);
  draw_routing(draw, &t[LOCATIONS], c->capacity);
  mluop_draw_reals(draw, &t[INPUT], -100, 100);
  mluop_draw_reals(draw, &t[DISPATCH], -1, 1);
}

/* Spoils one thing; returns the status the operator must answer with. */
static const char *spoil(mluopCaseDraw *draw, DispatchCase *c) {
  mluopDrawTensor *t = c->tensors;
  mluopDrawTensor *any = &t[mluop_draw_between(draw, 0, N_TENSORS - 1)];
  int64_t *const scalars[] = {&c->samples, &c->capacity, &c->hidden, &c->num_experts};
  switch (mluop_draw_between(draw, 0, 6)) {
    case 0:
      any->id = "NULL";
      break;
    case 1:
      any->dims[any->rank++] = 1;
      break;
    case 2:
      any->dims[0] += mluop_draw_between(draw, 1, 3);
      break;
    case 3:
      any->dtype = "DTYPE_INT64";
      mluop_draw_integers(draw, any, 0, 3);
      break;
    case 4:
      *scalars[mluop_draw_between(draw, 0, 3)] = -mluop_draw_between(draw, 1, 5);
      break;
    case 5:
      t[INPUT].dims[1] += 1;
      break;
    default:
      t[INPUT].has_strides = true;
      t[INPUT].strides[0] = c->hidden + 2;
      t[INPUT].strides[1] = 1;
      return "MLUOP_STATUS_NOT_SUPPORTED";
  }
  return "MLUOP_STATUS_BAD_PARAM";
}

void moe_dispatch_forward_draw(mluopCaseDraw *draw, bool valid) {
  DispatchCase c;
  const char *status = NULL;
  draw_good(draw, &c);
  if (!valid) {
    /* An empty tensor or a single row would make some of the mistakes legal. */
    while (c.samples < 2 || !c.hidden || !c.num_experts || !c.capacity) {
      draw_good(draw, &c);
    }
    status = spoil(draw, &c);
  }
  mluop_draw_begin(draw, "moe_dispatch_forward", status);
  for (int i = 0; i < N_TENSORS; ++i) {
    mluop_draw_tensor(draw, "input", &c.tensors[i]);
  }
  mluopDrawTensor output = c.tensors[DISPATCH];
  output.id = c.tensors[DISPATCH].id[0] == 'N' ? "NULL" : "output";
  output.data[0] = '\0';
  mluop_draw_tensor(draw, "output", &output);
  mluop_text_add(
      &draw->text,
      "moe_dispatch_forward_param {\n  samples: %lld\n  capacity: %lld\n  hidden: %lld\n"
      "  num_experts: %lld\n}\n"
      "test_param {\n  error_func: DIFF3\n  error_threshold: 0\n  baseline_device: CPU\n}\n",
      (long long)c.samples, (long long)c.capacity, (long long)c.hidden, (long long)c.num_experts);
}
