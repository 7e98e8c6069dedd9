/* SPDX-License-Identifier: MIT */
#include "run/case_run.h"

#include "run/case_content.h"
#include "run/case_judge.h"
#include "run/case_launch.h"
#include "run/case_open.h"
#include "run/case_outputs.h"
#include "run/case_state.h"
#include "run/onchip_fill.h"
#include "run/theory.h"
#include "run/trace_call.h"
#include "run/variants.h"

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

/* The second call of the bitwise-repeat verdict, from the same start. */
static int run_again(mluopCaseState *state) {
  mluOpStatus_t status;
  mluopLaunchTime time;
  mluop_phase_enter(state->result, MLUOP_PHASE_COPY_IN);
  /* Inputs that the first call left unchanged are not restored. */
  if (mluop_content_restore(state, state->result->bounds != MLUOP_VERDICT_PASS) ||
      mluop_device_buffer_fill(&state->workspace)) {
    return -1;
  }
  mluop_onchip_fill(state->options, state->seed + 1, state->session->queue);
  mluop_phase_enter(state->result, MLUOP_PHASE_REPEAT);
  if (mluop_case_launch(state, &status, &time)) {
    return -1;
  }
  mluop_phase_enter(state->result, MLUOP_PHASE_COMPARE);
  if (status != MLUOP_STATUS_SUCCESS) {
    mluop_case_fail(state, "repeat: the second call returned %s", mluOpGetErrorString(status));
    state->result->repeat = MLUOP_VERDICT_FAIL;
    return -1;
  }
  mluop_case_judge_repeat(state);
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
  mluop_phase_enter(state->result, MLUOP_PHASE_COMPARE);
  if (expected) {
    mluop_case_judge_accuracy(state);
  } else {
    state->result->accuracy = MLUOP_VERDICT_FAIL;
  }
  return 0;
}

static void run_opened(mluopCaseState *state) {
  const mluopTestOptions *options = state->options;
  mluopCaseResult *result = state->result;
  mluOpStatus_t status;
  mluop_phase_enter(result, MLUOP_PHASE_COPY_IN);
  if (mluop_case_prepare(state, &status)) {
    return;
  }
  if (status != MLUOP_STATUS_SUCCESS) {
    result->refused_by_device = mluop_case_is_refused_by_device(state, status);
    if (result->refused_by_device) {
      return;
    }
    if (state->refused) {
      judge_refusal(state, status);
    } else {
      mluop_case_fail(state, "the workspace query returned %s", mluOpGetErrorString(status));
    }
    return;
  }
  mluop_onchip_fill(options, state->seed, state->session->queue);
  mluopLaunchTime time;
  mluop_phase_enter(result, MLUOP_PHASE_COMPUTE);
  if (mluop_case_launch(state, &status, &time)) {
    return;
  }
  mluop_phase_enter(result, MLUOP_PHASE_BOUNDS);
  result->refused_by_device = mluop_case_is_refused_by_device(state, status);
  const bool refused = state->refused || result->refused_by_device;
  if (!refused && status != MLUOP_STATUS_SUCCESS) {
    mluop_case_fail(state, "the operator returned %s", mluOpGetErrorString(status));
    return;
  }
  if (!result->refused_by_device) {
    result->hardware_us = time.hardware_us;
    result->interface_us = time.interface_us;
  }
  if (refused ? mluop_case_read_back(state) : mluop_case_read_back_strided(state)) {
    return;
  }
  mluop_phase_enter(result, MLUOP_PHASE_BOUNDS);
  mluop_case_judge_bounds(state);
  if (refused) {
    if (!result->refused_by_device) {
      judge_refusal(state, status);
    }
    if (status != MLUOP_STATUS_SUCCESS) {
      mluop_case_judge_untouched(state);
    }
    return;
  }
  if (options->zero_element) {
    return;
  }
  if (!options->mlu_only && judge_values(state)) {
    return;
  }
  if (options->variants && !options->mlu_only) {
    mluop_case_run_variants(state);
  }
  if (options->perf_repeat > 1) {
    mluop_phase_enter(result, MLUOP_PHASE_PERF);
    if (mluop_case_measure(state)) {
      return;
    }
  }
  if (options->trace) {
    mluop_trace_call(state);
  }
  mluop_phase_enter(result, MLUOP_PHASE_THEORY);
  mluop_theory_fill(options, state->executor, &state->ctx, result);
  result->performance = MLUOP_VERDICT_PASS;
}

void mluop_case_run(const mluopTestOptions *options, mluopTestSession *session,
                    const mluopTestExecutor *executor, const char *path, mluopCaseResult *result) {
  mluop_theory_prepare(options);
  mluop_result_init(result, path);
  mluopCaseState state = {.options = options,
                          .session = session,
                          .executor = executor,
                          .result = result,
                          .seed = case_seed(options, path)};
  if (!mluop_case_open(&state, path)) {
    run_opened(&state);
    mluop_case_release(&state);
  }
  if (state.executor) {
    result->op_name = mluop_text_format("%s", state.executor->name);
  }
  mluop_case_close(&state);
  mluop_phase_end(result);
}
