/* SPDX-License-Identifier: MIT */
#include "run/case_open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "data/case_file.h"
#include "data/random.h"
#include "data/random_integer.h"
#include "data/tensor.h"
#include "run/case_content.h"
#include "run/descriptor.h"
#include "run/pattern.h"

static void make_zero_element(mluopCaseState *state) {
  Mluoptest__Node *node = state->node;
  for (size_t i = 0; i < node->n_input + node->n_output; ++i) {
    Mluoptest__Tensor *tensor =
        i < node->n_input ? node->input[i] : node->output[i - node->n_input];
    for (size_t d = 0; d < tensor->shape->n_dims; ++d) {
      tensor->shape->dims[d] = 0;
    }
    /* The lists stay allocated: only their lengths say what the reader sees. */
    for (; tensor->n_value_h; --tensor->n_value_h) {
      free(tensor->value_h[tensor->n_value_h - 1]);
    }
    tensor->n_value_f = tensor->n_value_i = tensor->n_value_l = 0;
    tensor->n_value_ui = tensor->n_value_ul = 0;
  }
  if (state->executor->make_zero_element) {
    state->executor->make_zero_element(node);
  }
}

static int status_by_name(const char *name) {
  for (int status = 0; status <= MLUOP_STATUS_NUMERICAL_OVERFLOW; ++status) {
    if (!strcmp(mluOpGetErrorString((mluOpStatus_t)status), name)) {
      return status;
    }
  }
  return -1;
}

static int load(mluopCaseState *state, const char *path) {
  mluopTestText errors = {0};
  state->node = mluop_case_file_load(path, &errors, &state->result->warning);
  if (!state->node) {
    mluop_case_fail(state, "%s", mluop_text_get(&errors));
    mluop_text_free(&errors);
    return -1;
  }
  mluop_text_free(&errors);
  const char *op_name = state->node->op_name;
  const mluopTestExecutor *named = mluop_executor_find(op_name);
  if (!named) {
    mluop_case_fail(state, "%s: op_name: \"%s\" is not an operator of this build", path, op_name);
    return -1;
  }
  if (state->executor && state->executor != named) {
    mluop_case_fail(state, "%s: op_name: \"%s\" stands in the folder of %s", path, op_name,
                    state->executor->name);
    return -1;
  }
  state->executor = named;
  state->folder = mluop_path_folder(path);
  state->refused = !strcasecmp(state->node->valid, "false");
  state->status_wanted = state->refused ? status_by_name(state->node->pattern) : 0;
  if (state->options->zero_element && !state->refused) {
    make_zero_element(state);
    state->refused = named->refuses_empty;
    state->status_wanted = state->refused ? MLUOP_STATUS_BAD_PARAM : 0;
  }
  return 0;
}

static int describe_tensors(mluopCaseState *state, const char *path) {
  const Mluoptest__Node *node = state->node;
  mluopTestContext *ctx = &state->ctx;
  state->n_tensors = node->n_input + node->n_output;
  mluopTestTensor *tensors = calloc(state->n_tensors + 1, sizeof(mluopTestTensor));
  state->tensors = calloc(state->n_tensors + 1, sizeof(mluopTensorState));
  state->criteria = calloc(node->n_output + 1, sizeof(mluopCriteria));
  ctx->inputs = tensors;
  ctx->n_inputs = node->n_input;
  ctx->outputs = tensors ? tensors + node->n_input : NULL;
  ctx->n_outputs = node->n_output;
  if (!tensors || !state->tensors || !state->criteria) {
    mluop_case_fail(state, "out of memory");
    return -1;
  }
  mluopTestText errors = {0};
  for (size_t i = 0; i < state->n_tensors; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    tensor->tensor = &tensors[i];
    tensor->is_output = i >= node->n_input;
    tensor->written = tensor->is_output;
    const size_t number = tensor->is_output ? i - node->n_input : i;
    snprintf(tensor->role, sizeof(tensor->role), "%s[%zu]", tensor->is_output ? "output" : "input",
             number);
    const Mluoptest__Tensor *spec = tensor->is_output ? node->output[number] : node->input[number];
    if (mluop_test_tensor_describe(spec, tensor->role, tensor->tensor, &errors)) {
      mluop_case_fail(state, "%s: %s", path, mluop_text_get(&errors));
      mluop_text_free(&errors);
      return -1;
    }
    if (tensor->is_output && mluop_test_tensor_overlaps_itself(tensor->tensor)) {
      mluop_text_add(&state->result->warning, "%s: %s '%s': elements share addresses\n", path,
                     tensor->role, tensor->tensor->id);
    }
  }
  for (size_t i = 0; i < node->n_output; ++i) {
    if (mluop_criteria_read(node, i, state->executor->accuracy_class, &state->criteria[i],
                            &errors)) {
      mluop_case_fail(state, "%s: output[%zu] '%s': %s", path, i, node->output[i]->id,
                      mluop_text_get(&errors));
      mluop_text_free(&errors);
      return -1;
    }
  }
  return 0;
}

/* The N of an api_name ending in _vN, else 1. */
static long named_api_version(const char *api_name) {
  const char *suffix = api_name ? strrchr(api_name, '_') : NULL;
  if (!suffix || strncmp(suffix, "_v", 2) || suffix[2] < '0' || suffix[2] > '9') {
    return 1;
  }
  char *end = NULL;
  const long version = strtol(suffix + 2, &end, 10);
  return *end ? 1 : version;
}

static int choose_api_version(mluopCaseState *state, const char *path) {
  const char *api_name = state->node->api_name;
  const int newest = state->executor->newest_api_version ? state->executor->newest_api_version : 1;
  const long named = named_api_version(api_name);
  if (named < 1 || named > newest) {
    mluop_case_fail(state, "%s: api_name: \"%s\": the newest revision of %s is %d", path, api_name,
                    state->executor->name, newest);
    return -1;
  }
  state->ctx.api_version = state->options->compatible_test ? newest : (int)named;
  return 0;
}

static int check_parameters(mluopCaseState *state, const char *path) {
  const mluopTestExecutor *executor = state->executor;
  mluopTestText message = {0};
  state->ctx.message = &message;
  const int failed = executor->param_check ? executor->param_check(&state->ctx) : 0;
  state->ctx.message = NULL;
  if (failed) {
    mluop_case_fail(state, "%s: %s", path, message.length ? message.data : "wrong parameters");
  }
  mluop_text_free(&message);
  for (size_t i = 0; !failed && i < executor->n_in_place; ++i) {
    const mluopTestInPlace pair = executor->in_place[i];
    if (pair.input >= state->ctx.n_inputs || pair.output >= state->ctx.n_outputs) {
      continue;
    }
    mluopTensorState *input = &state->tensors[pair.input];
    mluopTensorState *output = &state->tensors[state->ctx.n_inputs + pair.output];
    if (output->shares) {
      continue;
    }
    if (mluop_test_tensor_bytes(input->tensor) != mluop_test_tensor_bytes(output->tensor)) {
      mluop_case_fail(state,
                      "%s: %s '%s' and %s '%s' share memory and need the same shape and dtype",
                      path, input->role, input->tensor->id, output->role, output->tensor->id);
      return -1;
    }
    input->written = true;
    output->shares = input;
  }
  return failed;
}

/* 1..63 bytes rounded up to the element size, so that elements stay aligned to themselves. */
static size_t address_offset(const mluopCaseState *state, mluopRandom *random, size_t element) {
  if (state->options->unaligned_random) {
    const size_t offset = 1 + (size_t)mluop_random_below(random, 63);
    return (offset + element - 1) / element * element;
  }
  return (size_t)state->options->unaligned_set;
}

static int make_device_memory(mluopCaseState *state) {
  mluopRandom random = mluop_random_seed((int32_t)state->seed);
  mluopTestText errors = {0};
  for (size_t i = 0; i < state->n_tensors; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    mluopTestTensor *t = tensor->tensor;
    if (t->is_null || t->is_host_scalar) {
      continue;
    }
    if (tensor->shares) {
      t->data = tensor->shares->tensor->data;
      t->desc = tensor->shares->tensor->desc;
      continue;
    }
    const mluopBufferOptions options = {
        .guarded = state->options->overwritten_check,
        .constant = state->options->const_dram && !tensor->written,
        .offset = address_offset(state, &random, mluop_dtype_size(t->info)),
        .pattern = state->pattern};
    if (mluop_device_buffer_create(&tensor->device, &state->session->pool,
                                   mluop_test_tensor_bytes(t), &options, &errors)) {
      mluop_case_fail(state, "%s '%s': %s", tensor->role, t->id, mluop_text_get(&errors));
      mluop_text_free(&errors);
      return -1;
    }
    t->data = tensor->device.data;
  }
  return 0;
}

static int make_descriptors(mluopCaseState *state) {
  for (size_t i = 0; i < state->n_tensors; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    mluopTestText errors = {0};
    if (!tensor->tensor->is_null && !tensor->shares &&
        mluop_descriptor_create(tensor->tensor, state->options->negative_scale, &errors)) {
      mluop_case_fail(state, "%s '%s': %s", tensor->role, tensor->tensor->id,
                      mluop_text_get(&errors));
      mluop_text_free(&errors);
      return -1;
    }
  }
  const Mluoptest__HandleParam *param = state->node->handle_param;
  if (param &&
      mluOpSetQuantizeRoundMode(state->ctx.handle, (mluOpQuantizeRoundMode_t)param->round_mode) !=
          MLUOP_STATUS_SUCCESS) {
    mluop_case_fail(state, "handle_param.round_mode %d is refused", (int)param->round_mode);
    return -1;
  }
  return 0;
}

int mluop_case_open(mluopCaseState *state, const char *path) {
  state->pattern = mluop_fill_word(state->options);
  state->ctx = (mluopTestContext){.handle = state->session->handle,
                                  .queue = state->session->queue,
                                  .algorithm = state->options->test_algo,
                                  .auto_tuning = state->options->auto_tuning};
  mluop_phase_enter(state->result, MLUOP_PHASE_PARSE);
  if (load(state, path)) {
    return -1;
  }
  state->ctx.node = state->node;
  if (choose_api_version(state, path) || describe_tensors(state, path) ||
      check_parameters(state, path)) {
    return -1;
  }
  mluop_phase_enter(state->result, MLUOP_PHASE_GENERATE);
  return make_descriptors(state) || make_device_memory(state) || mluop_content_make(state) ? -1 : 0;
}

void mluop_case_close(mluopCaseState *state) {
  mluopBlockPool *pool = &state->session->pool;
  mluop_phase_enter(state->result, MLUOP_PHASE_RELEASE);
  for (size_t i = 0; state->tensors && i < state->n_tensors; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    mluopTestTensor *t = tensor->tensor;
    if (!t) {
      continue;
    }
    if (t->desc && !tensor->shares) {
      mluOpDestroyTensorDescriptor(t->desc);
    }
    if (t->host != tensor->image && t->host != tensor->device.data) {
      mluop_block_give(pool, t->host);
    }
    mluop_block_give(pool, tensor->image);
    mluop_block_give(pool, tensor->after);
    mluop_device_buffer_destroy(&tensor->device);
  }
  mluop_device_buffer_destroy(&state->workspace);
  free(state->ctx.inputs);
  free(state->tensors);
  free(state->criteria);
  free(state->folder);
  if (state->node) {
    mluoptest__node__free_unpacked(state->node, NULL);
  }
}
