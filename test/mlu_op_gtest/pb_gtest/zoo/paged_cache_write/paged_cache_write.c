/* SPDX-License-Identifier: MIT */
#include "executor.h"
#include "paged_cache_write_draw.h"
#include "paged_cache_write_ref.h"

enum { INPUT, POSITIONS, REQUEST_IDS, BLOCK_TABLE, CACHE, N_INPUTS };

static const mluopTestInPlace in_place[] = {{.input = CACHE, .output = 0}};

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, N_INPUTS, 1) &&
                 mluop_test_expect_param(ctx, ctx->node->paged_cache_write_param,
                                         "paged_cache_write_param") &&
                 mluop_test_expect_int(ctx, ctx->node->paged_cache_write_param->block_size,
                                       "block_size")
             ? 0
             : -1;
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  const mluopTestTensor *in = ctx->inputs;
  return mluOpPagedCacheWrite(
      ctx->handle, in[INPUT].desc, in[INPUT].data, in[POSITIONS].desc, in[POSITIONS].data,
      in[REQUEST_IDS].desc, in[REQUEST_IDS].data, in[BLOCK_TABLE].desc, in[BLOCK_TABLE].data,
      (int)ctx->node->paged_cache_write_param->block_size, in[CACHE].desc, in[CACHE].data);
}

static PagedCacheWriteCall reference_call(const mluopTestContext *ctx) {
  const mluopTestTensor *in = ctx->inputs;
  return (PagedCacheWriteCall){
      .tables = {.block_table = in[BLOCK_TABLE].host,
                 .requests = in[BLOCK_TABLE].dims[0],
                 .entries = in[BLOCK_TABLE].dims[1],
                 .block_size = ctx->node->paged_cache_write_param->block_size,
                 .token_size = in[CACHE].dims[0]},
      .positions = in[POSITIONS].host,
      .request_ids = in[REQUEST_IDS].is_null ? NULL : in[REQUEST_IDS].host,
      .n = in[INPUT].dims[0],
      .row_bytes = in[INPUT].dims[1] * (int64_t)mluop_dtype_size(in[INPUT].info),
      .input = in[INPUT].host,
      .cache = ctx->outputs[0].host};
}

#define REFERENCE_CALL PagedCacheWriteCall
#define REFERENCE_RUN(call) (paged_cache_write_ref(call), 0)
#define REFERENCE_OPS(call) ((void)(call), 0) /* only moves data */
#define REFERENCE_BYTES paged_cache_write_theory_bytes
#include "reference_functions.inc"

const mluopTestExecutor mluop_executor_paged_cache_write = {
    .name = "paged_cache_write",
    .accuracy_class = MLUOP_TEST_CLASS_PURE_IO,
    .in_place = in_place,
    .n_in_place = 1,
    .refuses_empty = true,
    .depends_on_data = true,
    .param_check = param_check,
    .compute = compute,
    .reference = reference,
    .reference_share = reference_share,
    .theory_ops = theory_ops,
    .theory_io = theory_io,
    .draw_case = paged_cache_write_draw,
};
