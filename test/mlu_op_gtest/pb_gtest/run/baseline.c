/* SPDX-License-Identifier: MIT */
#include "run/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "run/baseline_file.h"
#include "schema/text_format.h"
#include "threshold.pb-c.h"

static const char time_name[] = "hardware_time_mlu";

static struct {
  mluopBaselineFile times, errors;
  Mluoptest__ThresholdList *time_thresholds, *error_thresholds;
} baseline;

static int read_thresholds(const char *path, Mluoptest__ThresholdList **list,
                           mluopTestText *errors) {
  size_t size = 0;
  char *text = mluop_file_read_all(path, &size, errors);
  if (!text) {
    mluop_text_add(errors, "\n");
    return -1;
  }
  mluopWire wire;
  if (!mluop_threshold_json_to_wire(path, text, size, &wire, errors)) {
    *list = mluoptest__threshold_list__unpack(NULL, wire.size, wire.data);
    mluop_wire_free(&wire);
  }
  free(text);
  return *list ? 0 : -1;
}

static int open_one(bool wanted, const char *file_name, const char *variable,
                    const char *threshold_name, mluopBaselineFile *file,
                    Mluoptest__ThresholdList **thresholds, mluopTestText *errors) {
  if (!wanted) {
    return 0;
  }
  if (!file_name) {
    mluop_text_add(errors, "%s must name the stored numbers\n", variable);
    return -1;
  }
  if (mluop_baseline_file_read(file, file_name, errors)) {
    return -1;
  }
  return threshold_name ? read_thresholds(threshold_name, thresholds, errors) : 0;
}

int mluop_baseline_open(const mluopTestOptions *options, mluopTestText *errors) {
  return open_one(options->perf_baseline, options->perf_baseline_file, "MLUOP_BASELINE_XML_FILE",
                  options->perf_threshold_file, &baseline.times, &baseline.time_thresholds,
                  errors) ||
                 open_one(options->acc_baseline, options->acc_baseline_file,
                          "MLUOP_ACC_BASELINE_XML_FILE", options->acc_threshold_file,
                          &baseline.errors, &baseline.error_thresholds, errors)
             ? -1
             : 0;
}

/* The entry of the operator, else the first one, else built-in defaults. */
static Mluoptest__ThresholdAttrs limits_of(const Mluoptest__ThresholdList *list,
                                           const char *op_name, bool *white_listed) {
  const Mluoptest__ThresholdAttrs fallback = MLUOPTEST__THRESHOLD_ATTRS__INIT;
  const Mluoptest__ThresholdEntry *entry = list && list->n_entry ? list->entry[0] : NULL;
  *white_listed = false;
  for (size_t i = 0; list && op_name && i < list->n_entry; ++i) {
    if (list->entry[i]->op_name && !strcmp(list->entry[i]->op_name, op_name)) {
      entry = list->entry[i];
      *white_listed = entry->in_white_list;
      break;
    }
  }
  return entry && entry->threshold_attrs ? *entry->threshold_attrs : fallback;
}

static void judge_time(const mluopTestOptions *options, mluopCaseResult *result, const char *key) {
  /* Refused calls and calls without elements compute nothing and have no verdict here. */
  if (result->performance == MLUOP_VERDICT_NONE || result->hardware_us < 0 ||
      !mluop_result_passed(result)) {
    return;
  }
  const double *stored = mluop_baseline_file_get(&baseline.times, key, time_name);
  if (!stored || *stored <= 0 || options->baseline_only) {
    mluop_baseline_file_set(&baseline.times, key, time_name, result->hardware_us);
    return;
  }
  const double base = *stored, excess = result->hardware_us - base;
  result->baseline_us = base;
  bool white_listed;
  const Mluoptest__ThresholdAttrs limits =
      limits_of(baseline.time_thresholds, result->op_name, &white_listed);
  const bool small = base <= limits.scale_bound;
  const bool slow =
      small ? excess > limits.threshold_absolute : excess / base > limits.threshold_relative;
  if (slow && !white_listed) {
    result->performance = MLUOP_VERDICT_FAIL;
    mluop_text_add(
        &result->failure,
        "performance: %.3f us, stored %.3f us: %.3f %s slower, at most %.3f is allowed\n",
        result->hardware_us, base, small ? excess : excess / base * 100, small ? "us" : "%",
        small ? limits.threshold_absolute : limits.threshold_relative * 100);
    return;
  }
  mluop_baseline_file_set(&baseline.times, key, time_name, (base + result->hardware_us) / 2);
}

static void judge_errors(mluopCaseResult *result, const char *key) {
  bool white_listed;
  const Mluoptest__ThresholdAttrs limits =
      limits_of(baseline.error_thresholds, result->op_name, &white_listed);
  for (size_t i = 0; i < result->n_errors; ++i) {
    const mluopOutputError *error = &result->errors[i];
    char *name = mluop_text_format("%s_error_%s", error->output, error->diff);
    const double *stored = name ? mluop_baseline_file_get(&baseline.errors, key, name) : NULL;
    if (stored && *stored >= 0 && error->value >= 0 && !white_listed &&
        error->value - *stored > *stored * limits.threshold) {
      result->accuracy = MLUOP_VERDICT_FAIL;
      mluop_text_add(&result->failure, "accuracy: '%s' %s is %.6e, it was %.6e\n", error->output,
                     error->diff, error->value, *stored);
    }
    free(name);
  }
}

void mluop_baseline_judge(const mluopTestOptions *options, mluopCaseResult *result) {
  if (!options->perf_baseline && !options->acc_baseline) {
    return;
  }
  char *key = mluop_text_format("%s/%s", result->op_name ? result->op_name : "",
                                mluop_path_base(result->path));
  if (key && options->acc_baseline) {
    judge_errors(result, key);
  }
  if (key && options->perf_baseline) {
    judge_time(options, result, key);
  }
  free(key);
}

static void free_thresholds(Mluoptest__ThresholdList **list) {
  if (*list) {
    mluoptest__threshold_list__free_unpacked(*list, NULL);
  }
  *list = NULL;
}

int mluop_baseline_close(const mluopTestOptions *options, mluopTestText *errors) {
  const int failed =
      options->perf_baseline && options->perf_baseline_file
          ? mluop_baseline_file_write(&baseline.times, options->perf_baseline_file, errors)
          : 0;
  mluop_baseline_file_free(&baseline.times);
  mluop_baseline_file_free(&baseline.errors);
  free_thresholds(&baseline.time_thresholds);
  free_thresholds(&baseline.error_thresholds);
  return failed;
}
