/* SPDX-License-Identifier: MIT */
#include "run/case_outputs.h"

#include <stdlib.h>

#include "base/memory.h"
#include "data/tensor.h"
#include "run/case_content.h"
#include "run/device_compare.h"
#include "run/reference_run.h"

/* From here on it takes time to fill memory that the reference fills anyway. */
static const size_t large_bytes = (size_t)1 << 20;

/* Memory that the reference writes everywhere. */
static void *take_unfilled(mluopCaseState *state, size_t bytes) {
  void *host = mluop_block_take(&state->session->pool, MLUOP_BLOCK_HOST, bytes, NULL);
  if (host && bytes < large_bytes) {
    mluop_memory_fill(host, bytes, ~state->pattern, false);
  }
  return host;
}

/* Initial content of outputs[i].host: see executor.h. */
static int make_output_host(mluopCaseState *state, mluopTensorState *tensor, bool is_overwritten) {
  mluopTestTensor *t = tensor->tensor;
  const mluopTensorState *content = tensor->shares ? tensor->shares : tensor;
  if (is_overwritten) {
    t->host = take_unfilled(state, t->count * mluop_dtype_size(t->info));
  } else if (!t->strides) {
    t->host = mluop_content_copy(state, content);
  } else {
    t->host = mluop_block_take(&state->session->pool, MLUOP_BLOCK_HOST,
                               t->count * mluop_dtype_size(t->info), NULL);
    if (t->host && t->count) {
      mluop_test_tensor_gather(t, content->image, t->host);
    }
  }
  if (!t->host) {
    mluop_case_fail(state, "%s '%s': no host memory", tensor->role, t->id);
    return -1;
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
  mluop_phase_enter(state->result, MLUOP_PHASE_REFERENCE);
  mluopTestText why = {0};
  const int failed = mluop_reference_run(state->executor, &state->ctx, &why);
  if (failed) {
    mluop_text_add(message, "reference: %s", mluop_text_get(&why));
  }
  mluop_text_free(&why);
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
  const int failed = buffer ? mluop_test_tensor_read(t, tensor->role, state->folder,
                                                     &(mluopWrite){.to = buffer}, message)
                            : -1;
  if (t->strides) {
    if (!failed) {
      mluop_test_tensor_gather(t, buffer, t->host);
    }
    free(buffer);
  }
  return failed;
}

int mluop_case_expect(mluopCaseState *state) {
  mluop_phase_enter(state->result, MLUOP_PHASE_GENERATE);
  const bool computed = baseline_is_reference(state);
  const mluopTestExecutor *executor = state->executor;
  const bool is_overwritten = computed && executor->writes_all && executor->writes_all(&state->ctx);
  mluopTestText message = {0};
  int failed = 0;
  for (size_t i = state->ctx.n_inputs; i < state->n_tensors && !failed; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    if (!tensor->tensor->is_null) {
      failed = make_output_host(state, tensor, is_overwritten);
    }
  }
  for (size_t i = state->ctx.n_inputs; i < state->n_tensors && !failed && !computed; ++i) {
    failed = read_expected(state, &state->tensors[i], &message);
  }
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

void mluop_case_forget_outputs(mluopCaseState *state) {
  for (size_t i = state->ctx.n_inputs; i < state->n_tensors; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    mluop_block_give(&state->session->pool, tensor->after);
    tensor->after = NULL;
    tensor->as_expected = false;
  }
}

static int read_output(mluopCaseState *state, mluopTensorState *tensor) {
  const mluopDeviceBuffer *buffer = mluop_case_device_buffer(tensor);
  if (!buffer->block || tensor->as_expected || tensor->after ||
      mluop_case_is_sparse(state, tensor)) {
    return 0;
  }
  tensor->after = mluop_block_take(&state->session->pool, MLUOP_BLOCK_HOST, buffer->size, NULL);
  if (!tensor->after || mluop_device_buffer_read(buffer, tensor->after)) {
    mluop_case_fail(state, "%s '%s': cannot be read back", tensor->role, tensor->tensor->id);
    return -1;
  }
  return 0;
}

static int read_outputs(mluopCaseState *state, bool strided_only) {
  mluop_phase_enter(state->result, MLUOP_PHASE_COPY_OUT);
  int failed = 0;
  for (size_t i = state->ctx.n_inputs; i < state->n_tensors && !failed; ++i) {
    if (!strided_only || state->tensors[i].tensor->strides) {
      failed = read_output(state, &state->tensors[i]);
    }
  }
  return failed;
}

int mluop_case_read_back(mluopCaseState *state) {
  return read_outputs(state, false);
}

int mluop_case_read_back_strided(mluopCaseState *state) {
  return read_outputs(state, true);
}

int mluop_case_take_outputs(mluopCaseState *state) {
  mluop_phase_enter(state->result, MLUOP_PHASE_COMPARE);
  bool all = true;
  for (size_t i = state->ctx.n_inputs; i < state->n_tensors; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    const mluopDeviceBuffer *buffer = mluop_case_device_buffer(tensor);
    if (buffer->block && tensor->tensor->host && !tensor->after) {
      const mluopDeviceDifference difference = mluop_device_compare(buffer, tensor->tensor->host);
      tensor->as_expected = difference.readable && difference.equal;
      tensor->expected_digest = difference.digest;
      all &= tensor->as_expected;
    }
  }
  return all ? 0 : read_outputs(state, false);
}
