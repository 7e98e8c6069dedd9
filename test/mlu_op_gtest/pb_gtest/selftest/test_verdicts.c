/* SPDX-License-Identifier: MIT
 *
 * A correct kernel passes; each mistake fails exactly its own verdict. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "core/context.h"
#include "run/case_run.h"
#include "run/variants.h"
#include "selftest/broken_executors.h"
#include "selftest/check.h"
#include "test/common/scratch.h"

static char folder[SCRATCH_PATH];

/* Writes a case and returns its path. */
static char *write_case(const char *name, const char *text) {
  char *path = mluop_text_format("%s/%s.prototxt", folder, name);
  mluopTestText errors = {0};
  CHECK(path && !mluop_file_write_all(path, text, strlen(text), &errors));
  mluop_text_free(&errors);
  return path;
}

static const char *const uniform = "seed: 7 lower_bound: 1 upper_bound: 2";
static const char *const gaussian = "seed: 7 mu: 1 sigma: 2 distribution: GAUSSIAN";
static const char *input_data;

static const char *data_type = "DTYPE_FLOAT";
static mluOpDevType_t board = MLUOP_MLU590;

static char *doubling_case(const char *op_name, const char *shape, const char *threshold) {
  char *text = mluop_text_format(
      "op_name: \"%s\"\n"
      "input { id: \"x\" shape { %s } layout: LAYOUT_ARRAY dtype: %s\n"
      "  random_data { %s } }\n"
      "output { id: \"y\" shape { %s } layout: LAYOUT_ARRAY dtype: %s }\n"
      "test_param { error_func: DIFF1 error_threshold: %s baseline_device: CPU }\n",
      op_name, shape, data_type, input_data, shape, data_type, threshold);
  char *path = write_case(op_name, text);
  free(text);
  return path;
}

static mluopCaseResult run(const mluopTestOptions *options, BrokenMode mode, const char *shape,
                           const char *threshold) {
  mluopTestSession session;
  mluopTestText errors = {0};
  mluopCaseResult result;
  CHECK(!mluop_session_open(&session, options, &errors));
  session.handle->arch = board;
  const mluopTestExecutor *executor = broken_executor(mode);
  char *path = doubling_case(executor->name, shape, threshold);
  mluop_case_run(options, &session, executor, path, &result);
  mluop_session_close(&session);
  mluop_text_free(&errors);
  unlink(path);
  free(path);
  return result;
}

/* Everything passes except the given verdicts. */
static void expect_of(const mluopTestOptions *options, const char *shape, BrokenMode mode,
                      const char *threshold, mluopVerdict accuracy, mluopVerdict repeat,
                      mluopVerdict bounds, const char *reason) {
  mluopCaseResult result = run(options, mode, shape, threshold);
  if (result.accuracy != accuracy || result.repeat != repeat || result.bounds != bounds) {
    ++check_failures;
    fprintf(stderr, "%s: accuracy %s, repeat %s, bounds %s\n%s", broken_executor(mode)->name,
            mluop_verdict_name(result.accuracy), mluop_verdict_name(result.repeat),
            mluop_verdict_name(result.bounds), mluop_text_get(&result.failure));
  }
  const bool all = accuracy == MLUOP_VERDICT_PASS && repeat == MLUOP_VERDICT_PASS &&
                   bounds == MLUOP_VERDICT_PASS;
  CHECK(mluop_result_passed(&result) == all);
  CHECK(result.performance == MLUOP_VERDICT_PASS);
  CHECK_CONTAINS(mluop_text_get(&result.failure), reason);
  mluop_result_free(&result);
}

static void expect(const mluopTestOptions *options, BrokenMode mode, const char *threshold,
                   mluopVerdict accuracy, mluopVerdict repeat, mluopVerdict bounds,
                   const char *reason) {
  expect_of(options, "dims: 2500", mode, threshold, accuracy, repeat, bounds, reason);
}

static void test_mistakes(const mluopTestOptions *options) {
  const mluopVerdict pass = MLUOP_VERDICT_PASS, fail = MLUOP_VERDICT_FAIL;
  expect(options, BROKEN_NOT, "0", pass, pass, pass, "");
  expect(options, BROKEN_TAIL, "0", fail, pass, pass, "first element 2499: got -1");
  expect(options, BROKEN_SYNC, "0", fail, pass, pass, "2500 of 2500 values differ");
  expect(options, BROKEN_BEFORE, "0", pass, pass, fail,
         "bytes before output[0] 'y' were overwritten");
  expect(options, BROKEN_AFTER, "0", pass, pass, fail,
         "bytes after output[0] 'y' were overwritten");
  expect(options, BROKEN_WORKSPACE, "0", pass, pass, fail, "after the workspace");
  expect(options, BROKEN_INPUT, "0", pass, pass, fail,
         "input[0] 'x' was modified, first at byte 5000 (element 1250)");
  expect(options, BROKEN_NONDETERMINISTIC, "0.003", pass, fail, pass,
         "differs between two runs in 1 values, first [1250]");
  expect(options, BROKEN_IN_PLACE, "0", pass, pass, pass, "");
}

/* Positive values, some of which the kernel leaves out: all errors have the same sign. */
static void test_one_sided(const mluopTestOptions *options) {
  expect(options, BROKEN_SYNC, "9 error_func: DIFF4 error_threshold: 0.5", MLUOP_VERDICT_FAIL,
         MLUOP_VERDICT_PASS, MLUOP_VERDICT_PASS,
         "DIFF4 is 1.000000e+00, values that differ must lie on both sides of the wanted ones");
}

/* The same with tensors that several threads generate and judge. */
static void test_large(const mluopTestOptions *options) {
  const mluopVerdict pass = MLUOP_VERDICT_PASS, fail = MLUOP_VERDICT_FAIL;
  const char *shape = "dims: 3000001";
  expect_of(options, shape, BROKEN_NOT, "0", pass, pass, pass, "");
  expect_of(options, shape, BROKEN_TAIL, "0", fail, pass, pass, "first element 3000000: got -1");
  expect_of(options, shape, BROKEN_AFTER, "0", pass, pass, fail,
            "bytes after output[0] 'y' were overwritten");
  expect_of(options, shape, BROKEN_INPUT, "0", pass, pass, fail,
            "input[0] 'x' was modified, first at byte 6000000 (element 1500000)");
  expect_of(options, shape, BROKEN_NONDETERMINISTIC, "0.003", pass, fail, pass,
            "differs between two runs in 1 values, first [1500000]");
  expect_of(options, shape, BROKEN_IN_PLACE, "0", pass, pass, pass, "");
}

/* A session reuses memory, and what one case left there must not affect the next. */
static void test_session(const mluopTestOptions *options) {
  static const struct {
    BrokenMode mode;
    const char *shape;
    bool passes;
  } cases[] = {{BROKEN_INPUT, "dims: 3000000", false},  {BROKEN_NOT, "dims: 2999999", true},
               {BROKEN_AFTER, "dims: 2900000", false},  {BROKEN_IN_PLACE, "dims: 2999999", true},
               {BROKEN_BEFORE, "dims: 3000000", false}, {BROKEN_NOT, "dims: 2000000", true},
               {BROKEN_TAIL, "dims: 2500000", false},   {BROKEN_NOT, "dims: 3000000", true}};
  mluopTestSession session;
  mluopTestText errors = {0};
  CHECK(!mluop_session_open(&session, options, &errors));
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    const mluopTestExecutor *executor = broken_executor(cases[i].mode);
    char *path = doubling_case(executor->name, cases[i].shape, "0");
    mluopCaseResult result;
    mluop_case_run(options, &session, executor, path, &result);
    CHECK(mluop_result_passed(&result) == cases[i].passes);
    mluop_result_free(&result);
    unlink(path);
    free(path);
  }
  mluop_session_close(&session);
  mluop_text_free(&errors);
}

/* Every moment of a case belongs to one phase, however the case ends. */
static void test_phases(const mluopTestOptions *options) {
  static const struct {
    BrokenMode mode;
    const char *shape;
  } cases[] = {
      {BROKEN_NOT, "dims: 2500"}, {BROKEN_INPUT, "dims: 2500"}, {BROKEN_NOT, "dims: 10 dims: 10"}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    const double start = mluop_clock_us();
    mluopCaseResult result = run(options, cases[i].mode, cases[i].shape, "0");
    const double limit_ms = (mluop_clock_us() - start) * 1e-3;
    double sum = 0, framework = 0;
    for (int phase = 0; phase < MLUOP_PHASES; ++phase) {
      CHECK(result.phase_ms[phase] >= 0 && *mluop_phase_name((mluopPhase)phase));
      sum += result.phase_ms[phase];
      framework += mluop_phase_is_framework((mluopPhase)phase) ? result.phase_ms[phase] : 0;
    }
    CHECK(fabs(sum - result.total_ms) < 1e-6 && sum > 0 && sum <= limit_ms);
    CHECK(fabs(framework - mluop_result_framework_ms(&result)) < 1e-6);
    CHECK(result.phase_ms[MLUOP_PHASE_PARSE] > 0 && result.phase_ms[MLUOP_PHASE_GENERATE] > 0 &&
          result.phase_ms[MLUOP_PHASE_COMPUTE] > 0 && result.phase_ms[MLUOP_PHASE_RELEASE] > 0);
    CHECK((result.phase_ms[MLUOP_PHASE_REPEAT] > 0) == (i < 2));
    CHECK((result.phase_ms[MLUOP_PHASE_REFERENCE] > 0) == (i < 2));
    mluop_result_free(&result);
  }
}

/* Modes that must not hide or invent mistakes. */
static void test_modes(mluopTestOptions options) {
  const mluopVerdict pass = MLUOP_VERDICT_PASS, fail = MLUOP_VERDICT_FAIL;
  options.unaligned_random = true;
  expect(&options, BROKEN_NOT, "0", pass, pass, pass, "");
  expect(&options, BROKEN_AFTER, "0", pass, pass, fail, "after output[0]");
  options.unaligned_random = false;
  options.unaligned_set = 4;
  expect(&options, BROKEN_BEFORE, "0", pass, pass, fail, "before output[0]");
  options.unaligned_set = 0;
  options.use_default_queue = true;
  expect(&options, BROKEN_NOT, "0", pass, pass, pass, "");
  options.use_default_queue = false;
  options.perf_repeat = 3;
  options.random_mlu_address = true;
  expect(&options, BROKEN_NOT, "0", pass, pass, pass, "");
}

/* --variants finds the wrong variant, and counts the variants that cases reached. */
static void test_variants(mluopTestOptions options) {
  const mluopVerdict pass = MLUOP_VERDICT_PASS, fail = MLUOP_VERDICT_FAIL;
  expect(&options, BROKEN_VARIANT_TAIL, "0", pass, pass, pass, "");
  options.variants = "run";
  expect(&options, BROKEN_NOT, "0", pass, pass, pass, "");
  expect(&options, BROKEN_VARIANT_TAIL, "0", fail, pass, pass,
         "variant wrong_tail: it is the one that failed");
  CHECK(mluop_variants_print_reached() == 1); /* the one that cannot do the call */
}

/* The gaps of a strided output must not change: this kernel writes it densely, which is two
 * mistakes at once. */
static void test_gaps(const mluopTestOptions *options) {
  mluopCaseResult result = run(options, BROKEN_NOT, "dims: 100 dim_stride: 2", "0");
  CHECK(result.bounds == MLUOP_VERDICT_FAIL);
  CHECK_CONTAINS(mluop_text_get(&result.failure), "bytes between the elements of output[0] 'y'");
  mluop_result_free(&result);
}

static void test_refusal(const mluopTestOptions *options) {
  mluopCaseResult result = run(options, BROKEN_NOT, "dims: 10 dims: 10", "0");
  CHECK(!mluop_result_passed(&result));
  CHECK_CONTAINS(mluop_text_get(&result.failure), "MLUOP_STATUS_BAD_PARAM");
  mluop_result_free(&result);
}

/* An operator without bfloat16 is accepted only if the device has none either. */
static void test_missing_type(const mluopTestOptions *options) {
  data_type = "DTYPE_BFLOAT16";
  board = MLUOP_MLU370;
  mluopCaseResult result = run(options, BROKEN_NOT, "dims: 100", "0");
  CHECK(mluop_result_passed(&result) && result.refused_by_device);
  CHECK(result.hardware_us == MLUOP_RESULT_UNKNOWN);
  mluop_result_free(&result);
  board = MLUOP_MLU590;
  result = run(options, BROKEN_NOT, "dims: 100", "0");
  CHECK(!mluop_result_passed(&result) && !result.refused_by_device);
  CHECK_CONTAINS(mluop_text_get(&result.failure), "MLUOP_STATUS_NOT_SUPPORTED");
  mluop_result_free(&result);
  data_type = "DTYPE_FLOAT";
}

/* Equal outputs have equal digests, different ones do not. */
static void test_digest(const mluopTestOptions *options) {
  mluopCaseResult right = run(options, BROKEN_NOT, "dims: 100", "0");
  mluopCaseResult again = run(options, BROKEN_NOT, "dims: 100", "0");
  mluopCaseResult wrong = run(options, BROKEN_TAIL, "dims: 100", "0");
  CHECK(right.output_digest && right.output_digest == again.output_digest);
  CHECK(wrong.output_digest && right.output_digest != wrong.output_digest);
  mluop_result_free(&right);
  mluop_result_free(&again);
  mluop_result_free(&wrong);
}

int main(void) {
  mluopTestOptions options;
  mluopTestText errors = {0};
  char *argv[] = {"test_verdicts", NULL};
  int argc = 1;
  CHECK(mluop_options_parse(&argc, argv, &options, &errors) == MLUOP_OPTIONS_RUN);
  options.seed = 1;
  if (!mkdtemp(scratch_path(folder, "mluop_verdicts"))) {
    perror(folder);
    return 1;
  }
  input_data = gaussian;
  test_mistakes(&options);
  input_data = uniform;
  test_mistakes(&options);
  test_one_sided(&options);
  test_large(&options);
  test_session(&options);
  test_phases(&options);
  test_modes(options);
  test_variants(options);
  test_gaps(&options);
  test_refusal(&options);
  test_missing_type(&options);
  test_digest(&options);
  rmdir(folder);
  mluop_text_free(&errors);
  return check_result("verdicts");
}
