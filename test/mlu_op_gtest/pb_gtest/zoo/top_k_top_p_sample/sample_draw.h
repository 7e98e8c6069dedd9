/* SPDX-License-Identifier: MIT
 *
 * Shared by random cases of the sampling operators: sizes, logits, row settings, mistakes. */
#ifndef ZOO_SAMPLE_DRAW_H_
#define ZOO_SAMPLE_DRAW_H_

#include <stddef.h>
#include <stdio.h>

#include "tools/case_draw.h"

typedef struct SampleDraw {
  const char *dtype; /* of logits and top_p */
  int64_t batch, vocab;
} SampleDraw;

static inline SampleDraw sample_draw_sizes(mluopCaseDraw *draw) {
  static const char *const dtypes[] = {"DTYPE_FLOAT", "DTYPE_HALF", "DTYPE_BFLOAT16"};
  SampleDraw d = {.dtype = dtypes[mluop_draw_between(draw, 0, 2)]};
  d.vocab = mluop_draw_size(draw, 1, mluop_draw_chance(draw, 20) ? 40000 : 3000);
  d.batch = mluop_draw_size(draw, 1, d.vocab > 10000 ? 5 : 40);
  return d;
}

/* [batch] */
static inline mluopDrawTensor sample_draw_vector(const SampleDraw *d, const char *id,
                                                 const char *dtype) {
  return (mluopDrawTensor){.id = id, .dtype = dtype, .rank = 1, .dims = {d->batch}};
}

/* [batch, vocab] */
static inline mluopDrawTensor sample_draw_matrix(const SampleDraw *d, const char *id,
                                                 const char *dtype) {
  return (mluopDrawTensor){.id = id, .dtype = dtype, .rank = 2, .dims = {d->batch, d->vocab}};
}

/* Gaussian rows of several widths, rows with vanishing weights, rows with many equal logits. */
static inline void sample_draw_logits(mluopCaseDraw *draw, mluopDrawTensor *logits) {
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

static inline void sample_draw_top_k(mluopCaseDraw *draw, mluopDrawTensor *top_k, int64_t vocab) {
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

/* The inputs of every operator of the family; sometimes the rows of logits are apart. */
static inline void sample_draw_inputs(mluopCaseDraw *draw, const SampleDraw *d,
                                      mluopDrawTensor *logits, mluopDrawTensor *top_k,
                                      mluopDrawTensor *top_p) {
  *logits = sample_draw_matrix(d, "logits", d->dtype);
  *top_k = sample_draw_vector(d, "top_k", "DTYPE_INT32");
  *top_p = sample_draw_vector(d, "top_p", d->dtype);
  if (mluop_draw_chance(draw, 20)) {
    logits->has_strides = true;
    logits->strides[0] = d->vocab + mluop_draw_size(draw, 1, 40);
    logits->strides[1] = 1;
  }
  sample_draw_logits(draw, logits);
  sample_draw_top_k(draw, top_k, d->vocab);
  const bool wild = mluop_draw_chance(draw, 30);
  mluop_draw_reals(draw, top_p, wild ? -100 : 0, wild ? 100 : 1.05);
}

/* Makes one thing invalid; `any` is a required tensor, `vector` one of shape [batch]. Returns the
 * status that the operator must return. */
static inline const char *sample_draw_spoil(mluopCaseDraw *draw, mluopDrawTensor *any,
                                            mluopDrawTensor *vector, mluopDrawTensor *logits) {
  const bool transposes = logits->dims[0] > 1 && logits->dims[1] > 1; /* else it stays legal */
  switch (mluop_draw_between(draw, 0, transposes ? 4 : 3)) {
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
      vector->dims[0] += 1;
      break;
    default:
      logits->has_strides = true;
      logits->strides[0] = 1;
      logits->strides[1] = logits->dims[0];
      return "MLUOP_STATUS_NOT_SUPPORTED";
  }
  return "MLUOP_STATUS_BAD_PARAM";
}

#endif /* ZOO_SAMPLE_DRAW_H_ */
