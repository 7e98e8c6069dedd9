/* SPDX-License-Identifier: MIT
 *
 * The definition of the sampling operators for one row, in double and with a full sort, sharing no
 * code with what is tested. C and C++. */
#ifndef TEST_COMMON_SAMPLE_REF_H_
#define TEST_COMMON_SAMPLE_REF_H_

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "test/common/ref_float.h"

typedef struct SampleRefToken {
  float logit;
  int32_t id;
} SampleRefToken;

typedef struct SampleRefRow {
  const float *logits; /* converted to float, which is exact */
  int64_t vocab;
  int32_t top_k;
  float top_p, min_p; /* min_p 0: off */
  const float *q;     /* NULL: no noise */
  float eps;
} SampleRefRow;

typedef struct SampleRefResult {
  int64_t kept;        /* tokens[0..kept) survive, in order */
  int64_t index;       /* the drawn token */
  double cut_margin;   /* distance of the mass (or of min-p's threshold) from a different cutoff */
  double score_margin; /* ratio of the best score to the second best, minus 1 */
} SampleRefResult;

/* Order: NaN, +inf, numbers, -inf; equal ones by id. */
static inline int sample_ref_compare(const void *a, const void *b) {
  const SampleRefToken *x = (const SampleRefToken *)a, *y = (const SampleRefToken *)b;
  bool x_nan = isnan(x->logit), y_nan = isnan(y->logit);
  if (x_nan != y_nan) return x_nan ? -1 : 1;
  if (!x_nan && x->logit != y->logit) return x->logit > y->logit ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

/* exp with the range of float: what underflows in float is 0. */
static inline double sample_ref_exp(double x) {
  double e = exp(x);
  return e < 0x1p-150 ? 0 : e;
}

static inline void sample_ref_closer(double *margin, double distance) {
  distance = fabs(distance);
  if (distance < *margin) *margin = distance;
}

/* How many of n sorted tokens top-p and min-p keep. */
static inline int64_t sample_ref_cut(const SampleRefRow *row, const SampleRefToken *tokens,
                                     int64_t n, bool use_p, double *margin) {
  double largest = tokens[0].logit;
  if (!isfinite(largest)) return use_p || row->min_p > 0 ? 1 : n; /* acc < p is false for NaN */
  int64_t kept = n;
  if (use_p) {
    double total = 0;
    for (int64_t i = 0; i < n; ++i) total += exp(tokens[i].logit - largest);
    double acc = 1 / total;
    kept = 1;
    while (kept < n && acc < row->top_p) {
      sample_ref_closer(margin, acc - row->top_p);
      acc += exp(tokens[kept++].logit - largest) / total;
    }
    if (kept < n) sample_ref_closer(margin, acc - row->top_p);
  }
  if (row->min_p >= 1) return 1;
  if (row->min_p > 0) {
    int64_t enough = 1;
    while (enough < kept && exp(tokens[enough].logit - largest) >= row->min_p) ++enough;
    sample_ref_closer(margin, exp(tokens[enough - 1].logit - largest) / row->min_p - 1);
    if (enough < kept)
      sample_ref_closer(margin, exp(tokens[enough].logit - largest) / row->min_p - 1);
    kept = enough;
  }
  return kept;
}

/* First rank with the largest score; a NaN never beats a number. */
static inline int64_t sample_ref_draw(const SampleRefRow *row, const SampleRefToken *tokens,
                                      int64_t n, double *margin) {
  double largest = -INFINITY;
  for (int64_t i = 0; i < n; ++i) {
    if (isnan(tokens[i].logit)) return 0;
    if (tokens[i].logit > largest) largest = tokens[i].logit;
  }
  if (!isfinite(largest)) return 0;
  double total = 0, best = NAN, second = NAN;
  for (int64_t i = 0; i < n; ++i) total += sample_ref_exp(tokens[i].logit - largest);
  int64_t rank = 0;
  for (int64_t i = 0; i < n; ++i) {
    double score = sample_ref_exp(tokens[i].logit - largest) / total;
    if (row->q) score /= (double)fabsf(row->q[i]) + (double)row->eps;
    if (isnan(score)) continue;
    if (isnan(best) || score > best) {
      second = best;
      best = score;
      rank = i;
    } else if (isnan(second) || score > second) {
      second = score;
    }
  }
  if (second > 0 && row->q) sample_ref_closer(margin, best / second - 1);
  return rank;
}

/* `tokens` has room for the row. */
static inline SampleRefResult sample_ref_row(const SampleRefRow *row, SampleRefToken *tokens) {
  SampleRefResult result = {row->vocab, 0, INFINITY, INFINITY};
  int64_t max_k = row->vocab < 1024 ? row->vocab : 1024;
  bool use_k = row->top_k >= 1 && row->top_k <= max_k;
  bool use_p = row->top_p < 1;
  for (int64_t i = 0; i < row->vocab; ++i) {
    tokens[i].logit = row->logits[i];
    tokens[i].id = (int32_t)i;
  }
  if (use_k || use_p || row->min_p > 0) {
    qsort(tokens, (size_t)row->vocab, sizeof *tokens, sample_ref_compare);
    if (use_k) result.kept = row->top_k;
    result.kept = sample_ref_cut(row, tokens, result.kept, use_p, &result.cut_margin);
  }
  result.index = tokens[sample_ref_draw(row, tokens, result.kept, &result.score_margin)].id;
  return result;
}

#endif /* TEST_COMMON_SAMPLE_REF_H_ */
