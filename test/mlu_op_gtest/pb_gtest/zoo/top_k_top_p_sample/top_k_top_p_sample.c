/* SPDX-License-Identifier: MIT */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "executor.h"
#include "top_k_top_p_sample_draw.h"
#include "top_k_top_p_sample_ref.h"
#include "test/common/ref_share.h"

/* A case with min_p uses the second revision, even if it does not name that function. A case that
 * names the second revision without min_p passes NULL. */
enum { LOGITS, TOP_K, TOP_P, Q, MIN_P };
enum { INDEX, FILTERED };

static int param_check(mluopTestContext *ctx) {
  const size_t n_inputs = ctx->n_inputs > MIN_P ? MIN_P + 1 : MIN_P;
  const Mluoptest__TopKTopPSampleParam *param = ctx->node->top_k_top_p_sample_param;
  if (!mluop_test_expect_param(ctx, param, "top_k_top_p_sample_param")) return -1;
  return mluop_test_expect_tensors(ctx, n_inputs, param->is_need_logits ? 2 : 1) ? 0 : -1;
}

/* Memory for the reference's counts; without it they are counted again. */
static int prepare(mluopTestContext *ctx) {
  const mluopTestTensor *logits = &ctx->inputs[LOGITS];
  ctx->prepared = logits->is_null || logits->rank != 2
                      ? NULL
                      : calloc((size_t)logits->dims[0] + 1, sizeof(int64_t));
  return 0;
}

static void release(mluopTestContext *ctx) {
  free(ctx->prepared);
  ctx->prepared = NULL;
}

static mluOpStatus_t workspace(mluopTestContext *ctx, size_t *size) {
  return mluOpGetTopKTopPSampleWorkspaceSize(ctx->handle, ctx->inputs[LOGITS].desc, size);
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  const Mluoptest__TopKTopPSampleParam *param = ctx->node->top_k_top_p_sample_param;
  const mluopTestTensor *in = ctx->inputs, *out = ctx->outputs;
  const bool has_filtered = ctx->n_outputs > FILTERED;
  mluOpTensorDescriptor_t filtered_desc = has_filtered ? out[FILTERED].desc : NULL;
  void *filtered = has_filtered ? out[FILTERED].data : NULL;
  const bool has_min_p = ctx->n_inputs > MIN_P;
  if (has_min_p || ctx->api_version >= 2) {
    return mluOpTopKTopPSample_v2(
        ctx->handle, in[LOGITS].desc, in[LOGITS].data, in[TOP_K].desc, in[TOP_K].data,
        in[TOP_P].desc, in[TOP_P].data, has_min_p ? in[MIN_P].desc : NULL,
        has_min_p ? in[MIN_P].data : NULL, in[Q].desc, in[Q].data, param->eps,
        param->is_need_logits, param->top_k_guess, ctx->workspace, ctx->workspace_size,
        out[INDEX].desc, out[INDEX].data, filtered_desc, filtered);
  }
  return mluOpTopKTopPSample(ctx->handle, in[LOGITS].desc, in[LOGITS].data, in[TOP_K].desc,
                             in[TOP_K].data, in[TOP_P].desc, in[TOP_P].data, in[Q].desc, in[Q].data,
                             param->eps, param->is_need_logits, param->top_k_guess, ctx->workspace,
                             ctx->workspace_size, out[INDEX].desc, out[INDEX].data, filtered_desc,
                             filtered);
}

static TopKTopPSampleCall reference_call(const mluopTestContext *ctx) {
  const Mluoptest__TopKTopPSampleParam *param = ctx->node->top_k_top_p_sample_param;
  const mluopTestTensor *in = ctx->inputs;
  return (TopKTopPSampleCall){
      .dtype = (mluOpDataType_t)in[LOGITS].info->library_number,
      .batch = in[LOGITS].dims[0],
      .vocab = in[LOGITS].dims[1],
      .logits = in[LOGITS].host,
      .top_k = in[TOP_K].host,
      .top_p = in[TOP_P].host,
      .min_p = ctx->n_inputs > MIN_P && !in[MIN_P].is_null ? in[MIN_P].host : NULL,
      .q = in[Q].is_null ? NULL : in[Q].host,
      .eps = param->eps,
      .index = ctx->outputs[INDEX].host,
      .kept_plus_one = ctx->prepared,
      .filtered = ctx->n_outputs > FILTERED ? ctx->outputs[FILTERED].host : NULL};
}

static int reference(mluopTestContext *ctx) {
  const TopKTopPSampleCall call = reference_call(ctx);
  return top_k_top_p_sample_ref(&call);
}

/* Rows are independent. */
static TopKTopPSampleCall row_call(const mluopTestContext *ctx, RefRange rows) {
  TopKTopPSampleCall call = reference_call(ctx);
  const int64_t element = (int64_t)mluop_dtype_size(ctx->inputs[LOGITS].info);
  call.batch = rows.end - rows.begin;
  call.logits = (const char *)call.logits + rows.begin * call.vocab * element;
  call.top_k += rows.begin;
  call.top_p = (const char *)call.top_p + rows.begin * element;
  call.min_p = call.min_p ? (const char *)call.min_p + rows.begin * element : NULL;
  call.q = call.q ? call.q + rows.begin * call.vocab : NULL;
  call.index += rows.begin;
  call.kept_plus_one = call.kept_plus_one ? call.kept_plus_one + rows.begin : NULL;
  call.filtered = call.filtered ? call.filtered + rows.begin * call.vocab : NULL;
  return call;
}

static int reference_share(mluopTestContext *ctx, int share, int shares) {
  const RefShare part = {share, shares};
  const TopKTopPSampleCall call = row_call(ctx, ref_share_range(part, ctx->inputs[LOGITS].dims[0]));
  return top_k_top_p_sample_ref(&call);
}

static double theory_ops(const mluopTestContext *ctx) {
  const TopKTopPSampleCall call = reference_call(ctx);
  return (double)top_k_top_p_sample_theory_ops(&call);
}

typedef struct BytesJob {
  const mluopTestContext *ctx;
  atomic_llong bytes;
} BytesJob;

static void count_bytes(void *arg, size_t piece, size_t begin, size_t end) {
  BytesJob *job = arg;
  (void)piece;
  const TopKTopPSampleCall call = row_call(job->ctx, (RefRange){(int64_t)begin, (int64_t)end});
  atomic_fetch_add(&job->bytes, top_k_top_p_sample_theory_bytes(&call));
}

/* The noise that is needed is known only after sorting each row, which is as much work as the
 * reference. So the counts of the reference are used if it has run. */
static double theory_io(const mluopTestContext *ctx) {
  BytesJob job = {.ctx = ctx};
  mluop_parallel_for((size_t)ctx->inputs[LOGITS].dims[0], 1, count_bytes, &job);
  return (double)atomic_load(&job.bytes);
}

const mluopTestExecutor mluop_executor_top_k_top_p_sample = {
    .name = "top_k_top_p_sample",
    .accuracy_class = MLUOP_TEST_CLASS_ARITHMETIC,
    .refuses_empty = true,
    .depends_on_data = true,
    .newest_api_version = 2,
    .param_check = param_check,
    .workspace = workspace,
    .prepare = prepare,
    .release = release,
    .compute = compute,
    .reference = reference,
    .reference_share = reference_share,
    .writes_all = mluop_test_writes_all,
    .reads_mostly = true,
    .theory_ops = theory_ops,
    .theory_io = theory_io,
    .draw_case = top_k_top_p_sample_draw,
};
