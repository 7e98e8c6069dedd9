/* SPDX-License-Identifier: MIT */
#include "run/case_run.h"

#include "base/clock.h"
#include "run/case_judge.h"
#include "run/case_launch.h"
#include "run/case_outputs.h"
#include "run/case_state.h"
#include "run/onchip_fill.h"
#include "run/theory.h"
#include "run/trace_call.h"

/* A seed that differs from case to case and repeats with --seed. */
static uint64_t case_seed(const mluopTestOptions *options, const char *path) {
  uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)options->seed;
  for (; *path; ++path) {
    hash = (hash ^ (unsigned char)*path) * UINT64_C(1099511628211);
  }
  return hash >> 33;
}

static void judge_refusal(mluopCaseState *state, mluOpStatus_t status) {
  const char *got = mluOpGetErrorString(status);
  if (status == MLUOP_STATUS_SUCCESS) {
    mluop_case_fail(state, "the operator accepted a case it must refuse");
  } else if (state->status_wanted >= 0 && (int)status != state->status_wanted) {
    mluop_case_fail(state, "the operator returned %s, %s is wanted", got,
                    mluOpGetErrorString((mluOpStatus_t)state->status_wanted));
  }
}

static double phase_since(double start) {
  return (mluop_clock_us() - start) * 1e-3;
}

/* The second call of the bitwise-repeat verdict, from the same start. */
static int run_again(mluopCaseState *state) {
  double *phase_ms = state->result->phase_ms;
  mluOpStatus_t status;
  mluopLaunchTime time;
  double start = mluop_clock_us();
  /* Inputs that were found unchanged need no second copy. */
  if (mluop_case_state_reset(state, state->result->bounds != MLUOP_VERDICT_PASS) ||
      (state->workspace.block &&
       mluop_device_fill(state->workspace.data, state->workspace.size, state->pattern))) {
    return -1;
  }
  phase_ms[MLUOP_PHASE_COPY_IN] += phase_since(start);
  mluop_onchip_fill(state->options, state->seed + 1, state->session->queue);
  start = mluop_clock_us();
  if (mluop_case_launch(state, &status, &time)) {
    return -1;
  }
  phase_ms[MLUOP_PHASE_REPEAT] = phase_since(start);
  if (status != MLUOP_STATUS_SUCCESS) {
    mluop_case_fail(state, "repeat: the second call returned %s", mluOpGetErrorString(status));
    state->result->repeat = MLUOP_VERDICT_FAIL;
    return -1;
  }
  start = mluop_clock_us();
  mluop_case_judge_repeat(state);
  phase_ms[MLUOP_PHASE_COMPARE] += phase_since(start);
  return 0;
}

/* Accuracy and bitwise repeat. The outputs are compared where they are: in device memory. */
static int judge_values(mluopCaseState *state) {
  const bool expected = !mluop_case_expect(state);
  if (expected ? mluop_case_take_outputs(state) : mluop_case_read_back(state)) {
    return -1;
  }
  if (state->executor->accuracy_class != MLUOP_TEST_CLASS_ATOMIC_ADD && run_again(state)) {
    return -1;
  }
  const double start = mluop_clock_us();
  if (expected) {
    mluop_case_judge_accuracy(state);
  } else {
    state->result->accuracy = MLUOP_VERDICT_FAIL;
  }
  state->result->phase_ms[MLUOP_PHASE_COMPARE] += phase_since(start);
  return 0;
}

static void run_opened(mluopCaseState *state) {
  const mluopTestOptions *options = state->options;
  mluopCaseResult *result = state->result;
  double *phase_ms = result->phase_ms;
  mluOpStatus_t status;
  if (mluop_case_prepare(state, &status)) {
    return;
  }
  if (status != MLUOP_STATUS_SUCCESS) {
    if (state->refused) {
      judge_refusal(state, status);
    } else {
      mluop_case_fail(state, "the workspace query returned %s", mluOpGetErrorString(status));
    }
    return;
  }
  mluop_onchip_fill(options, state->seed, state->session->queue);
  mluopLaunchTime time;
  double start = mluop_clock_us();
  if (mluop_case_launch(state, &status, &time)) {
    return;
  }
  phase_ms[MLUOP_PHASE_COMPUTE] = phase_since(start);
  if (!state->refused && status != MLUOP_STATUS_SUCCESS) {
    mluop_case_fail(state, "the operator returned %s", mluOpGetErrorString(status));
    return;
  }
  result->hardware_us = time.hardware_us;
  result->interface_us = time.interface_us;

  if (state->refused ? mluop_case_read_back(state) : mluop_case_read_back_strided(state)) {
    return;
  }
  start = mluop_clock_us();
  mluop_case_judge_bounds(state);
  phase_ms[MLUOP_PHASE_BOUNDS] = phase_since(start);
  if (state->refused) {
    judge_refusal(state, status);
    mluop_case_judge_untouched(state);
    return;
  }
  if (options->zero_element) {
    return;
  }
  if (!options->mlu_only && judge_values(state)) {
    return;
  }
  if (options->perf_repeat > 1) {
    start = mluop_clock_us();
    if (mluop_case_measure(state)) {
      return;
    }
    phase_ms[MLUOP_PHASE_PERF] = phase_since(start);
  }
  if (options->trace) {
    mluop_trace_call(state);
  }
  mluop_theory_fill(options, state->executor, &state->ctx, result);
  result->performance = MLUOP_VERDICT_PASS;
}

void mluop_case_run(const mluopTestOptions *options, mluopTestSession *session,
                    const mluopTestExecutor *executor, const char *path, mluopCaseResult *result) {
  mluop_result_init(result, path);
  const double start = mluop_clock_us();
  mluopCaseState state = {.options = options,
                          .session = session,
                          .executor = executor,
                          .result = result,
                          .seed = case_seed(options, path)};
  if (!mluop_case_state_open(&state, path)) {
    run_opened(&state);
    mluop_case_release(&state);
  }
  if (state.executor) {
    result->op_name = mluop_text_format("%s", state.executor->name);
  }
  mluop_case_state_close(&state);
  result->total_ms = phase_since(start);
}
