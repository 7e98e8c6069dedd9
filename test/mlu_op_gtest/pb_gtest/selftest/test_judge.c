/* SPDX-License-Identifier: MIT
 *
 * Error formulas on arrays small enough to check by hand, NaN and infinities, criteria, filters. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "judge/bits.h"
#include "judge/criteria.h"
#include "judge/diff.h"
#include "run/filter.h"
#include "selftest/check.h"

static const mluopDtypeInfo *float_info(void) {
  return mluop_dtype_info(MLUOPTEST__DATA_TYPE__DTYPE_FLOAT);
}

static mluopDiffs diffs_of(const float *baseline, const float *measured, size_t n, bool loose) {
  return mluop_diffs_compute(float_info(), baseline, measured, n, 0, loose);
}

static bool near(double a, double b) {
  return fabs(a - b) <= 1e-6 * fabs(b) + 1e-12;
}

static void test_formulas(void) {
  const float b[] = {1, -2, 4, 0}, m[] = {1, -1, 5, 0.5f};
  const mluopDiffs d = diffs_of(b, m, 4, false);
  CHECK(near(d.value[MLUOP_DIFF1], 2.5 / 7));
  CHECK(near(d.value[MLUOP_DIFF2], sqrt(2.25 / 21)));
  CHECK(near(d.value[MLUOP_DIFF3], 0.5)); /* for |b| below eps the error is absolute */
  CHECK(near(d.value[MLUOP_DIFF3_2], 1));
  CHECK(d.value[MLUOP_DIFF4] == MLUOP_DIFF_IGNORED && d.value[MLUOP_DIFF_KL] == MLUOP_DIFF_IGNORED);
  CHECK(d.n_different == 3 && d.first == 1);
  const mluopDiffs same = diffs_of(b, b, 4, false);
  CHECK(same.value[MLUOP_DIFF1] == 0 && same.value[MLUOP_DIFF3] == 0 && !same.n_different);
}

/* A matching NaN must not hide a wrong finite element; a wrong NaN is always reported. */
static void test_nonfinite(void) {
  const float b[] = {NAN, INFINITY, 1, 2};
  const float good[] = {-NAN, INFINITY, 1, 2};
  const float hidden[] = {NAN, INFINITY, 1, 3};
  const float wrong[] = {NAN, -INFINITY, 1, 2};
  const float swapped[] = {INFINITY, NAN, 1, 2};
  const float lost[] = {0, INFINITY, 1, 2};
  CHECK(diffs_of(b, good, 4, false).value[MLUOP_DIFF1] == 0);
  CHECK(near(diffs_of(b, hidden, 4, false).value[MLUOP_DIFF3_2], 1));
  CHECK(diffs_of(b, wrong, 4, false).value[MLUOP_DIFF1] == DBL_MAX);
  CHECK(diffs_of(b, wrong, 4, true).value[MLUOP_DIFF1] == DBL_MAX);
  CHECK(diffs_of(b, swapped, 4, false).value[MLUOP_DIFF2] == DBL_MAX);
  CHECK(diffs_of(b, swapped, 4, true).value[MLUOP_DIFF2] == 0);
  CHECK(diffs_of(b, lost, 4, true).value[MLUOP_DIFF3] == DBL_MAX);
  CHECK(diffs_of(lost, b, 4, false).n_nonfinite_wrong == 1);
}

enum { LONG = 200000 };

static void test_long(void) {
  float *b = malloc(LONG * sizeof(float)), *m = malloc(LONG * sizeof(float));
  if (!b || !m) {
    ++check_failures;
    free(b);
    free(m);
    return;
  }
  for (int i = 0; i < LONG; ++i) {
    b[i] = (float)(i % 1000 + 1);
    m[i] = b[i] + (i % 2 ? 0.25f : -0.25f);
  }
  mluopDiffs d = diffs_of(b, m, LONG, false);
  CHECK(near(d.value[MLUOP_DIFF1], 0.25 / 500.5));
  CHECK(near(d.value[MLUOP_DIFF4], 0.5)); /* 1000 distinct pairs, half of them below */
  CHECK(d.value[MLUOP_DIFF_KL] > 0 && d.value[MLUOP_DIFF_KL] < 1e-3);
  CHECK(d.n_different == LONG && d.first == 0);
  for (int i = 0; i < LONG; ++i) {
    m[i] = b[i] + 0.25f;
  }
  d = diffs_of(b, m, LONG, false);
  CHECK(d.value[MLUOP_DIFF4] == 0);
  CHECK(!mluop_diff_passes(MLUOP_DIFF4, 0, 1) && !mluop_diff_passes(MLUOP_DIFF4, 1, 1));
  CHECK(mluop_diff_passes(MLUOP_DIFF4, 0.5, 0) && mluop_diff_passes(MLUOP_DIFF4, -1, 0));
  memcpy(m, b, LONG * sizeof(float));
  m[LONG - 1] = 0;
  const mluopBitsResult bits = mluop_bits_compare(float_info(), b, m, LONG, false);
  CHECK(bits.n_different == 1 && bits.first == LONG - 1);
  free(b);
  free(m);
}

static void test_bits(void) {
  const uint32_t a[] = {0x00000000, 0x7fc00000, 0x3f800000},
                 b[] = {0x80000000, 0x7fc00001, 0x3f800000};
  CHECK(mluop_bits_compare(float_info(), a, b, 3, false).n_different == 2);
  CHECK(mluop_bits_compare(float_info(), a, b, 3, true).n_different == 1);
  CHECK(mluop_bits_compare(float_info(), a, b, 3, true).first == 0);
}

/* Criteria of a node with one output. */
static int read_criteria(Mluoptest__Node *node, mluopTestClass accuracy_class,
                         mluopCriteria *criteria, const char *message) {
  mluopTestText errors = {0};
  const int failed = mluop_criteria_read(node, 0, accuracy_class, criteria, &errors);
  CHECK_CONTAINS(mluop_text_get(&errors), message);
  mluop_text_free(&errors);
  return failed;
}

static void test_criteria(void) {
  Mluoptest__Tensor output = MLUOPTEST__TENSOR__INIT;
  Mluoptest__Tensor *outputs[] = {&output};
  Mluoptest__Node node = MLUOPTEST__NODE__INIT;
  node.n_output = 1;
  node.output = outputs;
  mluopCriteria c;
  /* nothing specified: the class decides */
  CHECK(!read_criteria(&node, MLUOP_TEST_CLASS_PURE_IO, &c, ""));
  CHECK(c.n == 1 && c.items[0].kind == MLUOP_DIFF3_2 && c.items[0].threshold == 0);
  CHECK(c.bits == MLUOP_BITS_EQUAL);
  CHECK(!read_criteria(&node, MLUOP_TEST_CLASS_ACCUMULATION, &c, ""));
  CHECK(c.n == 2 && c.items[1].threshold == 3e-3 && c.bits == MLUOP_BITS_IGNORED);
  CHECK(!read_criteria(&node, MLUOP_TEST_CLASS_CONVOLUTION, &c, ""));
  CHECK(c.items[0].threshold == 1e-5);

  /* common and own thresholds */
  Mluoptest__EvaluationCriterion funcs[] = {MLUOPTEST__EVALUATION_CRITERION__MAXAPE,
                                            MLUOPTEST__EVALUATION_CRITERION__DIFF3};
  double thresholds[] = {0.5, 0.25}, own[] = {0.125, 0};
  node.n_evaluation_criterion = node.n_evaluation_threshold = 2;
  node.evaluation_criterion = funcs;
  node.evaluation_threshold = thresholds;
  CHECK(!read_criteria(&node, MLUOP_TEST_CLASS_PURE_IO, &c, ""));
  CHECK(c.n == 1 && c.items[0].kind == MLUOP_DIFF3 && c.items[0].threshold == 0.5);
  CHECK(c.bits == MLUOP_BITS_IGNORED);
  Mluoptest__Thresholds own_thresholds = MLUOPTEST__THRESHOLDS__INIT;
  own_thresholds.n_evaluation_threshold = 2;
  own_thresholds.evaluation_threshold = own;
  output.thresholds = &own_thresholds;
  CHECK(!read_criteria(&node, MLUOP_TEST_CLASS_PURE_IO, &c, ""));
  CHECK(c.items[0].threshold == 0.125);

  /* test_param takes precedence; mistakes in it are named */
  Mluoptest__TestParam param = MLUOPTEST__TEST_PARAM__INIT;
  node.test_param = &param;
  param.n_error_func = 2;
  param.error_func = funcs;
  param.n_error_threshold = 1;
  param.error_threshold = thresholds;
  CHECK(read_criteria(&node, MLUOP_TEST_CLASS_PURE_IO, &c, "2 test_param.error_func but 1"));
  param.n_error_func = 1;
  funcs[0] = MLUOPTEST__EVALUATION_CRITERION__NRMSE;
  CHECK(read_criteria(&node, MLUOP_TEST_CLASS_PURE_IO, &c, "NRMSE is not supported"));
  funcs[0] = MLUOPTEST__EVALUATION_CRITERION__DIFF1;
  thresholds[0] = -1;
  CHECK(read_criteria(&node, MLUOP_TEST_CLASS_PURE_IO, &c, "no result could pass"));
  output.has_threshold_use = 1;
  CHECK(!read_criteria(&node, MLUOP_TEST_CLASS_PURE_IO, &c, ""));
  CHECK(c.skipped);
}

static bool matches(const char *filter, const char *test, const char *file) {
  const char *const names[] = {test, file};
  return mluop_filter_matches(filter, names, 2);
}

static void test_filter(void) {
  CHECK(matches("*", "op/TestSuite.mluOp/0", ""));
  CHECK(matches("*op*", "op/TestSuite.mluOp/0", ""));
  CHECK(matches("a:*case_1*", "op/TestSuite.mluOp/0", "op/case_1.prototxt"));
  CHECK(!matches("*case_2*", "op/TestSuite.mluOp/0", "op/case_1.prototxt"));
  CHECK(!matches("*-*case_1*", "op/TestSuite.mluOp/0", "op/case_1.prototxt"));
  CHECK(matches("-*case_2*", "op/TestSuite.mluOp/0", "op/case_1.prototxt"));
  CHECK(matches("op/TestSuite.mluOp/?", "op/TestSuite.mluOp/0", ""));
  CHECK(!matches("op/TestSuite.mluOp/?", "op/TestSuite.mluOp/10", ""));
  CHECK(matches("*a*b*c", "xxaxxbxbxc", ""));
}

int main(void) {
  test_formulas();
  test_nonfinite();
  test_long();
  test_bits();
  test_criteria();
  test_filter();
  return check_result("judge");
}
