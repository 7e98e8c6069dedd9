/* SPDX-License-Identifier: MIT
 *
 * The error formulas (b baseline, m measured, in double):
 *
 * DIFF1    sum|m-b| / (sum|b| + 1e-9)
 * DIFF2    sqrt(sum(m-b)^2 / (sum b^2 + 1e-9))
 * DIFF3    max of |m-b| where |b| < eps, of |m-b| / (|b| + 1e-9) elsewhere; eps 1e-6 for float,
 * 1e-4 for 16-bit floats, else 0 DIFF3_2  max |m-b| DIFF4    share of m < b among the distinct
 * unequal pairs; ignored below 100 of them, wrong only at exactly 0 or 1 DIFF_KL  symmetric
 * Kullback-Leibler distance of |m| and |b| scaled to sum 1; ignored below 1000 elements
 *
 * NaN and infinities are judged element by element: equal ones are left out of the formulas, and
 * one that differs makes every formula infinite, so that a matching NaN never hides the rest. */
#ifndef MLUOP_TEST_JUDGE_DIFF_H_
#define MLUOP_TEST_JUDGE_DIFF_H_

#include <stdbool.h>
#include <stddef.h>

#include "data/dtype.h"
#include "judge/criteria.h"

/* Value of a formula that does not apply. */
#define MLUOP_DIFF_IGNORED (-1.0)

typedef struct mluopDiffs {
  double value[MLUOP_DIFF_KINDS]; /* MLUOP_DIFF_IGNORED or >= 0 */
  size_t n_nonfinite_wrong;
  size_t n_different; /* elements with m != b, wrong NaN and infinities included */
  size_t first;       /* the first of them */
  bool same_bits;     /* of all parts: nothing else needs to be compared */
} mluopDiffs;

/* Errors of one real array, or of one part (0 real, 1 imaginary) of a complex one. `loose` accepts
 * a NaN where an infinity is wanted and the other way round. */
mluopDiffs mluop_diffs_compute(const mluopDtypeInfo *info, const void *baseline,
                               const void *measured, size_t count, int part, bool loose);

bool mluop_diff_passes(mluopDiffKind kind, double value, double threshold);

#endif /* MLUOP_TEST_JUDGE_DIFF_H_ */
