/* SPDX-License-Identifier: MIT */
#include "executor.h"
#include "my_op_ref.h"

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, 2, 1) ? 0 : -1;
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  return mluOpMyOp(ctx->handle, ctx->inputs[0].desc, ctx->inputs[0].data, ctx->inputs[1].desc,
                   ctx->inputs[1].data, ctx->outputs[0].desc, ctx->outputs[0].data);
}

static int64_t row_bytes_of(const mluopTestContext *ctx) {
  return ctx->outputs[0].dims[1] * (int64_t)mluop_dtype_size(ctx->outputs[0].info);
}

static int reference(mluopTestContext *ctx) {
  my_op_ref(ctx->inputs[0].host, ctx->inputs[1].host, ctx->inputs[0].dims[0],
            ctx->outputs[0].dims[0], row_bytes_of(ctx), ctx->outputs[0].host);
  return 0;
}

static double theory_io(const mluopTestContext *ctx) {
  return (double)my_op_theory_bytes(ctx->outputs[0].dims[0], row_bytes_of(ctx));
}

const mluopTestExecutor mluop_executor_my_op = {
    .name = "my_op",
    .accuracy_class = MLUOP_TEST_CLASS_PURE_IO,
    .param_check = param_check,
    .compute = compute,
    .reference = reference,
    .theory_io = theory_io,
};
