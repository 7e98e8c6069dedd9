/* SPDX-License-Identifier: MIT */
#include "executor.h"
#include "moe_dispatch_backward_data_draw.h"
#include "moe_dispatch_backward_data_ref.h"
#include "test/common/ref_share.h"

enum { GATES, INDICES, LOCATIONS, DISPATCH, N_INPUTS };

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, N_INPUTS, 1) &&
                 mluop_test_expect_param(ctx, ctx->node->moe_dispatch_backward_data_param,
                                         "moe_dispatch_backward_data_param")
             ? 0
             : -1;
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  const Mluoptest__MoeDispatchBackwardDataParam *param =
      ctx->node->moe_dispatch_backward_data_param;
  const mluopTestTensor *in = ctx->inputs, *out = ctx->outputs;
  return mluOpMoeDispatchBackwardData(
      ctx->handle, in[GATES].desc, in[GATES].data, in[INDICES].desc, in[INDICES].data,
      in[LOCATIONS].desc, in[LOCATIONS].data, in[DISPATCH].desc, in[DISPATCH].data, param->samples,
      param->capacity, param->hidden, param->num_experts, out[0].desc, out[0].data);
}

static MoeDispatchBackwardDataCall reference_call(const mluopTestContext *ctx) {
  const Mluoptest__MoeDispatchBackwardDataParam *param =
      ctx->node->moe_dispatch_backward_data_param;
  return (MoeDispatchBackwardDataCall){
      .dtype = (mluOpDataType_t)ctx->inputs[DISPATCH].info->library_number,
      .samples = param->samples,
      .capacity = param->capacity,
      .hidden = param->hidden,
      .num_experts = param->num_experts,
      .gates = ctx->inputs[GATES].host,
      .indices = ctx->inputs[INDICES].host,
      .locations = ctx->inputs[LOCATIONS].host,
      .dispatch = ctx->inputs[DISPATCH].host,
      .grad_input = ctx->outputs[0].host};
}

static int reference(mluopTestContext *ctx) {
  if (ctx->outputs[0].count) {
    const MoeDispatchBackwardDataCall call = reference_call(ctx);
    moe_dispatch_backward_data_ref(&call);
  }
  return 0;
}

/* Samples are independent. */
static int reference_share(mluopTestContext *ctx, int share, int shares) {
  MoeDispatchBackwardDataCall call = reference_call(ctx);
  const RefRange samples = ref_share_range((RefShare){share, shares}, call.samples);
  const int64_t element = (int64_t)mluop_dtype_size(ctx->inputs[DISPATCH].info);
  if (!ctx->outputs[0].count) {
    return 0;
  }
  call.samples = samples.end - samples.begin;
  call.gates = (const char *)call.gates + samples.begin * element;
  call.indices += samples.begin;
  call.locations += samples.begin;
  call.grad_input = (char *)call.grad_input + samples.begin * call.hidden * element;
  moe_dispatch_backward_data_ref(&call);
  return 0;
}

static double theory_ops(const mluopTestContext *ctx) {
  const MoeDispatchBackwardDataCall call = reference_call(ctx);
  return ctx->outputs[0].count ? (double)moe_dispatch_backward_data_theory_ops(&call) : 0;
}

static double theory_io(const mluopTestContext *ctx) {
  const MoeDispatchBackwardDataCall call = reference_call(ctx);
  return ctx->outputs[0].count ? (double)moe_dispatch_backward_data_theory_bytes(&call) : 0;
}

static void make_zero_element(Mluoptest__Node *node) {
  Mluoptest__MoeDispatchBackwardDataParam *param = node->moe_dispatch_backward_data_param;
  if (param) {
    param->samples = param->capacity = param->hidden = param->num_experts = 0;
  }
}

const mluopTestExecutor mluop_executor_moe_dispatch_backward_data = {
    .name = "moe_dispatch_backward_data",
    .accuracy_class = MLUOP_TEST_CLASS_ARITHMETIC,
    .depends_on_data = true,
    .param_check = param_check,
    .compute = compute,
    .reference = reference,
    .reference_share = reference_share,
    .writes_all = mluop_test_writes_all,
    .theory_ops = theory_ops,
    .theory_io = theory_io,
    .make_zero_element = make_zero_element,
    .draw_case = moe_dispatch_backward_data_draw,
};
