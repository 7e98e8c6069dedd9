/* SPDX-License-Identifier: MIT */
#include "judge/criteria.h"

static const char *const diff_names[] = {"DIFF1", "DIFF2", "DIFF3", "DIFF3_2", "DIFF4", "DIFF_KL"};

const char *mluop_diff_name(mluopDiffKind kind) {
  return diff_names[kind];
}

/* MAPE and MAXAPE are the old names of DIFF1 and DIFF3. -1: a formula nobody defines any more. */
static int diff_kind(Mluoptest__EvaluationCriterion criterion) {
  switch (criterion) {
    case MLUOPTEST__EVALUATION_CRITERION__MAPE:
    case MLUOPTEST__EVALUATION_CRITERION__DIFF1:
      return MLUOP_DIFF1;
    case MLUOPTEST__EVALUATION_CRITERION__DIFF2:
      return MLUOP_DIFF2;
    case MLUOPTEST__EVALUATION_CRITERION__MAXAPE:
    case MLUOPTEST__EVALUATION_CRITERION__DIFF3:
      return MLUOP_DIFF3;
    case MLUOPTEST__EVALUATION_CRITERION__DIFF3_2:
      return MLUOP_DIFF3_2;
    case MLUOPTEST__EVALUATION_CRITERION__DIFF4:
      return MLUOP_DIFF4;
    case MLUOPTEST__EVALUATION_CRITERION__DIFF_KL:
      return MLUOP_DIFF_KL;
    default:
      return -1;
  }
}

static void criteria_add(mluopCriteria *criteria, mluopDiffKind kind, double threshold,
                         double threshold_imag) {
  for (size_t i = 0; i < criteria->n; ++i) {
    if (criteria->items[i].kind == kind) {
      return; /* the first one counts */
    }
  }
  criteria->items[criteria->n++] = (mluopCriterion){kind, threshold, threshold_imag};
}

typedef struct CriteriaLists {
  const char *funcs_name;
  const char *thresholds_name;
  const Mluoptest__EvaluationCriterion *funcs;
  size_t n_funcs;
  const double *thresholds;
  size_t n_thresholds;
  const double *imag;
  size_t n_imag;
} CriteriaLists;

static int criteria_from_lists(const CriteriaLists *lists, mluopCriteria *criteria,
                               mluopTestText *errors) {
  if (lists->n_thresholds != lists->n_funcs) {
    mluop_text_add(errors, "%zu %s but %zu %s", lists->n_funcs, lists->funcs_name,
                   lists->n_thresholds, lists->thresholds_name);
    return -1;
  }
  if (lists->n_imag && lists->n_imag != lists->n_funcs) {
    mluop_text_add(errors, "%zu %s but %zu %s_imag", lists->n_funcs, lists->funcs_name,
                   lists->n_imag, lists->thresholds_name);
    return -1;
  }
  for (size_t i = 0; i < lists->n_funcs; ++i) {
    const int kind = diff_kind(lists->funcs[i]);
    if (kind < 0) {
      const ProtobufCEnumValue *value = protobuf_c_enum_descriptor_get_value(
          &mluoptest__evaluation_criterion__descriptor, (int)lists->funcs[i]);
      mluop_text_add(errors,
                     "%s[%zu]: %s is not supported; use DIFF1, DIFF2, DIFF3, DIFF3_2, DIFF4 or "
                     "DIFF_KL",
                     lists->funcs_name, i, value ? value->name : "this number");
      return -1;
    }
    const double threshold = lists->thresholds[i];
    const double imag = lists->n_imag ? lists->imag[i] : threshold;
    if (kind != MLUOP_DIFF4 && !(threshold >= 0 && imag >= 0)) {
      mluop_text_add(errors, "%s[%zu] is %g: no result could pass", lists->thresholds_name, i,
                     threshold);
      return -1;
    }
    criteria_add(criteria, (mluopDiffKind)kind, threshold, imag);
  }
  return 0;
}

static void criteria_from_class(mluopTestClass accuracy_class, Mluoptest__DataType dtype,
                                mluopCriteria *criteria) {
  if (accuracy_class == MLUOP_TEST_CLASS_ARITHMETIC || accuracy_class == MLUOP_TEST_CLASS_PURE_IO) {
    criteria_add(criteria, MLUOP_DIFF3_2, 0, 0);
    return;
  }
  const bool tight =
      accuracy_class == MLUOP_TEST_CLASS_CONVOLUTION && dtype == MLUOPTEST__DATA_TYPE__DTYPE_FLOAT;
  const double threshold = tight ? 1e-5 : 3e-3;
  criteria_add(criteria, MLUOP_DIFF1, threshold, threshold);
  criteria_add(criteria, MLUOP_DIFF2, threshold, threshold);
}

static bool all_zero(const mluopCriteria *criteria) {
  for (size_t i = 0; i < criteria->n; ++i) {
    const mluopCriterion *item = &criteria->items[i];
    if (item->kind != MLUOP_DIFF4 && (item->threshold > 0 || item->threshold_imag > 0)) {
      return false;
    }
  }
  return true;
}

int mluop_criteria_read(const Mluoptest__Node *node, size_t index, mluopTestClass accuracy_class,
                        mluopCriteria *criteria, mluopTestText *errors) {
  *criteria = (mluopCriteria){0};
  const Mluoptest__Tensor *output = node->output[index];
  const Mluoptest__TestParam *param = node->test_param;
  if (output->has_threshold_use && output->threshold_use == 0) {
    criteria->skipped = true;
    return 0;
  }
  int failed = 0;
  if (param && (param->n_error_func || param->n_error_threshold)) {
    failed = criteria_from_lists(&(CriteriaLists){.funcs_name = "test_param.error_func",
                                                  .thresholds_name = "test_param.error_threshold",
                                                  .funcs = param->error_func,
                                                  .n_funcs = param->n_error_func,
                                                  .thresholds = param->error_threshold,
                                                  .n_thresholds = param->n_error_threshold,
                                                  .imag = param->error_threshold_imag,
                                                  .n_imag = param->n_error_threshold_imag},
                                 criteria, errors);
  } else if (node->n_evaluation_criterion) {
    const Mluoptest__Thresholds *own = output->thresholds;
    failed = criteria_from_lists(
        &(CriteriaLists){
            .funcs_name = "evaluation_criterion",
            .thresholds_name = own ? "thresholds.evaluation_threshold" : "evaluation_threshold",
            .funcs = node->evaluation_criterion,
            .n_funcs = node->n_evaluation_criterion,
            .thresholds = own ? own->evaluation_threshold : node->evaluation_threshold,
            .n_thresholds = own ? own->n_evaluation_threshold : node->n_evaluation_threshold,
            .imag = own ? own->evaluation_threshold_imag : node->evaluation_threshold_imag,
            .n_imag = own ? own->n_evaluation_threshold_imag : node->n_evaluation_threshold_imag},
        criteria, errors);
  } else {
    criteria_from_class(accuracy_class, output->dtype, criteria);
  }
  if (!failed && all_zero(criteria)) {
    criteria->bits = accuracy_class == MLUOP_TEST_CLASS_PURE_IO      ? MLUOP_BITS_EQUAL
                     : accuracy_class == MLUOP_TEST_CLASS_ARITHMETIC ? MLUOP_BITS_EQUAL_BUT_NAN
                                                                     : MLUOP_BITS_IGNORED;
  }
  return failed;
}
