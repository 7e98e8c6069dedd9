/* SPDX-License-Identifier: MIT */
#include "executor.h"
#include "moe_token_unpermute_with_routing_map_draw.h"
#include "moe_token_unpermute_with_routing_map_ref.h"

enum { PERMUTED_TOKENS, SORTED_INDICES, ROUTING_MAP, PROBS, N_INPUTS };

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, N_INPUTS, 1) &&
                 mluop_test_expect_param(ctx, ctx->node->moe_token_unpermute_with_routing_map_param,
                                         "moe_token_unpermute_with_routing_map_param")
             ? 0
             : -1;
}

static bool drop_and_pad(const mluopTestContext *ctx) {
  return ctx->node->moe_token_unpermute_with_routing_map_param->drop_and_pad;
}

static mluOpStatus_t workspace(mluopTestContext *ctx, size_t *size) {
  return mluOpGetMoeTokenUnpermuteWithRoutingMapWorkspaceSize(
      ctx->handle, ctx->inputs[SORTED_INDICES].desc, drop_and_pad(ctx), size);
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  const mluopTestTensor *in = ctx->inputs, *out = ctx->outputs;
  return mluOpMoeTokenUnpermuteWithRoutingMap(
      ctx->handle, in[PERMUTED_TOKENS].desc, in[PERMUTED_TOKENS].data, in[SORTED_INDICES].desc,
      in[SORTED_INDICES].data, in[ROUTING_MAP].desc, in[ROUTING_MAP].data, in[PROBS].desc,
      in[PROBS].data, drop_and_pad(ctx), ctx->workspace, ctx->workspace_size, out[0].desc,
      out[0].data);
}

static MoeTokenUnpermuteCall reference_call(const mluopTestContext *ctx) {
  const mluopTestTensor *in = ctx->inputs;
  return (MoeTokenUnpermuteCall){
      .dtype = (mluOpDataType_t)in[PERMUTED_TOKENS].info->library_number,
      .probs_dtype =
          in[PROBS].is_null ? MLUOP_DTYPE_INVALID : (mluOpDataType_t)in[PROBS].info->library_number,
      .tokens_num = in[ROUTING_MAP].dims[0],
      .num_experts = in[ROUTING_MAP].dims[1],
      .hidden = in[PERMUTED_TOKENS].dims[1],
      .rows = in[PERMUTED_TOKENS].dims[0],
      .drop_and_pad = drop_and_pad(ctx),
      .permuted_tokens = in[PERMUTED_TOKENS].host,
      .sorted_indices = in[SORTED_INDICES].host,
      .routing_map = in[ROUTING_MAP].host,
      .probs = in[PROBS].is_null ? NULL : in[PROBS].host,
      .unpermuted_tokens = ctx->outputs[0].host};
}

#define REFERENCE_CALL MoeTokenUnpermuteCall
#define REFERENCE_RUN moe_token_unpermute_with_routing_map_ref
#define REFERENCE_OPS moe_token_unpermute_with_routing_map_theory_ops
#define REFERENCE_BYTES moe_token_unpermute_with_routing_map_theory_bytes
#include "reference_functions.inc"

const mluopTestExecutor mluop_executor_moe_token_unpermute_with_routing_map = {
    .name = "moe_token_unpermute_with_routing_map",
    .accuracy_class = MLUOP_TEST_CLASS_ARITHMETIC,
    .depends_on_data = true,
    .param_check = param_check,
    .workspace = workspace,
    .compute = compute,
    .reference = reference,
    .reference_share = reference_share,
    .writes_all = mluop_test_writes_all,
    .theory_ops = theory_ops,
    .theory_io = theory_io,
    .draw_case = moe_token_unpermute_with_routing_map_draw,
};
