/* SPDX-License-Identifier: MIT */
#include "executor.h"
#include "gather_in_ub_batched_draw.h"
#include "gather_in_ub_batched_ref.h"

enum { PARAM, INDICES, BLOCK_TABLE, REQUEST_IDS, VALID_COUNTS, N_INPUTS };

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, N_INPUTS, 1) &&
                 mluop_test_expect_param(ctx, ctx->node->gather_in_ub_batched_param,
                                         "gather_in_ub_batched_param") &&
                 mluop_test_expect_int(ctx, ctx->node->gather_in_ub_batched_param->block_size,
                                       "block_size")
             ? 0
             : -1;
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  const Mluoptest__GatherInUbBatchedParam *param = ctx->node->gather_in_ub_batched_param;
  const mluopTestTensor *in = ctx->inputs;
  return mluOpGatherInUbBatched(ctx->handle, in[PARAM].desc, in[PARAM].data, in[INDICES].desc,
                                in[INDICES].data, in[BLOCK_TABLE].desc, in[BLOCK_TABLE].data,
                                in[REQUEST_IDS].desc, in[REQUEST_IDS].data, in[VALID_COUNTS].desc,
                                in[VALID_COUNTS].data, (int)param->block_size, param->axis,
                                ctx->outputs[0].desc, ctx->outputs[0].data);
}

static GatherInUbBatchedCall reference_call(const mluopTestContext *ctx) {
  const mluopTestTensor *in = ctx->inputs;
  return (GatherInUbBatchedCall){
      .tables = {.block_table = in[BLOCK_TABLE].host,
                 .requests = in[BLOCK_TABLE].dims[0],
                 .entries = in[BLOCK_TABLE].dims[1],
                 .block_size = ctx->node->gather_in_ub_batched_param->block_size,
                 .token_size = in[PARAM].dims[0]},
      .queries = {.indices = in[INDICES].host,
                  .queries = in[INDICES].dims[0],
                  .k = in[INDICES].dims[1],
                  .request_ids = in[REQUEST_IDS].is_null ? NULL : in[REQUEST_IDS].host,
                  .valid_counts = in[VALID_COUNTS].is_null ? NULL : in[VALID_COUNTS].host},
      .row_bytes = in[PARAM].dims[1] * (int64_t)mluop_dtype_size(in[PARAM].info),
      .param = in[PARAM].host,
      .output = ctx->outputs[0].host};
}

#define REFERENCE_CALL GatherInUbBatchedCall
#define REFERENCE_RUN(call) (gather_in_ub_batched_ref(call), 0)
#define REFERENCE_OPS(call) ((void)(call), 0) /* only moves data */
#define REFERENCE_BYTES gather_in_ub_batched_theory_bytes
#include "reference_functions.inc"

const mluopTestExecutor mluop_executor_gather_in_ub_batched = {
    .name = "gather_in_ub_batched",
    .accuracy_class = MLUOP_TEST_CLASS_PURE_IO,
    .refuses_empty = true,
    .depends_on_data = true,
    .param_check = param_check,
    .compute = compute,
    .reference = reference,
    .reference_share = reference_share,
    .writes_all = mluop_test_writes_all,
    .theory_ops = theory_ops,
    .theory_io = theory_io,
    .draw_case = gather_in_ub_batched_draw,
};
