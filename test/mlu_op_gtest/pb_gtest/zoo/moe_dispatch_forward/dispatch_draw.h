/* SPDX-License-Identifier: MIT
 *
 * Shared by random cases of the moe_dispatch family: sizes, tensors, routing, mistakes. */
#ifndef ZOO_DISPATCH_DRAW_H_
#define ZOO_DISPATCH_DRAW_H_

#include <stddef.h>

#include "tools/case_draw.h"

typedef struct DispatchDraw {
  const char *dtype; /* of the data */
  int64_t samples, capacity, hidden, num_experts;
} DispatchDraw;

static inline DispatchDraw dispatch_draw_sizes(mluopCaseDraw *draw) {
  static const char *const dtypes[] = {"DTYPE_FLOAT", "DTYPE_FLOAT", "DTYPE_HALF",
                                       "DTYPE_BFLOAT16"};
  DispatchDraw d = {.dtype = dtypes[mluop_draw_between(draw, 0, 3)]};
  d.samples = mluop_draw_size(draw, 1, 3000);
  d.hidden = mluop_draw_size(draw, 1, mluop_draw_chance(draw, 10) ? 20000 : 600);
  if (d.samples * d.hidden > 400000) {
    d.samples = 400000 / d.hidden;
  }
  d.num_experts = mluop_draw_size(draw, 1, 64);
  d.capacity = mluop_draw_size(draw, 1, 300);
  while (d.num_experts * d.capacity * d.hidden > 800000 && d.capacity > 1) {
    d.capacity /= 2;
  }
  if (mluop_draw_chance(draw, 6)) {
    int64_t *const zero[] = {&d.samples, &d.hidden, &d.num_experts, &d.capacity};
    *zero[mluop_draw_between(draw, 0, 3)] = 0;
  }
  return d;
}

/* [samples] */
static inline mluopDrawTensor dispatch_draw_vector(const DispatchDraw *d, const char *id) {
  return (mluopDrawTensor){.id = id, .dtype = d->dtype, .rank = 1, .dims = {d->samples}};
}

/* [samples, hidden] */
static inline mluopDrawTensor dispatch_draw_samples(const DispatchDraw *d, const char *id) {
  return (mluopDrawTensor){.id = id, .dtype = d->dtype, .rank = 2, .dims = {d->samples, d->hidden}};
}

/* [num_experts * capacity, hidden] */
static inline mluopDrawTensor dispatch_draw_slots(const DispatchDraw *d, const char *id) {
  return (mluopDrawTensor){
      .id = id, .dtype = d->dtype, .rank = 2, .dims = {d->num_experts * d->capacity, d->hidden}};
}

/* Indices or locations. Half of the cases stay within the legal range; the others go slightly or
 * far beyond it, or send all samples to one place. */
static inline mluopDrawTensor dispatch_draw_routing(mluopCaseDraw *draw, const DispatchDraw *d,
                                                    const char *id, int64_t limit) {
  mluopDrawTensor tensor = {.id = id, .dtype = "DTYPE_INT32", .rank = 1, .dims = {d->samples}};
  const int64_t top = limit > 0 ? limit - 1 : 0;
  switch (mluop_draw_between(draw, 0, 5)) {
    case 0:
      mluop_draw_integers(draw, &tensor, -limit, 2 * limit);
      break;
    case 1:
      mluop_draw_integers(draw, &tensor, INT32_MIN, INT32_MAX);
      break;
    case 2:
      mluop_draw_integers(draw, &tensor, top, top);
      break;
    default:
      mluop_draw_integers(draw, &tensor, 0, top);
      break;
  }
  return tensor;
}

/* With an empty tensor or a single row some of the mistakes would be legal. */
static inline bool dispatch_draw_can_spoil(const DispatchDraw *d) {
  return d->samples >= 2 && d->hidden > 0 && d->num_experts * d->capacity >= 2;
}

/* Makes one thing invalid; `matrix` is one of the `count` tensors and has two dimensions. Returns
 * the status that the operator must return. */
static inline const char *dispatch_draw_spoil(mluopCaseDraw *draw, DispatchDraw *d,
                                              mluopDrawTensor *tensors, int count,
                                              mluopDrawTensor *matrix) {
  mluopDrawTensor *any = &tensors[mluop_draw_between(draw, 0, count - 1)];
  int64_t *const scalars[] = {&d->samples, &d->capacity, &d->hidden, &d->num_experts};
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
      matrix->dims[1] += 1;
      break;
    default:
      matrix->has_strides = true;
      matrix->strides[0] = matrix->dims[1] + 2;
      matrix->strides[1] = 1;
      return "MLUOP_STATUS_NOT_SUPPORTED";
  }
  return "MLUOP_STATUS_BAD_PARAM";
}

/* Writes the lines after the tensors. `criteria` are lines of test_param. */
static inline void dispatch_draw_end(mluopCaseDraw *draw, const DispatchDraw *d, const char *op,
                                     const char *criteria) {
  mluop_text_add(&draw->text,
                 "%s_param {\n  samples: %lld\n  capacity: %lld\n  hidden: %lld\n"
                 "  num_experts: %lld\n}\ntest_param {\n%s  baseline_device: CPU\n}\n",
                 op, (long long)d->samples, (long long)d->capacity, (long long)d->hidden,
                 (long long)d->num_experts, criteria);
}

enum { DISPATCH_DRAW_TENSORS = 5 };

/* The properties of one operator. */
typedef struct DispatchDrawKind {
  const char *op;
  const char *criteria;                                                     /* of test_param */
  int matrix;                                                               /* a tensor to spoil */
  DispatchDraw (*draw_good)(mluopCaseDraw *draw, mluopDrawTensor *tensors); /* with their data */
} DispatchDrawKind;

/* The tensors and sizes of a case; writes its first lines. */
static inline DispatchDraw dispatch_draw_begin(mluopCaseDraw *draw, bool valid,
                                               const DispatchDrawKind *kind,
                                               mluopDrawTensor *tensors) {
  const char *status = NULL;
  DispatchDraw d = kind->draw_good(draw, tensors);
  if (!valid) {
    while (!dispatch_draw_can_spoil(&d)) {
      d = kind->draw_good(draw, tensors);
    }
    status = dispatch_draw_spoil(draw, &d, tensors, DISPATCH_DRAW_TENSORS, &tensors[kind->matrix]);
  }
  mluop_draw_begin(draw, kind->op, status);
  return d;
}

/* A complete case of an operator whose last tensor is its output. */
static inline void dispatch_draw_case(mluopCaseDraw *draw, bool valid,
                                      const DispatchDrawKind *kind) {
  mluopDrawTensor t[DISPATCH_DRAW_TENSORS];
  const DispatchDraw d = dispatch_draw_begin(draw, valid, kind, t);
  for (int i = 0; i < DISPATCH_DRAW_TENSORS; ++i) {
    mluop_draw_tensor(draw, i == DISPATCH_DRAW_TENSORS - 1 ? "output" : "input", &t[i]);
  }
  dispatch_draw_end(draw, &d, kind->op, kind->criteria);
}

#endif /* ZOO_DISPATCH_DRAW_H_ */
