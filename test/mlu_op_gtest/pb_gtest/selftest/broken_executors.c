/* SPDX-License-Identifier: MIT
 *
 * Replaces executor_list.c in the tests of the framework. */
#include "selftest/broken_executors.h"

#include <string.h>

#include "core/variant.h"

enum { WORKSPACE_FLOATS = 64 };

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, 1, 1) ? 0 : -1;
}

static mluOpStatus_t workspace(mluopTestContext *ctx, size_t *size) {
  (void)ctx;
  *size = WORKSPACE_FLOATS * sizeof(float);
  return MLUOP_STATUS_SUCCESS;
}

static int reference(mluopTestContext *ctx) {
  const float *in = ctx->inputs[0].host;
  float *out = ctx->outputs[0].host;
  for (size_t i = 0; i < ctx->inputs[0].count; ++i) {
    out[i] = 2 * (in ? in[i] : out[i]); /* in place: the input has no host data of its own */
  }
  return 0;
}

static double theory_ops(const mluopTestContext *ctx) {
  return (double)ctx->inputs[0].count;
}

static mluOpStatus_t compute(mluopTestContext *ctx, BrokenMode mode) {
  static int calls;
  if (ctx->inputs[0].info->part == MLUOP_PART_BFLOAT16) {
    return MLUOP_STATUS_NOT_SUPPORTED;
  }
  if (ctx->inputs[0].rank != 1) {
    return MLUOP_STATUS_BAD_PARAM;
  }
  KernelBroken(ctx->queue, mode, ++calls, ctx->inputs[0].data, ctx->outputs[0].data,
               (int)ctx->inputs[0].count, ctx->workspace, WORKSPACE_FLOATS);
  return MLUOP_STATUS_SUCCESS;
}

#define BROKEN_MODES(DO)                 \
  DO(NOT, correct)                       \
  DO(TAIL, wrong_tail)                   \
  DO(SYNC, missing_sync)                 \
  DO(BEFORE, write_before)               \
  DO(AFTER, write_after)                 \
  DO(WORKSPACE, workspace_overrun)       \
  DO(INPUT, modified_input)              \
  DO(NONDETERMINISTIC, nondeterministic) \
  DO(IN_PLACE, in_place)

#define DEFINE_COMPUTE(mode, label)                             \
  static mluOpStatus_t compute_##label(mluopTestContext *ctx) { \
    return compute(ctx, BROKEN_##mode);                         \
  }
BROKEN_MODES(DEFINE_COMPUTE)

/* An operator with a variant that cannot do the call and one that leaves a wrong tail. */
static const mluopVariant forms[] = {{.name = "right"}, {.name = "unable"}, {.name = "wrong_tail"}};
static const mluopVariantTable form_table = MLUOP_VARIANT_TABLE("doubling_variant_tail", forms);

static mluOpStatus_t compute_variant_tail(mluopTestContext *ctx) {
  const int forced = ctx->handle->variant.forced;
  ctx->handle->variant.table = &form_table;
  ctx->handle->variant.ran = forced == 3 ? 2 : 0;
  return compute(ctx, forced == 3 ? BROKEN_TAIL : BROKEN_NOT);
}

static const mluopTestInPlace in_place[] = {{.input = 0, .output = 0}};

#define DEFINE_EXECUTOR(mode, label)                                 \
  [BROKEN_##mode] = {.name = "doubling_" #label,                     \
                     .accuracy_class = MLUOP_TEST_CLASS_ARITHMETIC,  \
                     .param_check = param_check,                     \
                     .workspace = workspace,                         \
                     .compute = compute_##label,                     \
                     .in_place = in_place,                           \
                     .n_in_place = BROKEN_##mode == BROKEN_IN_PLACE, \
                     .reference = reference,                         \
                     .theory_ops = theory_ops},
static const mluopTestExecutor executors[] = {BROKEN_MODES(DEFINE_EXECUTOR)
                                                  DEFINE_EXECUTOR(VARIANT_TAIL, variant_tail)};

const mluopTestExecutor *broken_executor(BrokenMode mode) {
  return &executors[mode];
}

size_t mluop_executor_count(void) {
  return sizeof(executors) / sizeof(executors[0]);
}

const mluopTestExecutor *mluop_executor_at(size_t index) {
  return &executors[index];
}

const mluopTestExecutor *mluop_executor_find(const char *op_name) {
  for (size_t i = 0; i < mluop_executor_count(); ++i) {
    if (!strcmp(executors[i].name, op_name)) {
      return &executors[i];
    }
  }
  return NULL;
}
