/* SPDX-License-Identifier: MIT */
#include "run/result.h"

#include <stdlib.h>

#include "base/clock.h"

void mluop_result_init(mluopCaseResult *result, const char *path) {
  *result = (mluopCaseResult){.path = mluop_text_format("%s", path),
                              .hardware_us = MLUOP_RESULT_UNKNOWN,
                              .hardware_cv = MLUOP_RESULT_UNKNOWN,
                              .interface_us = MLUOP_RESULT_UNKNOWN,
                              .io_efficiency = MLUOP_RESULT_UNKNOWN,
                              .compute_efficiency = MLUOP_RESULT_UNKNOWN,
                              .workspace_size = MLUOP_RESULT_UNKNOWN,
                              .theory_ops = MLUOP_RESULT_UNKNOWN,
                              .theory_ios = MLUOP_RESULT_UNKNOWN,
                              .compute_force = MLUOP_RESULT_UNKNOWN,
                              .io_bandwidth = MLUOP_RESULT_UNKNOWN,
                              .gpu_us = MLUOP_RESULT_UNKNOWN,
                              .gpu_io_efficiency = MLUOP_RESULT_UNKNOWN,
                              .gpu_compute_efficiency = MLUOP_RESULT_UNKNOWN,
                              .gpu_workspace_size = MLUOP_RESULT_UNKNOWN,
                              .baseline_us = MLUOP_RESULT_UNKNOWN,
                              .phase_start_us = mluop_clock_us()};
}

void mluop_result_free(mluopCaseResult *result) {
  free(result->path);
  free(result->op_name);
  mluop_text_free(&result->failure);
  mluop_text_free(&result->warning);
  for (size_t i = 0; i < result->n_errors; ++i) {
    free(result->errors[i].output);
  }
  free(result->errors);
  *result = (mluopCaseResult){0};
}

void mluop_result_add_error(mluopCaseResult *result, const char *output, const char *diff,
                            double value, bool judged) {
  mluopOutputError *errors =
      realloc(result->errors, (result->n_errors + 1) * sizeof(mluopOutputError));
  if (!errors) {
    return;
  }
  result->errors = errors;
  result->errors[result->n_errors++] =
      (mluopOutputError){mluop_text_format("%s", output), diff, value, judged};
}

bool mluop_result_passed(const mluopCaseResult *result) {
  return !result->failure.length && result->accuracy != MLUOP_VERDICT_FAIL &&
         result->repeat != MLUOP_VERDICT_FAIL && result->bounds != MLUOP_VERDICT_FAIL &&
         result->performance != MLUOP_VERDICT_FAIL;
}

const char *mluop_verdict_name(mluopVerdict verdict) {
  static const char *const names[] = {"not given", "pass", "fail"};
  return names[verdict];
}

const char *mluop_phase_name(mluopPhase phase) {
  static const char *const names[] = {"parse",     "generate",  "copy_in",  "compute",
                                      "repeat",    "perf_loop", "copy_out", "bounds",
                                      "reference", "compare",   "theory",   "release"};
  return names[phase];
}

void mluop_phase_enter(mluopCaseResult *result, mluopPhase phase) {
  const double now = mluop_clock_us();
  result->phase_ms[result->phase] += (now - result->phase_start_us) * 1e-3;
  result->phase_start_us = now;
  result->phase = phase;
}

void mluop_phase_end(mluopCaseResult *result) {
  mluop_phase_enter(result, result->phase);
  result->total_ms = 0;
  for (int phase = 0; phase < MLUOP_PHASES; ++phase) {
    result->total_ms += result->phase_ms[phase];
  }
}

bool mluop_phase_is_framework(mluopPhase phase) {
  return phase != MLUOP_PHASE_COMPUTE && phase != MLUOP_PHASE_REPEAT && phase != MLUOP_PHASE_PERF &&
         phase != MLUOP_PHASE_REFERENCE;
}

double mluop_result_framework_ms(const mluopCaseResult *result) {
  double ms = 0;
  for (int phase = 0; phase < MLUOP_PHASES; ++phase) {
    ms += mluop_phase_is_framework((mluopPhase)phase) ? result->phase_ms[phase] : 0;
  }
  return ms;
}
