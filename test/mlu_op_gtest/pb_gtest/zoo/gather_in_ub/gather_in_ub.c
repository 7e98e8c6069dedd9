/* SPDX-License-Identifier: MIT */
#include "executor.h"
#include "gather_in_ub_draw.h"
#include "gather_in_ub_ref.h"
#include "test/common/ref_share.h"

enum { PARAM, INDICES, BLOCK_TABLE, N_INPUTS };

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, N_INPUTS, 1) &&
                 mluop_test_expect_param(ctx, ctx->node->gather_in_ub_param,
                                         "gather_in_ub_param") &&
                 mluop_test_expect_int(ctx, ctx->node->gather_in_ub_param->block_size, "block_size")
             ? 0
             : -1;
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  const Mluoptest__GatherInUbParam *param = ctx->node->gather_in_ub_param;
  const mluopTestTensor *in = ctx->inputs;
  return mluOpGatherInUb(ctx->handle, in[PARAM].desc, in[PARAM].data, in[INDICES].desc,
                         in[INDICES].data, in[BLOCK_TABLE].desc, in[BLOCK_TABLE].data,
                         (int)param->block_size, param->axis, ctx->outputs[0].desc,
                         ctx->outputs[0].data);
}

static GatherInUbCall reference_call(const mluopTestContext *ctx) {
  const mluopTestTensor *in = ctx->inputs;
  return (GatherInUbCall){
      .tables = {.block_table = in[BLOCK_TABLE].host,
                 .requests = 1,
                 .entries = in[BLOCK_TABLE].dims[1],
                 .block_size = ctx->node->gather_in_ub_param->block_size,
                 .token_size = in[PARAM].dims[0]},
      .indices = in[INDICES].host,
      .k = in[INDICES].dims[1],
      .row_bytes = in[PARAM].dims[1] * (int64_t)mluop_dtype_size(in[PARAM].info),
      .param = in[PARAM].host,
      .output = ctx->outputs[0].host};
}

static int reference(mluopTestContext *ctx) {
  const GatherInUbCall call = reference_call(ctx);
  gather_in_ub_ref(&call);
  return 0;
}

/* Ids are independent. */
static int reference_share(mluopTestContext *ctx, int share, int shares) {
  GatherInUbCall call = reference_call(ctx);
  const RefRange ids = ref_share_range((RefShare){share, shares}, call.k);
  call.k = ids.end - ids.begin;
  call.indices += ids.begin;
  call.output = (char *)call.output + ids.begin * call.row_bytes;
  gather_in_ub_ref(&call);
  return 0;
}

static double theory_io(const mluopTestContext *ctx) {
  const GatherInUbCall call = reference_call(ctx);
  return (double)gather_in_ub_theory_bytes(&call);
}

const mluopTestExecutor mluop_executor_gather_in_ub = {
    .name = "gather_in_ub",
    .accuracy_class = MLUOP_TEST_CLASS_PURE_IO,
    .refuses_empty = true,
    .depends_on_data = true,
    .param_check = param_check,
    .compute = compute,
    .reference = reference,
    .reference_share = reference_share,
    .writes_all = mluop_test_writes_all,
    .theory_ops = mluop_test_no_ops,
    .theory_io = theory_io,
    .draw_case = gather_in_ub_draw,
};
