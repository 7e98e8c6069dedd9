/* SPDX-License-Identifier: MIT */
#include "executor.h"
#include "my_op_ref.h"

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, 1, 1) &&
                 mluop_test_expect_param(ctx, ctx->node->my_op_param, "my_op_param")
             ? 0
             : -1;
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  return mluOpMyOp(ctx->handle, ctx->inputs[0].desc, ctx->inputs[0].data,
                   ctx->node->my_op_param->factor, ctx->outputs[0].desc, ctx->outputs[0].data);
}

static mluOpDataType_t dtype_of(const mluopTestContext *ctx) {
  return (mluOpDataType_t)ctx->inputs[0].info->library_number;
}

static int reference(mluopTestContext *ctx) {
  my_op_ref(dtype_of(ctx), ctx->inputs[0].host, ctx->node->my_op_param->factor,
            (int64_t)ctx->inputs[0].count, ctx->outputs[0].host);
  return 0;
}

static double theory_ops(const mluopTestContext *ctx) {
  return (double)ctx->inputs[0].count;
}

static double theory_io(const mluopTestContext *ctx) {
  return (double)my_op_theory_bytes(dtype_of(ctx), (int64_t)ctx->inputs[0].count);
}

const mluopTestExecutor mluop_executor_my_op = {
    .name = "my_op",
    .accuracy_class = MLUOP_TEST_CLASS_ARITHMETIC,
    .param_check = param_check,
    .compute = compute,
    .reference = reference,
    .theory_ops = theory_ops,
    .theory_io = theory_io,
};
