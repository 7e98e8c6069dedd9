/* SPDX-License-Identifier: MIT */
#include "run/case_launch.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "core/context.h"
#include "data/random.h"
#include "data/random_integer.h"
#include "run/case_content.h"

enum { INTERFACE_SAMPLES = 4 };

int mluop_case_prepare(mluopCaseState *state, mluOpStatus_t *status) {
  const mluopTestExecutor *executor = state->executor;
  mluopTestContext *ctx = &state->ctx;
  mluopTestText message = {0};
  *status = MLUOP_STATUS_SUCCESS;
  if (executor->prepare) {
    ctx->message = &message;
    const int failed = executor->prepare(ctx);
    ctx->message = NULL;
    if (failed) {
      mluop_case_fail(state, "prepare: %s", mluop_text_get(&message));
      mluop_text_free(&message);
      return -1;
    }
  }
  if (executor->workspace) {
    size_t size = 0;
    *status = executor->workspace(ctx, &size);
    if (*status != MLUOP_STATUS_SUCCESS) {
      return 0;
    }
    const mluopBufferOptions options = {.guarded = state->options->overwritten_check,
                                        .pattern = state->pattern};
    if (mluop_device_buffer_create(&state->workspace, &state->session->pool, size, &options,
                                   &message) ||
        mluop_device_buffer_fill(&state->workspace)) {
      mluop_case_fail(state, "workspace: %s", mluop_text_get(&message));
      mluop_text_free(&message);
      return -1;
    }
    ctx->workspace = state->workspace.data;
    ctx->workspace_size = size;
    state->result->workspace_size = (double)size;
  }
  mluop_text_free(&message);
  return 0;
}

void mluop_case_release(mluopCaseState *state) {
  if (state->executor && state->executor->release) {
    state->executor->release(&state->ctx);
  }
}

int mluop_case_launch(mluopCaseState *state, mluOpStatus_t *status, mluopLaunchTime *time) {
  mluopTestSession *session = state->session;
  *time = (mluopLaunchTime){MLUOP_RESULT_UNKNOWN, MLUOP_RESULT_UNKNOWN};
  if (mluop_session_flush_cache(session) ||
      cnrtPlaceNotifier(session->begin, session->queue) != cnrtSuccess) {
    mluop_case_fail(state, "the queue does not take a notifier");
    return -1;
  }
  session->handle->variant.table = NULL; /* the call sets it where it has forms to choose from */
  const double start = mluop_clock_us();
  *status = state->executor->compute(&state->ctx);
  time->interface_us = mluop_clock_us() - start;
  const cnrtRet_t placed = cnrtPlaceNotifier(session->end, session->queue);
  const cnrtRet_t synced = cnrtQueueSync(session->queue);
  if (synced != cnrtSuccess || placed != cnrtSuccess) {
    const cnrtRet_t ret = synced != cnrtSuccess ? synced : placed;
    mluop_case_fail(state, "the device reports a fault: %s (%d)", cnrtGetErrorStr(ret), (int)ret);
    return -1;
  }
  float us = 0;
  if (cnrtNotifierDuration(session->begin, session->end, &us) == cnrtSuccess) {
    time->hardware_us = (double)us;
  }
  return 0;
}

/* For --random_mlu_address: one block, in which each run places its buffers anew. */
typedef struct AddressArena {
  void *block;
  size_t size;
  bool used;
  mluopRandom random;
} AddressArena;

static size_t arena_need(const mluopCaseState *state) {
  size_t need = 0;
  for (size_t i = 0; i < state->n_tensors; ++i) {
    need += state->tensors[i].device.size + 64;
  }
  return need;
}

static int arena_open(mluopCaseState *state, AddressArena *arena) {
  *arena = (AddressArena){.size = 2 * arena_need(state) + (1 << 20),
                          .random = mluop_random_seed((int32_t)state->seed)};
  mluopBlockPool *pool = &state->session->pool;
  arena->block = mluop_block_take(pool, MLUOP_BLOCK_DEVICE, arena->size, &arena->used);
  if (!arena->block) {
    mluop_case_fail(state, "--random_mlu_address needs %zu bytes: %s", arena->size,
                    cnrtGetErrorStr(pool->error));
    return -1;
  }
  return 0;
}

/* Gives every tensor new addresses and its data. */
static int arena_place(mluopCaseState *state, AddressArena *arena) {
  size_t free_bytes = arena->size - arena_need(state), at = 0;
  for (size_t i = 0; i < state->n_tensors; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    if (!tensor->device.size) {
      continue;
    }
    const size_t gap = (size_t)mluop_random_below(&arena->random, free_bytes / 2 + 1) / 64 * 64;
    free_bytes -= gap;
    at += gap;
    mluopDeviceBuffer place = tensor->device;
    place.data = (char *)arena->block + at;
    place.used = arena->used;
    at += (place.size + 63) / 64 * 64;
    const bool kept_there = !tensor->written && !tensor->image; /* in the tensor's own buffer */
    if (kept_there ? mluop_device_buffer_write(&place, tensor->device.data)
                   : mluop_content_put(state, tensor, &place)) {
      return -1;
    }
    tensor->tensor->data = place.data;
  }
  for (size_t i = 0; i < state->n_tensors; ++i) {
    if (state->tensors[i].shares) {
      state->tensors[i].tensor->data = state->tensors[i].shares->tensor->data;
    }
  }
  arena->used = true;
  return 0;
}

static void arena_close(mluopCaseState *state, AddressArena *arena) {
  for (size_t i = 0; i < state->n_tensors; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    if (!tensor->tensor->is_host_scalar) {
      tensor->tensor->data = mluop_case_device_buffer(tensor)->data;
    }
  }
  mluop_block_give(&state->session->pool, arena->block);
}

static int zero_inputs(mluopCaseState *state) {
  for (size_t i = 0; i < state->ctx.n_inputs; ++i) {
    const mluopDeviceBuffer *buffer = &state->tensors[i].device;
    if (buffer->block && cnrtMemset(buffer->data, 0, buffer->size) != cnrtSuccess) {
      mluop_case_fail(state, "%s: cannot be set to zero", state->tensors[i].role);
      return -1;
    }
  }
  return 0;
}

static int measure_runs(mluopCaseState *state, AddressArena *arena) {
  const int repeat = state->options->perf_repeat;
  const int interface_runs = repeat < INTERFACE_SAMPLES ? repeat : INTERFACE_SAMPLES;
  double sum = 0, squares = 0, interface_sum = 0;
  for (int i = 0; i < repeat; ++i) {
    mluOpStatus_t status;
    mluopLaunchTime time;
    if (arena && arena_place(state, arena)) {
      return -1;
    }
    if (mluop_case_launch(state, &status, &time)) {
      return -1;
    }
    if (status != MLUOP_STATUS_SUCCESS) {
      mluop_case_fail(state, "timed run %d returned %s", i, mluOpGetErrorString(status));
      return -1;
    }
    sum += time.hardware_us;
    squares += time.hardware_us * time.hardware_us;
    interface_sum += i < interface_runs ? time.interface_us : 0;
  }
  const double mean = sum / repeat;
  state->result->hardware_us = mean;
  state->result->hardware_cv =
      mean > 0 ? sqrt(fmax(0, squares / repeat - mean * mean)) / mean : MLUOP_RESULT_UNKNOWN;
  state->result->interface_us = interface_sum / interface_runs;
  return 0;
}

int mluop_case_measure(mluopCaseState *state) {
  const mluopTestOptions *options = state->options;
  size_t free_before = 0, free_after = 0, total = 0;
  if (options->zero_input && options->mlu_only && !state->executor->depends_on_data &&
      zero_inputs(state)) {
    return -1;
  }
  AddressArena arena;
  if (options->random_mlu_address && arena_open(state, &arena)) {
    return -1;
  }
  cnrtMemGetInfo(&free_before, &total);
  const int failed = measure_runs(state, options->random_mlu_address ? &arena : NULL);
  cnrtMemGetInfo(&free_after, &total);
  if (options->random_mlu_address) {
    arena_close(state, &arena);
  }
  if (!failed && options->thread == 1 && free_after < free_before) {
    mluop_case_fail(state, "the timed runs left %zu bytes of device memory allocated",
                    free_before - free_after);
    return -1;
  }
  return failed;
}
