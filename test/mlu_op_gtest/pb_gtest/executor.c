/* SPDX-License-Identifier: MIT */
#include "executor.h"

#include <inttypes.h>
#include <limits.h>

bool mluop_test_expect_tensors(mluopTestContext *ctx, size_t n_inputs, size_t n_outputs) {
  if (ctx->n_inputs == n_inputs && ctx->n_outputs == n_outputs) {
    return true;
  }
  mluop_text_add(ctx->message, "%s wants %zu inputs and %zu outputs, the case has %zu and %zu",
                 ctx->node->op_name, n_inputs, n_outputs, ctx->n_inputs, ctx->n_outputs);
  return false;
}

bool mluop_test_expect_param(mluopTestContext *ctx, const void *param, const char *name) {
  if (!param) {
    mluop_text_add(ctx->message, "the case has no %s", name);
  }
  return param != NULL;
}

bool mluop_test_expect_int(mluopTestContext *ctx, int64_t value, const char *name) {
  if (value >= INT_MIN && value <= INT_MAX) {
    return true;
  }
  mluop_text_add(ctx->message, "%s %" PRId64 " does not fit into the operator's int", name, value);
  return false;
}

bool mluop_test_writes_all(const mluopTestContext *ctx) {
  (void)ctx;
  return true;
}

double mluop_test_no_ops(const mluopTestContext *ctx) {
  (void)ctx;
  return 0;
}
