/* SPDX-License-Identifier: MIT
 *
 * Shared by random cases of the operators on permuted rows. */
#ifndef ZOO_PERMUTED_ROWS_DRAW_H_
#define ZOO_PERMUTED_ROWS_DRAW_H_

#include <stdint.h>
#include <stdio.h>

#include "tools/case_draw.h"

typedef struct PermutedRowsDraw {
  int64_t tokens_num, num_experts, hidden, rows;
  bool drop_and_pad, has_probs;
  const char *dtype, *probs_dtype;
} PermutedRowsDraw;

static inline PermutedRowsDraw permuted_rows_draw(mluopCaseDraw *draw) {
  static const char *const dtypes[] = {"DTYPE_FLOAT", "DTYPE_HALF", "DTYPE_BFLOAT16"};
  PermutedRowsDraw d;
  d.drop_and_pad = mluop_draw_chance(draw, 50);
  d.has_probs = mluop_draw_chance(draw, 60);
  d.dtype = dtypes[mluop_draw_between(draw, 0, 2)];
  d.probs_dtype = d.dtype[6] == 'B' && mluop_draw_chance(draw, 50) ? "DTYPE_FLOAT" : d.dtype;
  d.tokens_num = mluop_draw_size(draw, 1, mluop_draw_chance(draw, 10) ? 9000 : 1000);
  d.num_experts = mluop_draw_size(draw, 1, mluop_draw_chance(draw, 10) ? 9000 : 100);
  if (d.tokens_num * d.num_experts > 100000) {
    d.tokens_num = 100000 / d.num_experts;
  }
  int64_t most = d.drop_and_pad ? d.tokens_num : d.num_experts;
  int64_t per_group = mluop_draw_size(draw, 0, most < 512 ? most : 512);
  d.rows = per_group * (d.drop_and_pad ? d.num_experts : d.tokens_num);
  d.hidden = mluop_draw_size(draw, 1, mluop_draw_chance(draw, 10) ? 20000 : 600);
  int64_t longest = d.rows > d.tokens_num ? d.rows : d.tokens_num;
  if (longest * d.hidden > 600000) {
    d.hidden = longest > 600000 ? 1 : 600000 / longest;
  }
  return d;
}

/* The indices of a permutation, or any others: the operators define the result. */
static inline void permuted_rows_draw_indices(mluopCaseDraw *draw, const PermutedRowsDraw *d,
                                              mluopDrawTensor *tensor) {
  int64_t limit = d->drop_and_pad ? d->tokens_num : d->rows;
  switch (mluop_draw_between(draw, 0, 5)) {
    case 0:
      mluop_draw_integers(draw, tensor, INT32_MIN, INT32_MAX);
      break;
    case 1:
      mluop_draw_integers(draw, tensor, -3, limit + 3);
      break;
    case 2: /* all equal */
      mluop_draw_integers(draw, tensor, limit - 1, limit - 1);
      break;
    case 3:
      mluop_draw_integers(draw, tensor, 0, limit > 0 ? limit - 1 : 0);
      break;
    default:
      if (d->drop_and_pad) {
        mluop_draw_integers(draw, tensor, 0, limit - 1);
        break;
      }
      snprintf(tensor->data, sizeof tensor->data,
               "random_data { seed: %d distribution: UNIQUE_INDEX begin_index: 0 end_index: %lld "
               "negative_ratio: %g }",
               (int)mluop_draw_between(draw, 1, 1000000), (long long)limit,
               mluop_draw_chance(draw, 50) ? 0.1 : 0.0);
      break;
  }
}

static inline void permuted_rows_draw_map(mluopCaseDraw *draw, const PermutedRowsDraw *d,
                                          mluopDrawTensor *tensor) {
  int64_t top_k = d->drop_and_pad ? 1 : d->rows / d->tokens_num;
  if (mluop_draw_chance(draw, 50)) {
    snprintf(tensor->data, sizeof tensor->data,
             "random_data { seed: %d distribution: BINOMIAL dim_shape: %lld true_number: %lld }",
             (int)mluop_draw_between(draw, 1, 1000000), (long long)d->tokens_num, (long long)top_k);
  } else {
    mluop_draw_integers(draw, tensor, 0, 1);
  }
}

/* Makes a required tensor invalid; returns the status that the operator must return. */
static inline const char *permuted_rows_spoil(mluopCaseDraw *draw, mluopDrawTensor *any) {
  switch (mluop_draw_between(draw, 0, 4)) {
    case 0:
      any->id = "NULL";
      break;
    case 1:
      any->dims[any->rank++] = 1;
      break;
    case 2:
      any->dims[0] += mluop_draw_between(draw, 1, 3);
      mluop_draw_integers(draw, any, 0, 1); /* legal for any size */
      break;
    case 3:
      any->dtype = "DTYPE_INT64";
      mluop_draw_integers(draw, any, 0, 3);
      break;
    default:
      any->has_strides = true;
      mluop_draw_integers(draw, any, 0, 1);
      any->strides[any->rank - 1] = 2;
      if (any->rank == 2) {
        any->strides[0] = 2 * any->dims[1] + 1;
      }
      return "MLUOP_STATUS_NOT_SUPPORTED";
  }
  return "MLUOP_STATUS_BAD_PARAM";
}

/* True if permuted_rows_spoil can be used: several tokens, experts and rows. */
static inline bool permuted_rows_can_spoil(const PermutedRowsDraw *d) {
  return d->tokens_num > 4 && d->num_experts > 4 && d->rows > 4 && d->hidden > 1;
}

enum { PERMUTED_ROWS_MAX_TENSORS = 7, PERMUTED_ROWS_NEEDED = 4 };

/* The properties of one operator. */
typedef struct PermutedRowsKind {
  const char *op;
  const char *criteria; /* of test_param */
  int tensors;
  int first_output;
  int needed[PERMUTED_ROWS_NEEDED]; /* tensors to spoil */
  PermutedRowsDraw (*draw_good)(mluopCaseDraw *draw,
                                mluopDrawTensor *tensors); /* with their data */
} PermutedRowsKind;

/* A complete case. */
static inline void permuted_rows_draw_case(mluopCaseDraw *draw, bool valid,
                                           const PermutedRowsKind *kind) {
  mluopDrawTensor t[PERMUTED_ROWS_MAX_TENSORS];
  const char *status = NULL;
  PermutedRowsDraw d = kind->draw_good(draw, t);
  if (!valid) {
    while (!permuted_rows_can_spoil(&d)) {
      d = kind->draw_good(draw, t);
    }
    const int any = kind->needed[mluop_draw_between(draw, 0, PERMUTED_ROWS_NEEDED - 1)];
    status = permuted_rows_spoil(draw, &t[any]);
  }
  mluop_draw_begin(draw, kind->op, status);
  for (int i = 0; i < kind->tensors; ++i) {
    mluop_draw_tensor(draw, i >= kind->first_output ? "output" : "input", &t[i]);
  }
  mluop_text_add(&draw->text,
                 "%s_param {\n  drop_and_pad: %s\n}\n"
                 "test_param {\n%s  baseline_device: CPU\n}\n",
                 kind->op, d.drop_and_pad ? "true" : "false", kind->criteria);
}

#endif /* ZOO_PERMUTED_ROWS_DRAW_H_ */
