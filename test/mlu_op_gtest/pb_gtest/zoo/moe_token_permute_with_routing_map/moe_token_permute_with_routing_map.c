/* SPDX-License-Identifier: MIT */
#include "executor.h"
#include "moe_token_permute_with_routing_map_draw.h"
#include "moe_token_permute_with_routing_map_ref.h"

enum { TOKENS, ROUTING_MAP, PROBS, N_INPUTS };
/* The last output is optional: if present, the second revision of the interface is called. */
enum { PERMUTED_TOKENS, PERMUTED_PROBS, SORTED_INDICES, N_OUTPUTS, TOKENS_PER_EXPERT = N_OUTPUTS };

static bool has_counts(const mluopTestContext *ctx) {
  return ctx->n_outputs > N_OUTPUTS;
}

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, N_INPUTS, N_OUTPUTS + has_counts(ctx)) &&
                 mluop_test_expect_param(ctx, ctx->node->moe_token_permute_with_routing_map_param,
                                         "moe_token_permute_with_routing_map_param")
             ? 0
             : -1;
}

static mluOpStatus_t workspace(mluopTestContext *ctx, size_t *size) {
  return mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(ctx->handle,
                                                            ctx->inputs[ROUTING_MAP].desc, size);
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  const Mluoptest__MoeTokenPermuteWithRoutingMapParam *param =
      ctx->node->moe_token_permute_with_routing_map_param;
  const mluopTestTensor *in = ctx->inputs, *out = ctx->outputs;
  if (!has_counts(ctx)) {
    return mluOpMoeTokenPermuteWithRoutingMap(
        ctx->handle, in[TOKENS].desc, in[TOKENS].data, in[ROUTING_MAP].desc, in[ROUTING_MAP].data,
        in[PROBS].desc, in[PROBS].data, param->num_out_tokens, param->drop_and_pad, ctx->workspace,
        ctx->workspace_size, out[PERMUTED_TOKENS].desc, out[PERMUTED_TOKENS].data,
        out[PERMUTED_PROBS].desc, out[PERMUTED_PROBS].data, out[SORTED_INDICES].desc,
        out[SORTED_INDICES].data);
  }
  return mluOpMoeTokenPermuteWithRoutingMap_v2(
      ctx->handle, in[TOKENS].desc, in[TOKENS].data, in[ROUTING_MAP].desc, in[ROUTING_MAP].data,
      in[PROBS].desc, in[PROBS].data, param->num_out_tokens, param->drop_and_pad, ctx->workspace,
      ctx->workspace_size, out[PERMUTED_TOKENS].desc, out[PERMUTED_TOKENS].data,
      out[PERMUTED_PROBS].desc, out[PERMUTED_PROBS].data, out[SORTED_INDICES].desc,
      out[SORTED_INDICES].data, out[TOKENS_PER_EXPERT].desc, out[TOKENS_PER_EXPERT].data);
}

static MoeTokenPermuteCall reference_call(const mluopTestContext *ctx) {
  const Mluoptest__MoeTokenPermuteWithRoutingMapParam *param =
      ctx->node->moe_token_permute_with_routing_map_param;
  const mluopTestTensor *in = ctx->inputs, *out = ctx->outputs;
  return (MoeTokenPermuteCall){
      .tokens_num = in[ROUTING_MAP].dims[0],
      .num_experts = in[ROUTING_MAP].dims[1],
      .hidden = in[TOKENS].dims[1],
      .num_out_tokens = param->num_out_tokens,
      .drop_and_pad = param->drop_and_pad,
      .token_bytes = (int64_t)mluop_dtype_size(in[TOKENS].info),
      .probs_bytes = in[PROBS].is_null ? 0 : (int64_t)mluop_dtype_size(in[PROBS].info),
      .count_bytes = has_counts(ctx) ? (int64_t)mluop_dtype_size(out[TOKENS_PER_EXPERT].info) : 0,
      .tokens = in[TOKENS].host,
      .routing_map = in[ROUTING_MAP].host,
      .probs = in[PROBS].is_null ? NULL : in[PROBS].host,
      .permuted_tokens = out[PERMUTED_TOKENS].host,
      .permuted_probs = out[PERMUTED_PROBS].host,
      .sorted_indices = out[SORTED_INDICES].host,
      .tokens_per_expert = has_counts(ctx) ? out[TOKENS_PER_EXPERT].host : NULL};
}

static int reference(mluopTestContext *ctx) {
  const MoeTokenPermuteCall call = reference_call(ctx);
  moe_token_permute_with_routing_map_ref(&call);
  return 0;
}

static int reference_share(mluopTestContext *ctx, int share, int shares) {
  MoeTokenPermuteCall call = reference_call(ctx);
  call.share = (RefShare){share, shares};
  moe_token_permute_with_routing_map_ref(&call);
  return 0;
}

static double theory_io(const mluopTestContext *ctx) {
  const MoeTokenPermuteCall call = reference_call(ctx);
  return (double)moe_token_permute_with_routing_map_theory_bytes(&call);
}

static void make_zero_element(Mluoptest__Node *node) {
  if (node->moe_token_permute_with_routing_map_param) {
    node->moe_token_permute_with_routing_map_param->num_out_tokens = 0;
  }
}

const mluopTestExecutor mluop_executor_moe_token_permute_with_routing_map = {
    .name = "moe_token_permute_with_routing_map",
    .accuracy_class = MLUOP_TEST_CLASS_PURE_IO,
    .depends_on_data = true,
    .param_check = param_check,
    .workspace = workspace,
    .compute = compute,
    .reference = reference,
    .reference_share = reference_share,
    .writes_all = mluop_test_writes_all,
    .theory_ops = mluop_test_no_ops,
    .theory_io = theory_io,
    .make_zero_element = make_zero_element,
    .draw_case = moe_token_permute_with_routing_map_draw,
};
