/* SPDX-License-Identifier: MIT */
#include "executor.h"
#include "sparse_attention_scores_draw.h"
#include "sparse_attention_scores_ref.h"

enum { QUERY, PARAM, INDICES, BLOCK_TABLE, REQUEST_IDS, VALID_COUNTS, N_INPUTS };

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, N_INPUTS, 1) &&
                 mluop_test_expect_param(ctx, ctx->node->sparse_attention_scores_param,
                                         "sparse_attention_scores_param") &&
                 mluop_test_expect_int(ctx, ctx->node->sparse_attention_scores_param->block_size,
                                       "block_size")
             ? 0
             : -1;
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  const Mluoptest__SparseAttentionScoresParam *param = ctx->node->sparse_attention_scores_param;
  const mluopTestTensor *in = ctx->inputs;
  return mluOpSparseAttentionScores(
      ctx->handle, in[QUERY].desc, in[QUERY].data, in[PARAM].desc, in[PARAM].data, in[INDICES].desc,
      in[INDICES].data, in[BLOCK_TABLE].desc, in[BLOCK_TABLE].data, in[REQUEST_IDS].desc,
      in[REQUEST_IDS].data, in[VALID_COUNTS].desc, in[VALID_COUNTS].data, (int)param->block_size,
      param->scale, ctx->outputs[0].desc, ctx->outputs[0].data);
}

static SparseAttentionScoresCall reference_call(const mluopTestContext *ctx) {
  const Mluoptest__SparseAttentionScoresParam *param = ctx->node->sparse_attention_scores_param;
  const mluopTestTensor *in = ctx->inputs;
  return (SparseAttentionScoresCall){
      .dtype = (mluOpDataType_t)in[PARAM].info->library_number,
      .tables = {.block_table = in[BLOCK_TABLE].host,
                 .requests = in[BLOCK_TABLE].dims[0],
                 .entries = in[BLOCK_TABLE].dims[1],
                 .block_size = param->block_size,
                 .token_size = in[PARAM].dims[0]},
      .queries = {.indices = in[INDICES].host,
                  .queries = in[INDICES].dims[0],
                  .k = in[INDICES].dims[1],
                  .request_ids = in[REQUEST_IDS].is_null ? NULL : in[REQUEST_IDS].host,
                  .valid_counts = in[VALID_COUNTS].is_null ? NULL : in[VALID_COUNTS].host},
      .heads = in[QUERY].dims[1],
      .dim = in[QUERY].dims[2],
      .scale = param->scale,
      .query = in[QUERY].host,
      .param = in[PARAM].host,
      .scores = ctx->outputs[0].host};
}

#define REFERENCE_CALL SparseAttentionScoresCall
#define REFERENCE_RUN(call) (sparse_attention_scores_ref(call), 0)
#define REFERENCE_OPS sparse_attention_scores_theory_ops
#define REFERENCE_BYTES sparse_attention_scores_theory_bytes
#include "reference_functions.inc"

const mluopTestExecutor mluop_executor_sparse_attention_scores = {
    .name = "sparse_attention_scores",
    .accuracy_class = MLUOP_TEST_CLASS_CONVOLUTION,
    .refuses_empty = true,
    .depends_on_data = true,
    .param_check = param_check,
    .compute = compute,
    .reference = reference,
    .reference_share = reference_share,
    .writes_all = mluop_test_writes_all,
    .theory_ops = theory_ops,
    .theory_io = theory_io,
    .draw_case = sparse_attention_scores_draw,
};
