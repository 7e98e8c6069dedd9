/* SPDX-License-Identifier: MIT */
#include "executor.h"
#include "moe_token_permute_with_routing_map_grad_draw.h"
#include "moe_token_permute_with_routing_map_grad_ref.h"

enum { PERMUTED_TOKENS_GRAD, PERMUTED_PROBS_GRAD, SORTED_INDICES, ROUTING_MAP, N_INPUTS };
enum { TOKENS_GRAD, PROBS_GRAD, N_OUTPUTS };

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, N_INPUTS, N_OUTPUTS) &&
                 mluop_test_expect_param(ctx,
                                         ctx->node->moe_token_permute_with_routing_map_grad_param,
                                         "moe_token_permute_with_routing_map_grad_param")
             ? 0
             : -1;
}

static bool drop_and_pad(const mluopTestContext *ctx) {
  return ctx->node->moe_token_permute_with_routing_map_grad_param->drop_and_pad;
}

static mluOpStatus_t workspace(mluopTestContext *ctx, size_t *size) {
  return mluOpGetMoeTokenPermuteWithRoutingMapGradWorkspaceSize(
      ctx->handle, ctx->inputs[SORTED_INDICES].desc, drop_and_pad(ctx), size);
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  const mluopTestTensor *in = ctx->inputs, *out = ctx->outputs;
  return mluOpMoeTokenPermuteWithRoutingMapGrad(
      ctx->handle, in[PERMUTED_TOKENS_GRAD].desc, in[PERMUTED_TOKENS_GRAD].data,
      in[PERMUTED_PROBS_GRAD].desc, in[PERMUTED_PROBS_GRAD].data, in[SORTED_INDICES].desc,
      in[SORTED_INDICES].data, in[ROUTING_MAP].desc, in[ROUTING_MAP].data, drop_and_pad(ctx),
      ctx->workspace, ctx->workspace_size, out[TOKENS_GRAD].desc, out[TOKENS_GRAD].data,
      out[PROBS_GRAD].desc, out[PROBS_GRAD].data);
}

static MoeTokenPermuteGradCall reference_call(const mluopTestContext *ctx) {
  const mluopTestTensor *in = ctx->inputs, *out = ctx->outputs;
  const bool has_probs = !in[PERMUTED_PROBS_GRAD].is_null;
  return (MoeTokenPermuteGradCall){
      .dtype = (mluOpDataType_t)in[PERMUTED_TOKENS_GRAD].info->library_number,
      .probs_bytes = has_probs ? (int64_t)mluop_dtype_size(in[PERMUTED_PROBS_GRAD].info) : 0,
      .tokens_num = in[ROUTING_MAP].dims[0],
      .num_experts = in[ROUTING_MAP].dims[1],
      .hidden = in[PERMUTED_TOKENS_GRAD].dims[1],
      .rows = in[PERMUTED_TOKENS_GRAD].dims[0],
      .drop_and_pad = drop_and_pad(ctx),
      .permuted_tokens_grad = in[PERMUTED_TOKENS_GRAD].host,
      .permuted_probs_grad = has_probs ? in[PERMUTED_PROBS_GRAD].host : NULL,
      .sorted_indices = in[SORTED_INDICES].host,
      .routing_map = in[ROUTING_MAP].host,
      .tokens_grad = out[TOKENS_GRAD].host,
      .probs_grad = has_probs ? out[PROBS_GRAD].host : NULL};
}

#define REFERENCE_CALL MoeTokenPermuteGradCall
#define REFERENCE_RUN moe_token_permute_with_routing_map_grad_ref
#define REFERENCE_OPS moe_token_permute_with_routing_map_grad_theory_ops
#define REFERENCE_BYTES moe_token_permute_with_routing_map_grad_theory_bytes
#include "reference_functions.inc"

const mluopTestExecutor mluop_executor_moe_token_permute_with_routing_map_grad = {
    .name = "moe_token_permute_with_routing_map_grad",
    .accuracy_class = MLUOP_TEST_CLASS_ARITHMETIC,
    .depends_on_data = true,
    .param_check = param_check,
    .workspace = workspace,
    .compute = compute,
    .reference = reference,
    .reference_share = reference_share,
    .theory_ops = theory_ops,
    .theory_io = theory_io,
    .draw_case = moe_token_permute_with_routing_map_grad_draw,
};
