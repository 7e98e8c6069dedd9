/* SPDX-License-Identifier: MIT */
#include "run/case_outputs.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "data/tensor.h"
#include "run/device_compare.h"
#include "run/reference_run.h"

/* Initial content of outputs[i].host: see executor.h. */
static int make_output_host(mluopCaseState *state, mluopTensorState *tensor) {
  mluopTestTensor *t = tensor->tensor;
  const size_t size = t->count * mluop_dtype_size(t->info);
  t->host = mluop_memory_alloc(size);
  if (!t->host) {
    mluop_case_fail(state, "%s '%s': no host memory for %zu bytes", tensor->role, t->id, size);
    return -1;
  }
  const void *before = tensor->shares ? tensor->shares->image : tensor->image;
  if (before) {
    mluop_test_tensor_gather(t, before, t->host);
  } else {
    mluop_fill_pattern(t->host, size, state->pattern);
  }
  return 0;
}

static bool baseline_is_reference(const mluopCaseState *state) {
  const Mluoptest__Node *node = state->node;
  const Mluoptest__TestParam *param = node->test_param;
  const Mluoptest__Device device = node->has_device                      ? node->device
                                   : param && param->has_baseline_device ? param->baseline_device
                                                                         : MLUOPTEST__DEVICE__CPU;
  return device == MLUOPTEST__DEVICE__CPU;
}

static int run_reference(mluopCaseState *state, mluopTestText *message) {
  if (!state->executor->reference) {
    mluop_text_add(message, "%s has no reference and the case brings no outputs",
                   state->executor->name);
    return -1;
  }
  const double start = mluop_clock_us();
  mluopTestText why = {0};
  const int failed = mluop_reference_run(state->executor, &state->ctx, &why);
  if (failed) {
    mluop_text_add(message, "reference: %s", mluop_text_get(&why));
  }
  mluop_text_free(&why);
  state->result->phase_ms[MLUOP_PHASE_REFERENCE] = (mluop_clock_us() - start) * 1e-3;
  return failed;
}

/* The values of another device, which the case brings. */
static int read_expected(mluopCaseState *state, mluopTensorState *tensor, mluopTestText *message) {
  mluopTestTensor *t = tensor->tensor;
  if (t->is_null || !t->count) {
    return 0;
  }
  if (!mluop_test_tensor_has_data(t)) {
    mluop_text_add(message, "%s '%s': the baseline is another device's, but there are no values",
                   tensor->role, t->id);
    return -1;
  }
  void *buffer = t->strides ? malloc(mluop_test_tensor_bytes(t)) : t->host;
  const int failed =
      buffer ? mluop_test_tensor_read(t, tensor->role, state->folder, buffer, message) : -1;
  if (t->strides) {
    if (!failed) {
      mluop_test_tensor_gather(t, buffer, t->host);
    }
    free(buffer);
  }
  return failed;
}

int mluop_case_expect(mluopCaseState *state) {
  const double start = mluop_clock_us();
  const bool computed = baseline_is_reference(state);
  mluopTestText message = {0};
  int failed = 0;
  for (size_t i = state->ctx.n_inputs; i < state->n_tensors && !failed; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    if (!tensor->tensor->is_null) {
      failed = make_output_host(state, tensor);
    }
  }
  for (size_t i = state->ctx.n_inputs; i < state->n_tensors && !failed && !computed; ++i) {
    failed = read_expected(state, &state->tensors[i], &message);
  }
  state->result->phase_ms[MLUOP_PHASE_GENERATE] += (mluop_clock_us() - start) * 1e-3;
  if (!failed && computed) {
    failed = run_reference(state, &message);
  }
  if (message.length) {
    mluop_case_fail(state, "%s", mluop_text_get(&message));
  }
  mluop_text_free(&message);
  return failed;
}

const void *mluop_case_output(const mluopTensorState *tensor) {
  return tensor->as_expected ? tensor->tensor->host : tensor->after;
}

static int read_output(mluopCaseState *state, mluopTensorState *tensor) {
  const mluopDeviceBuffer *buffer = mluop_case_device_buffer(tensor);
  if (!buffer->block || tensor->as_expected || tensor->after ||
      mluop_case_is_sparse(state, tensor)) {
    return 0;
  }
  tensor->after = mluop_memory_alloc(buffer->size);
  if (!tensor->after || mluop_device_buffer_read(buffer, tensor->after)) {
    mluop_case_fail(state, "%s '%s': cannot be read back", tensor->role, tensor->tensor->id);
    return -1;
  }
  return 0;
}

static int read_outputs(mluopCaseState *state, bool strided_only) {
  const double start = mluop_clock_us();
  int failed = 0;
  for (size_t i = state->ctx.n_inputs; i < state->n_tensors && !failed; ++i) {
    if (!strided_only || state->tensors[i].tensor->strides) {
      failed = read_output(state, &state->tensors[i]);
    }
  }
  state->result->phase_ms[MLUOP_PHASE_COPY_OUT] += (mluop_clock_us() - start) * 1e-3;
  return failed;
}

int mluop_case_read_back(mluopCaseState *state) {
  return read_outputs(state, false);
}

int mluop_case_read_back_strided(mluopCaseState *state) {
  return read_outputs(state, true);
}

int mluop_case_take_outputs(mluopCaseState *state) {
  const double start = mluop_clock_us();
  bool all = true;
  for (size_t i = state->ctx.n_inputs; i < state->n_tensors; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    const mluopDeviceBuffer *buffer = mluop_case_device_buffer(tensor);
    if (buffer->block && tensor->tensor->host && !tensor->after) {
      const mluopDeviceDifference difference =
          mluop_device_compare(buffer->data, tensor->tensor->host, buffer->size);
      tensor->as_expected = difference.readable && difference.equal;
      all &= tensor->as_expected;
    }
  }
  state->result->phase_ms[MLUOP_PHASE_COMPARE] += (mluop_clock_us() - start) * 1e-3;
  return all ? 0 : read_outputs(state, false);
}
