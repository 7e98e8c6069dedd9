/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "executor.h"
#include "moe_dispatch_forward_draw.h"
#include "moe_dispatch_forward_ref.h"

enum { GATES, INDICES, LOCATIONS, INPUT, DISPATCH, N_INPUTS };

/* A case without the last input is in place: the previous contents of dispatch are the input. */
static const mluopTestInPlace in_place[] = {{.input = DISPATCH, .output = 0},
                                            {.input = INPUT, .output = 0}};

static bool is_in_place(const mluopTestContext *ctx) {
  return ctx->n_inputs == DISPATCH;
}

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, is_in_place(ctx) ? DISPATCH : N_INPUTS, 1) &&
                 mluop_test_expect_param(ctx, ctx->node->moe_dispatch_forward_param,
                                         "moe_dispatch_forward_param")
             ? 0
             : -1;
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  const Mluoptest__MoeDispatchForwardParam *param = ctx->node->moe_dispatch_forward_param;
  const mluopTestTensor *in = ctx->inputs;
  const mluopTestTensor *dispatch = is_in_place(ctx) ? &ctx->outputs[0] : &in[DISPATCH];
  return mluOpMoeDispatchForward(ctx->handle, in[GATES].desc, in[GATES].data, in[INDICES].desc,
                                 in[INDICES].data, in[LOCATIONS].desc, in[LOCATIONS].data,
                                 in[INPUT].desc, in[INPUT].data, param->samples, param->capacity,
                                 param->hidden, param->num_experts, dispatch->desc, dispatch->data);
}

static MoeDispatchForwardCall reference_call(const mluopTestContext *ctx) {
  const Mluoptest__MoeDispatchForwardParam *param = ctx->node->moe_dispatch_forward_param;
  return (MoeDispatchForwardCall){.dtype = (mluOpDataType_t)ctx->inputs[INPUT].info->library_number,
                                  .samples = param->samples,
                                  .capacity = param->capacity,
                                  .hidden = param->hidden,
                                  .num_experts = param->num_experts,
                                  .gates = ctx->inputs[GATES].host,
                                  .indices = ctx->inputs[INDICES].host,
                                  .locations = ctx->inputs[LOCATIONS].host,
                                  .input = ctx->inputs[INPUT].host,
                                  .dispatch = ctx->outputs[0].host};
}

/* Without rows or columns there is nothing to compute, and empty tensors have no data.
 */
static bool is_empty(const mluopTestContext *ctx) {
  return !ctx->inputs[INPUT].count || !ctx->outputs[0].count;
}

/* In place, parallel parts would overwrite what others still read. */
static int reference_in_place(const mluopTestContext *ctx) {
  MoeDispatchForwardCall call = reference_call(ctx);
  const size_t bytes = ctx->inputs[INPUT].count * mluop_dtype_size(ctx->inputs[INPUT].info);
  void *input = malloc(bytes);
  if (!input) return -1;
  memcpy(input, call.dispatch, bytes);
  call.input = input;
  moe_dispatch_forward_ref(&call);
  free(input);
  return 0;
}

static int reference_share(mluopTestContext *ctx, int share, int shares) {
  if (is_in_place(ctx) && !is_empty(ctx)) return share == 0 ? reference_in_place(ctx) : 0;
  if (!is_empty(ctx)) {
    MoeDispatchForwardCall call = reference_call(ctx);
    call.share = (RefShare){share, shares};
    moe_dispatch_forward_ref(&call);
  }
  return 0;
}

static int reference(mluopTestContext *ctx) {
  return reference_share(ctx, 0, 1);
}

/* Rows without a sample keep their contents. */
static bool writes_all(const mluopTestContext *ctx) {
  const MoeDispatchForwardCall call = reference_call(ctx);
  return !is_empty(ctx) && !is_in_place(ctx) &&
         moe_dispatch_forward_rows(&call) == call.num_experts * call.capacity;
}

static double theory_ops(const mluopTestContext *ctx) {
  const MoeDispatchForwardCall call = reference_call(ctx);
  return is_empty(ctx) ? 0 : (double)moe_dispatch_forward_theory_ops(&call);
}

static double theory_io(const mluopTestContext *ctx) {
  const MoeDispatchForwardCall call = reference_call(ctx);
  return is_empty(ctx) ? 0 : (double)moe_dispatch_forward_theory_bytes(&call);
}

static void make_zero_element(Mluoptest__Node *node) {
  Mluoptest__MoeDispatchForwardParam *param = node->moe_dispatch_forward_param;
  if (param) {
    param->samples = param->capacity = param->hidden = param->num_experts = 0;
  }
}

const mluopTestExecutor mluop_executor_moe_dispatch_forward = {
    .name = "moe_dispatch_forward",
    .accuracy_class = MLUOP_TEST_CLASS_ARITHMETIC,
    .in_place = in_place,
    .n_in_place = 2,
    .depends_on_data = true,
    .param_check = param_check,
    .compute = compute,
    .reference = reference,
    .reference_share = reference_share,
    .writes_all = writes_all,
    .theory_ops = theory_ops,
    .theory_io = theory_io,
    .make_zero_element = make_zero_element,
    .draw_case = moe_dispatch_forward_draw,
};
