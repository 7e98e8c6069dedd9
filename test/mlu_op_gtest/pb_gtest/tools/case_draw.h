/* SPDX-License-Identifier: MIT
 *
 * Functions with which draw_case() writes a random case. The seed determines everything. */
#ifndef MLUOP_TEST_TOOLS_CASE_DRAW_H_
#define MLUOP_TEST_TOOLS_CASE_DRAW_H_

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "data/random.h"

typedef struct mluopCaseDraw {
  mluopRandom random;
  mluopTestText text; /* the case */
} mluopCaseDraw;

/* An integer of [low, high]. */
int64_t mluop_draw_between(mluopCaseDraw *draw, int64_t low, int64_t high);
/* A size in [low, high]; small ones, powers of two and their neighbours are more likely, because
 * tail errors occur there. */
int64_t mluop_draw_size(mluopCaseDraw *draw, int64_t low, int64_t high);
/* True in `percent` of 100 cases. */
bool mluop_draw_chance(mluopCaseDraw *draw, int percent);

/* The first lines: op_name and, if the case must be refused, the expected status, else NULL. */
void mluop_draw_begin(mluopCaseDraw *draw, const char *op_name, const char *refused_with);

/* One tensor of a case. */
typedef struct mluopDrawTensor {
  const char *id;
  const char *dtype; /* "DTYPE_FLOAT" */
  int rank;
  int64_t dims[8];
  int64_t strides[8]; /* used when has_strides */
  bool has_strides;
  char data[160]; /* random_data or value lists, "" for none */
} mluopDrawTensor;

/* Sets `data` to integers of [low, high], or to reals of [low, high). */
void mluop_draw_integers(mluopCaseDraw *draw, mluopDrawTensor *tensor, int64_t low, int64_t high);
void mluop_draw_reals(mluopCaseDraw *draw, mluopDrawTensor *tensor, double low, double high);

/* `kind` is "input" or "output". */
void mluop_draw_tensor(mluopCaseDraw *draw, const char *kind, const mluopDrawTensor *tensor);

#endif /* MLUOP_TEST_TOOLS_CASE_DRAW_H_ */
