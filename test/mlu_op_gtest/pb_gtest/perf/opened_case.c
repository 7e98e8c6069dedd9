/* SPDX-License-Identifier: MIT */
#include "perf/opened_case.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "data/tensor.h"
#include "run/case_judge.h"
#include "run/case_launch.h"
#include "run/case_open.h"
#include "run/case_outputs.h"
#include "run/case_state.h"
#include "run/reference_run.h"
#include "run/theory.h"

enum { DEVICE_TIME_CALLS = 5 };

struct mluopPerfOpenedCase {
  mluopPerfBench *bench;
  mluopCaseState state;
  mluopCaseResult result;
  bool prepared;
};

bool mluop_perf_case_reads_mostly(const mluopPerfOpenedCase *opened) {
  return opened->state.executor->reads_mostly;
}

const char *mluop_perf_case_failed(const mluopPerfOpenedCase *opened) {
  const mluopTestText *failure = &opened->result.failure;
  return failure->length ? mluop_text_get(failure) : NULL;
}

void mluop_perf_case_close(mluopPerfOpenedCase *opened) {
  if (opened->prepared) {
    mluop_case_release(&opened->state);
  }
  mluop_case_close(&opened->state);
  mluop_result_free(&opened->result);
  free(opened);
}

/* Calls the operator and judges its result as a test would. */
static int check_once(mluopPerfOpenedCase *opened) {
  mluopCaseState *state = &opened->state;
  mluOpStatus_t status;
  mluopLaunchTime time;
  if (mluop_case_prepare(state, &status)) {
    return -1;
  }
  opened->prepared = true;
  if (status == MLUOP_STATUS_SUCCESS && mluop_case_launch(state, &status, &time)) {
    return -1;
  }
  if (status != MLUOP_STATUS_SUCCESS) {
    opened->result.refused_by_device = mluop_case_is_refused_by_device(state, status);
    mluop_case_fail(state, "the operator returned %s", mluOpGetErrorString(status));
    return -1;
  }
  if (mluop_case_expect(state) || mluop_case_take_outputs(state)) {
    return -1;
  }
  mluop_case_judge_accuracy(state);
  return mluop_perf_case_failed(opened) ? -1 : 0;
}

/* Dims of the largest tensor of a list. */
static const mluopTestTensor *largest(const mluopTestTensor *tensors, size_t n) {
  const mluopTestTensor *most = NULL;
  for (size_t i = 0; i < n; ++i) {
    if (!tensors[i].is_null && (!most || tensors[i].count > most->count)) {
      most = &tensors[i];
    }
  }
  return most;
}

static void add_dims(mluopTestText *text, const mluopTestTensor *tensor) {
  for (int d = 0; tensor && d < tensor->rank; ++d) {
    mluop_text_add(text, "%s%lld", d ? "x" : "", (long long)tensor->dims[d]);
  }
}

static void describe(mluopPerfOpenedCase *opened, mluopPerfCase *item) {
  const mluopTestContext *ctx = &opened->state.ctx;
  const Mluoptest__Node *node = ctx->node;
  const mluopTestTensor *in = largest(ctx->inputs, ctx->n_inputs);
  mluopTestText shape = {0};
  add_dims(&shape, in);
  mluop_text_add(&shape, " to ");
  add_dims(&shape, largest(ctx->outputs, ctx->n_outputs));
  mluop_perf_set_text(&item->shape, "%s", mluop_text_get(&shape));
  mluop_text_free(&shape);
  /* "DTYPE_HALF" is "half" to people */
  const char *dtype = in ? in->info->name + strlen("DTYPE_") : "";
  mluop_perf_set_text(&item->data_type, "%s", dtype);
  for (char *c = item->data_type; *c; ++c) {
    *c = (char)tolower((unsigned char)*c);
  }
  mluop_theory_fill(&opened->bench->options, opened->state.executor, ctx, &opened->result);
  if (*opened->result.time_class) {
    mluop_perf_set_text(&item->time_class, "%s", opened->result.time_class);
  }
  item->theory_bytes = opened->result.theory_ios;
  item->theory_ops = opened->result.theory_ops > 0 ? opened->result.theory_ops : 0;
  item->workspace_size = opened->result.workspace_size > 0 ? opened->result.workspace_size : 0;
  const bool general =
      node->has_performance_shape
          ? node->performance_shape == MLUOPTEST__PERFORMANCE_SHAPE__PERFORMANCE_GENERAL
          : strcmp(item->case_set, "perf") != 0;
  item->threshold = general ? 0.3 : 0.6;
  if (node->performance_waiver && *node->performance_waiver) {
    mluop_perf_set_text(&item->waiver, "%s", node->performance_waiver);
    item->floor = node->performance_floor;
  }
  item->threads_of_reference = opened->state.executor->reference_share ? bench_threads() : 1;
}

/* A waiver without a floor would accept any speed. */
static int check_waiver(mluopPerfOpenedCase *opened, const mluopPerfCase *item) {
  const Mluoptest__Node *node = opened->state.ctx.node;
  const bool has_floor = item->floor > 0 && item->floor < item->threshold;
  if (item->waiver ? has_floor : !node->has_performance_floor) {
    return 0;
  }
  mluop_case_fail(&opened->state,
                  item->waiver ? "performance_waiver: wanted a performance_floor above 0 "
                                 "and below the line of %.2f, got %.2f"
                               : "performance_floor: wanted beside a performance_waiver "
                                 "only; the line is %.2f, the floor %.2f",
                  item->threshold, (double)node->performance_floor);
  return -1;
}

mluopPerfOpenedCase *mluop_perf_case_open(mluopPerfBench *bench, const mluopCaseEntry *entry,
                                          mluopPerfCase *item, mluopTestText *failure) {
  mluopPerfOpenedCase *opened = calloc(1, sizeof(*opened));
  if (!opened) {
    mluop_text_add(failure, "out of memory");
    return NULL;
  }
  opened->bench = bench;
  mluop_result_init(&opened->result, entry->path);
  opened->state = (mluopCaseState){.options = &bench->options,
                                   .session = &bench->session,
                                   .executor = entry->executor,
                                   .result = &opened->result,
                                   .separate = true,
                                   .seed = 1};
  if (!mluop_case_open(&opened->state, entry->path) && !check_once(opened)) {
    describe(opened, item);
    if (item->theory_bytes <= 0 || opened->state.refused) {
      mluop_case_fail(&opened->state, "the case moves no bytes: there is nothing to measure");
    } else if (!check_waiver(opened, item)) {
      return opened;
    }
  }
  item->refused_by_device = opened->result.refused_by_device;
  mluop_text_add(failure, "%s", mluop_text_get(&opened->result.failure));
  mluop_perf_case_close(opened);
  return NULL;
}

void mluop_perf_case_call(void *opened_case) {
  mluopPerfOpenedCase *opened = opened_case;
  mluopCaseState *state = &opened->state;
  const mluOpStatus_t status = state->executor->compute(&state->ctx);
  const cnrtRet_t synced = cnrtQueueSync(state->session->queue);
  if (status != MLUOP_STATUS_SUCCESS || synced != cnrtSuccess) {
    mluop_case_fail(state, "a later call returned %s, its queue %s", mluOpGetErrorString(status),
                    cnrtGetErrorStr(synced));
  }
}

double mluop_perf_case_device_us(mluopPerfOpenedCase *opened) {
  mluOpStatus_t status;
  mluopLaunchTime time;
  if (mluop_case_launch(&opened->state, &status, &time)) {
    return -1;
  }
  if (status != MLUOP_STATUS_SUCCESS) {
    mluop_case_fail(&opened->state, "a later call returned %s", mluOpGetErrorString(status));
    return -1;
  }
  return time.hardware_us;
}

static void reference_part(int index, int threads, void *arg) {
  const mluopCaseState *state = &((mluopPerfOpenedCase *)arg)->state;
  mluop_reference_run_share(state->executor, &state->ctx, index, threads);
}

void mluop_perf_case_reference(void *opened_case) {
  mluopPerfOpenedCase *opened = opened_case;
  mluopCaseState *state = &opened->state;
  if (state->executor->reference_share) {
    bench_parallel(reference_part, opened);
    return;
  }
  mluopTestText message = {0};
  state->ctx.message = &message;
  state->executor->reference(&state->ctx);
  state->ctx.message = NULL;
  mluop_text_free(&message);
}

double mluop_perf_case_first_reference_us(const mluopPerfOpenedCase *opened) {
  return opened->result.phase_ms[MLUOP_PHASE_REFERENCE] * 1e3;
}

void mluop_perf_case_evict_device(const mluopPerfOpenedCase *opened) {
  if (!opened->bench->evicts) {
    mluop_session_flush_cache(&opened->bench->session);
    return;
  }
  const mluopCaseState *state = &opened->state;
  for (size_t i = 0; i < state->n_tensors; ++i) {
    const mluopDeviceBuffer *buffer = &state->tensors[i].device;
    if (buffer->block) {
      limit_evict(buffer->data, buffer->size);
    }
  }
  if (state->workspace.block) {
    limit_evict(state->workspace.data, state->workspace.size);
  }
}

void mluop_perf_case_evict_host(const mluopPerfOpenedCase *opened) {
  const mluopCaseState *state = &opened->state;
  for (size_t i = 0; i < state->n_tensors; ++i) {
    const mluopTestTensor *tensor = state->tensors[i].tensor;
    if (tensor->host) {
      limit_evict(tensor->host, tensor->count * mluop_dtype_size(tensor->info));
    }
  }
}

void mluop_perf_case_device_times(mluopPerfOpenedCase *opened, mluopPerfCase *item) {
  mluopPerfSamples hardware = {.n = 0}, interface = {.n = 0};
  const int calls = opened->bench->board_gbps > 0 ? 1 : DEVICE_TIME_CALLS;
  for (int i = 0; i < calls; ++i) {
    mluOpStatus_t status;
    mluopLaunchTime time;
    mluop_perf_case_evict_device(opened);
    if (mluop_case_launch(&opened->state, &status, &time)) {
      return;
    }
    mluop_perf_samples_add(&hardware, time.hardware_us);
    mluop_perf_samples_add(&interface, time.interface_us);
  }
  item->hardware_us = mluop_perf_quantile(&hardware, 0.5);
  item->interface_us = mluop_perf_quantile(&interface, 0.5);
}
