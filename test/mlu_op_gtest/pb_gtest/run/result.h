/* SPDX-License-Identifier: MIT
 *
 * What is known about a case after it ran. */
#ifndef MLUOP_TEST_RUN_RESULT_H_
#define MLUOP_TEST_RUN_RESULT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mluopVerdict {
  MLUOP_VERDICT_NONE, /* not asked for, or the case ended before */
  MLUOP_VERDICT_PASS,
  MLUOP_VERDICT_FAIL,
} mluopVerdict;

typedef enum mluopPhase {
  MLUOP_PHASE_PARSE,
  MLUOP_PHASE_GENERATE, /* memory and initial content of the tensors, expected values included */
  MLUOP_PHASE_COPY_IN,  /* workspace, and the content again before the second call */
  MLUOP_PHASE_COMPUTE,  /* the operator */
  MLUOP_PHASE_REPEAT,   /* the operator again */
  MLUOP_PHASE_PERF,     /* the operator, timed */
  MLUOP_PHASE_COPY_OUT,
  MLUOP_PHASE_BOUNDS,
  MLUOP_PHASE_REFERENCE,
  MLUOP_PHASE_COMPARE,
  MLUOP_PHASE_THEORY, /* least operations and bytes, efficiencies */
  MLUOP_PHASE_RELEASE,
  MLUOP_PHASES,
} mluopPhase;

/* Value of a time, size or efficiency that is not known. */
#define MLUOP_RESULT_UNKNOWN (-1.0)

typedef struct mluopOutputError {
  char *output;
  const char *diff; /* DIFF1, ... */
  double value;
  bool judged; /* false: printed for MLUOP_GTEST_ALL_CRITERION only */
} mluopOutputError;

typedef struct mluopCaseResult {
  char *path;
  char *op_name; /* as the case says; NULL when it could not be read */

  /* The four verdicts; a case passes when none is FAIL and `failure` is empty. */
  mluopVerdict accuracy, repeat, bounds, performance;
  bool refused_by_device; /* the device lacks a data type of the case, refused it and wrote nothing
                           */
  mluopTestText failure;  /* lines, empty when all is well */
  mluopTestText warning;

  double hardware_us, hardware_cv, interface_us;
  char time_class[96]; /* how exact estimated times are; empty: measured */
  double io_efficiency, compute_efficiency;
  double workspace_size;
  double theory_ops, theory_ios;
  double compute_force, io_bandwidth;
  double gpu_us, gpu_io_efficiency, gpu_compute_efficiency, gpu_workspace_size;
  double baseline_us; /* stored time of MLUOP_GTEST_PERF_BASELINE */

  uint64_t output_digest; /* of the bits of all outputs; 0 when they were not judged */

  size_t n_errors;
  mluopOutputError *errors;

  double phase_ms[MLUOP_PHASES];
  double total_ms; /* the sum of the phases */
  mluopPhase phase;
  double phase_start_us;
} mluopCaseResult;

/* The clock of the phases starts here, in the first one. */
void mluop_result_init(mluopCaseResult *result, const char *path);
void mluop_result_free(mluopCaseResult *result);
void mluop_result_add_error(mluopCaseResult *result, const char *output, const char *diff,
                            double value, bool judged);
bool mluop_result_passed(const mluopCaseResult *result);
const char *mluop_verdict_name(mluopVerdict verdict);
const char *mluop_phase_name(mluopPhase phase);

/* Enters a phase. All time until the next call counts for it. */
void mluop_phase_enter(mluopCaseResult *result, mluopPhase phase);
/* Ends the last phase and sets total_ms. */
void mluop_phase_end(mluopCaseResult *result);

/* False for the calls of the operator and the reference: what a case is about. */
bool mluop_phase_is_framework(mluopPhase phase);
/* The sum of the others. */
double mluop_result_framework_ms(const mluopCaseResult *result);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_RESULT_H_ */
