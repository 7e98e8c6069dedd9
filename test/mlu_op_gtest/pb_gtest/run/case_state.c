/* SPDX-License-Identifier: MIT */
#include "run/case_state.h"

#include <stdarg.h>

#include "data/tensor.h"

static const size_t sparse_bytes = (size_t)256 << 20;

void mluop_case_fail(mluopCaseState *state, const char *format, ...) {
  mluopTestText *failure = &state->result->failure;
  va_list args;
  va_start(args, format);
  mluop_text_add_v(failure, format, args);
  va_end(args);
  /* Messages of the reader end with a line end, others do not. */
  while (failure->length && failure->data[failure->length - 1] == '\n') {
    --failure->length;
  }
  mluop_text_add(failure, "\n");
}

bool mluop_case_is_sparse(const mluopCaseState *state, const mluopTensorState *tensor) {
  return state->refused && !mluop_test_tensor_has_data(tensor->tensor) &&
         mluop_test_tensor_bytes(tensor->tensor) > sparse_bytes;
}

const mluopDeviceBuffer *mluop_case_device_buffer(const mluopTensorState *tensor) {
  return tensor->shares ? &tensor->shares->device : &tensor->device;
}
