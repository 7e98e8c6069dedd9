/* SPDX-License-Identifier: MIT */
#include "executor.h"
#include "moe_dispatch_backward_gate_draw.h"
#include "moe_dispatch_backward_gate_ref.h"
#include "test/common/ref_share.h"

enum { INDICES, LOCATIONS, INPUT, DISPATCH, N_INPUTS };

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, N_INPUTS, 1) &&
                 mluop_test_expect_param(ctx, ctx->node->moe_dispatch_backward_gate_param,
                                         "moe_dispatch_backward_gate_param")
             ? 0
             : -1;
}

static mluOpStatus_t workspace(mluopTestContext *ctx, size_t *size) {
  return mluOpGetMoeDispatchBackwardGateWorkspaceSize(ctx->handle, ctx->inputs[INPUT].desc, size);
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  const Mluoptest__MoeDispatchBackwardGateParam *param =
      ctx->node->moe_dispatch_backward_gate_param;
  const mluopTestTensor *in = ctx->inputs, *out = ctx->outputs;
  return mluOpMoeDispatchBackwardGate(
      ctx->handle, in[INDICES].desc, in[INDICES].data, in[LOCATIONS].desc, in[LOCATIONS].data,
      in[INPUT].desc, in[INPUT].data, in[DISPATCH].desc, in[DISPATCH].data, param->samples,
      param->capacity, param->hidden, param->num_experts, ctx->workspace, ctx->workspace_size,
      out[0].desc, out[0].data);
}

static MoeDispatchBackwardGateCall reference_call(const mluopTestContext *ctx) {
  const Mluoptest__MoeDispatchBackwardGateParam *param =
      ctx->node->moe_dispatch_backward_gate_param;
  return (MoeDispatchBackwardGateCall){
      .dtype = (mluOpDataType_t)ctx->inputs[INPUT].info->library_number,
      .samples = param->samples,
      .capacity = param->capacity,
      .hidden = param->hidden,
      .num_experts = param->num_experts,
      .indices = ctx->inputs[INDICES].host,
      .locations = ctx->inputs[LOCATIONS].host,
      .input = ctx->inputs[INPUT].host,
      .dispatch = ctx->inputs[DISPATCH].host,
      .grad_gates = ctx->outputs[0].host};
}

static int reference(mluopTestContext *ctx) {
  const MoeDispatchBackwardGateCall call = reference_call(ctx);
  moe_dispatch_backward_gate_ref(&call);
  return 0;
}

/* Samples are independent. */
static int reference_share(mluopTestContext *ctx, int share, int shares) {
  MoeDispatchBackwardGateCall call = reference_call(ctx);
  const RefRange samples = ref_share_range((RefShare){share, shares}, call.samples);
  const int64_t element = (int64_t)mluop_dtype_size(ctx->inputs[INPUT].info);
  call.samples = samples.end - samples.begin;
  call.indices += samples.begin;
  call.locations += samples.begin;
  call.input = (const char *)call.input + samples.begin * call.hidden * element;
  call.grad_gates = (char *)call.grad_gates + samples.begin * element;
  moe_dispatch_backward_gate_ref(&call);
  return 0;
}

static double theory_ops(const mluopTestContext *ctx) {
  const MoeDispatchBackwardGateCall call = reference_call(ctx);
  return (double)moe_dispatch_backward_gate_theory_ops(&call);
}

static double theory_io(const mluopTestContext *ctx) {
  const MoeDispatchBackwardGateCall call = reference_call(ctx);
  return (double)moe_dispatch_backward_gate_theory_bytes(&call);
}

static void make_zero_element(Mluoptest__Node *node) {
  Mluoptest__MoeDispatchBackwardGateParam *param = node->moe_dispatch_backward_gate_param;
  if (param) {
    param->samples = param->capacity = param->hidden = param->num_experts = 0;
  }
}

const mluopTestExecutor mluop_executor_moe_dispatch_backward_gate = {
    .name = "moe_dispatch_backward_gate",
    .accuracy_class = MLUOP_TEST_CLASS_ACCUMULATION,
    .depends_on_data = true,
    .param_check = param_check,
    .workspace = workspace,
    .compute = compute,
    .reference = reference,
    .reference_share = reference_share,
    .writes_all = mluop_test_writes_all,
    .reads_mostly = true,
    .theory_ops = theory_ops,
    .theory_io = theory_io,
    .make_zero_element = make_zero_element,
    .draw_case = moe_dispatch_backward_gate_draw,
};
