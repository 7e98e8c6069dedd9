/* SPDX-License-Identifier: MIT */
#include "apply_top_k_top_p_draw.h"
#include "apply_top_k_top_p_ref.h"
#include "executor.h"
#include "test/common/ref_share.h"

enum { LOGITS, TOP_K, TOP_P, N_INPUTS };

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, N_INPUTS, 1) ? 0 : -1;
}

static mluOpStatus_t workspace(mluopTestContext *ctx, size_t *size) {
  return mluOpGetApplyTopKTopPWorkspaceSize(ctx->handle, ctx->inputs[LOGITS].desc, size);
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  const mluopTestTensor *in = ctx->inputs, *out = ctx->outputs;
  return mluOpApplyTopKTopP(ctx->handle, in[LOGITS].desc, in[LOGITS].data, in[TOP_K].desc,
                            in[TOP_K].data, in[TOP_P].desc, in[TOP_P].data, ctx->workspace,
                            ctx->workspace_size, out[0].desc, out[0].data);
}

static ApplyTopKTopPCall reference_call(const mluopTestContext *ctx) {
  const mluopTestTensor *in = ctx->inputs;
  return (ApplyTopKTopPCall){.dtype = (mluOpDataType_t)in[LOGITS].info->library_number,
                             .batch = in[LOGITS].dims[0],
                             .vocab = in[LOGITS].dims[1],
                             .logits = in[LOGITS].host,
                             .top_k = in[TOP_K].host,
                             .top_p = in[TOP_P].host,
                             .output = ctx->outputs[0].host};
}

static int reference(mluopTestContext *ctx) {
  const ApplyTopKTopPCall call = reference_call(ctx);
  return apply_top_k_top_p_ref(&call);
}

/* Rows are independent. */
static int reference_share(mluopTestContext *ctx, int share, int shares) {
  ApplyTopKTopPCall call = reference_call(ctx);
  const RefRange rows = ref_share_range((RefShare){share, shares}, call.batch);
  const int64_t element = (int64_t)mluop_dtype_size(ctx->inputs[LOGITS].info);
  call.batch = rows.end - rows.begin;
  call.logits = (const char *)call.logits + rows.begin * call.vocab * element;
  call.top_k += rows.begin;
  call.top_p = (const char *)call.top_p + rows.begin * element;
  call.output = (char *)call.output + rows.begin * call.vocab * element;
  return apply_top_k_top_p_ref(&call);
}

static double theory_ops(const mluopTestContext *ctx) {
  return (double)ctx->inputs[LOGITS].count;
}

static double theory_io(const mluopTestContext *ctx) {
  const ApplyTopKTopPCall call = reference_call(ctx);
  return (double)apply_top_k_top_p_theory_bytes(&call);
}

const mluopTestExecutor mluop_executor_apply_top_k_top_p = {
    .name = "apply_top_k_top_p",
    .accuracy_class = MLUOP_TEST_CLASS_PURE_IO,
    .refuses_empty = true,
    .depends_on_data = true,
    .param_check = param_check,
    .workspace = workspace,
    .compute = compute,
    .reference = reference,
    .reference_share = reference_share,
    .writes_all = mluop_test_writes_all,
    .theory_ops = theory_ops,
    .theory_io = theory_io,
    .draw_case = apply_top_k_top_p_draw,
};
