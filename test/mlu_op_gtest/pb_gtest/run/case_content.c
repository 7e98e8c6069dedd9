/* SPDX-License-Identifier: MIT */
#include "run/case_content.h"

#include <stdlib.h>

#include "base/memory.h"
#include "data/tensor.h"

static int read_again(mluopCaseState *state, const mluopTensorState *tensor,
                      const mluopWrite *write) {
  mluopTestText errors = {0};
  const int failed =
      mluop_test_tensor_read(tensor->tensor, tensor->role, state->folder, write, &errors);
  if (failed) {
    mluop_case_fail(state, "%s: %s", state->result->path, mluop_text_get(&errors));
  }
  mluop_text_free(&errors);
  return failed;
}

int mluop_content_put(mluopCaseState *state, const mluopTensorState *tensor,
                      mluopDeviceBuffer *place) {
  int failed;
  if (tensor->image) {
    failed = mluop_device_buffer_write(place, tensor->image);
  } else if (tensor->is_output) {
    failed = mluop_device_buffer_fill(place);
  } else {
    failed = read_again(state, tensor, &(mluopWrite){.to = place->data, .streamed = place->used});
    place->used = true;
  }
  if (failed) {
    mluop_case_fail(state, "%s '%s': cannot be copied to the device", tensor->role,
                    tensor->tensor->id);
  }
  return failed;
}

void *mluop_content_copy(mluopCaseState *state, const mluopTensorState *tensor) {
  mluopDeviceBuffer copy = {.size = mluop_test_tensor_bytes(tensor->tensor),
                            .pattern = state->pattern,
                            .host_reaches = true};
  mluopBlockPool *pool = &state->session->pool;
  copy.data = mluop_block_take(pool, MLUOP_BLOCK_HOST, copy.size, &copy.used);
  if (copy.data && mluop_content_put(state, tensor, &copy)) {
    mluop_block_give(pool, copy.data);
    return NULL;
  }
  return copy.data;
}

/* Whether the content can be generated in device memory, without a copy on the host. */
static bool needs_no_image(const mluopCaseState *state, const mluopTensorState *tensor) {
  const mluopTestOptions *options = state->options;
  const mluopTestTensor *t = tensor->tensor;
  /* --unaligned_mlu_address_set may place elements where a reference could not read them. */
  const bool aligned = (uintptr_t)tensor->device.data % t->info->part_size == 0;
  if (!tensor->device.host_reaches || !aligned || state->separate ||
      (options->mlu_only && options->zero_input)) {
    return false;
  }
  return !tensor->written || (!t->strides && mluop_test_tensor_is_quick(t));
}

static void *take_host(mluopCaseState *state, const mluopTensorState *tensor, size_t bytes) {
  void *data = mluop_block_take(&state->session->pool, MLUOP_BLOCK_HOST, bytes, NULL);
  if (!data) {
    mluop_case_fail(state, "%s '%s': no host memory for %zu bytes", tensor->role,
                    tensor->tensor->id, bytes);
  }
  return data;
}

/* The elements as the reference reads them. `content` holds them, with the gaps of their strides.
 */
static int show_reference(mluopCaseState *state, mluopTensorState *tensor, void *content) {
  mluopTestTensor *t = tensor->tensor;
  if (tensor->written && !t->is_host_scalar) {
    return 0; /* it works in the output's memory */
  }
  t->host = content;
  if (t->strides) {
    t->host = take_host(state, tensor, t->count * mluop_dtype_size(t->info));
    if (!t->host) {
      return -1;
    }
    mluop_test_tensor_gather(t, content, t->host);
  }
  return 0;
}

static int make_input(mluopCaseState *state, mluopTensorState *tensor, size_t bytes) {
  mluopTestTensor *t = tensor->tensor;
  mluopDeviceBuffer *buffer = &tensor->device;
  if (needs_no_image(state, tensor)) {
    const mluopWrite write = {.to = buffer->data,
                              .streamed = buffer->used,
                              .digest = tensor->written ? NULL : &tensor->digest};
    buffer->used = true;
    return read_again(state, tensor, &write) || show_reference(state, tensor, buffer->data) ? -1
                                                                                            : 0;
  }
  tensor->image = take_host(state, tensor, bytes);
  if (!tensor->image || read_again(state, tensor, &(mluopWrite){.to = tensor->image})) {
    return -1;
  }
  if (t->is_host_scalar) {
    t->data = tensor->image;
  }
  return show_reference(state, tensor, tensor->image) ||
                 (buffer->block && mluop_content_put(state, tensor, buffer))
             ? -1
             : 0;
}

static int make_output(mluopCaseState *state, mluopTensorState *tensor, size_t bytes) {
  if (tensor->tensor->strides) { /* so that changes in the gaps show */
    tensor->image = take_host(state, tensor, bytes);
    if (!tensor->image) {
      return -1;
    }
    mluop_memory_fill(tensor->image, bytes, state->pattern, false);
  }
  return tensor->device.block ? mluop_content_put(state, tensor, &tensor->device) : 0;
}

int mluop_content_make(mluopCaseState *state) {
  for (size_t i = 0; i < state->n_tensors; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    const size_t bytes = mluop_test_tensor_bytes(tensor->tensor);
    int failed = 0;
    if (tensor->shares) {
      continue;
    }
    if (!bytes) {
      /* still reports values that are given for an empty tensor */
      failed = read_again(state, tensor, &(mluopWrite){.to = NULL});
    } else if (!mluop_case_is_sparse(state, tensor)) {
      failed = (tensor->is_output ? make_output : make_input)(state, tensor, bytes);
    }
    if (failed) {
      return -1;
    }
  }
  return 0;
}

int mluop_content_restore(mluopCaseState *state, bool all) {
  for (size_t i = 0; i < state->n_tensors; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    if (!tensor->device.block || mluop_case_is_sparse(state, tensor) ||
        !(tensor->written || (all && tensor->image))) {
      continue;
    }
    if (mluop_content_put(state, tensor, &tensor->device)) {
      return -1;
    }
  }
  return 0;
}
