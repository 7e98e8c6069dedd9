/* SPDX-License-Identifier: MIT
 *
 * Which formulas judge an output and with which thresholds. */
#ifndef MLUOP_TEST_JUDGE_CRITERIA_H_
#define MLUOP_TEST_JUDGE_CRITERIA_H_

#include "base/text.h"
#include "executor.h"

typedef enum mluopDiffKind {
  MLUOP_DIFF1,
  MLUOP_DIFF2,
  MLUOP_DIFF3,
  MLUOP_DIFF3_2,
  MLUOP_DIFF4,
  MLUOP_DIFF_KL,
  MLUOP_DIFF_KINDS,
} mluopDiffKind;

const char *mluop_diff_name(mluopDiffKind kind);

typedef struct mluopCriterion {
  mluopDiffKind kind;
  double threshold;
  double threshold_imag;
} mluopCriterion;

typedef enum mluopBitRule {
  MLUOP_BITS_IGNORED,
  MLUOP_BITS_EQUAL_BUT_NAN, /* every bit, but any NaN equals any NaN */
  MLUOP_BITS_EQUAL,
} mluopBitRule;

typedef struct mluopCriteria {
  bool skipped; /* threshold_use: 0 */
  size_t n;
  mluopCriterion items[MLUOP_DIFF_KINDS];
  mluopBitRule bits; /* applies when all thresholds are zero and the operator's class is exact */
} mluopCriteria;

/* Criteria of output number `index`: test_param, else evaluation_criterion, else the operator
 * class. */
int mluop_criteria_read(const Mluoptest__Node *node, size_t index, mluopTestClass accuracy_class,
                        mluopCriteria *criteria, mluopTestText *errors);

#endif /* MLUOP_TEST_JUDGE_CRITERIA_H_ */
