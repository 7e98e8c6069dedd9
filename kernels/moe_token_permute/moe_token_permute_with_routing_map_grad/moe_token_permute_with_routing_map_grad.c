/* SPDX-License-Identifier: MIT */
#include "core/tensor_rules.h"
#include "kernels/moe_token_permute/routing_map_checks.h"
#include "kernels/utils/zero_fill.h"

#define API "[mluOpMoeTokenPermuteWithRoutingMapGrad]"

enum { ROWS_GRAD, ROW_PROBS_GRAD, SORTED_INDICES, ROUTING_MAP, TOKENS_GRAD, PROBS_GRAD };
static const MoeInverseRows inverse = {ROWS_GRAD, SORTED_INDICES, ROUTING_MAP, TOKENS_GRAD,
                                       PROBS_GRAD};
static const mluopTensorRule rules[] = {
    MLUOP_IN(permuted_tokens_grad, MLUOP_FLOATS, MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY),
             MLUOP_UNIFORM(-1, 1)),
    MLUOP_IN(permuted_probs_grad, MLUOP_OPTIONAL, MLUOP_TYPE_OF_OR_FLOAT(ROWS_GRAD),
             MLUOP_DIMS(MLUOP_DIM(ROWS_GRAD, 0)), MLUOP_UNIFORM(-1, 1)),
    MLUOP_IN(sorted_indices, MOE_SORTED_INDICES),
    MLUOP_IN(routing_map, MOE_ROUTING_MAP),
    MLUOP_OUT(tokens_grad, MLUOP_TYPE_OF(ROWS_GRAD),
              MLUOP_DIMS(MLUOP_DIM(ROUTING_MAP, 0), MLUOP_DIM(ROWS_GRAD, 1))),
    MLUOP_OUT(probs_grad, MLUOP_OPTIONAL_WITH(ROW_PROBS_GRAD), MLUOP_TYPE_OF(ROW_PROBS_GRAD),
              MLUOP_SHAPE_OF(ROUTING_MAP, 2)),
};
static const mluopTensorTable table = MLUOP_TENSOR_TABLE(
    "moe_token_permute_with_routing_map_grad", rules, .size_names = MOE_INVERSE_SIZE_NAMES);

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const MoeInverseCall *c = call;
  const char *refusal = MoeRowSumRefusal(handle, call);
  if (refusal != NULL || c->probs_grad == NULL) return refusal;
  return moe_token_slots_refusal(&c->args, TOKEN_MAX_SLOTS, true,
                                 (int64_t)mluop_dtype_size(c->probs_dtype));
}

MLUOP_VARIANTS(moe_token_permute_with_routing_map_grad,
               {"small_tasks", small_tasks_cannot, mluop_small_tasks_do_not_pay,
                MoeTokenPermuteGradSmallTasks},
               {"scalar_rows", NULL, moe_scalar_rows_do_not_pay, MoeRowSumScalarRows},
               {"reference", NULL, NULL, MoeTokenPermuteGradReference});

MOE_LISTS_QUERY(mluOpGetMoeTokenPermuteWithRoutingMapGradWorkspaceSize,
                MOE_SUM_LIST_WORDS(drop_and_pad))

mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenPermuteWithRoutingMapGrad(
    mluOpHandle_t handle, MLUOP_IN_ARGS(permuted_tokens_grad), MLUOP_IN_ARGS(permuted_probs_grad),
    MLUOP_IN_ARGS(sorted_indices), MLUOP_IN_ARGS(routing_map), const bool drop_and_pad,
    void *workspace, const size_t workspace_size, MLUOP_OUT_ARGS(tokens_grad),
    MLUOP_OUT_ARGS(probs_grad)) {
  int64_t sizes[1];
  mluopTensors tensors =
      MLUOP_TENSORS(API, handle, &table, sizes, permuted_tokens_grad, permuted_probs_grad,
                    sorted_indices, routing_map, tokens_grad, probs_grad);
  MoeInverseCall call = {.args = {.lists = workspace},
                         .rows = permuted_tokens_grad,
                         .row_probs = permuted_probs_grad,
                         .tokens = tokens_grad,
                         .probs_grad = probs_grad_desc != NULL ? probs_grad : NULL};
  MLUOP_RETURN_IF_FAILED(moe_check_inverse(&tensors, &inverse, drop_and_pad, &call));
  if (ANY_TENSOR_EMPTY(API, tokens_grad_desc, routing_map_desc)) return MLUOP_STATUS_SUCCESS;
  CHECK_TENSORS(&tensors, MLUOP_ONLY(TOKENS_GRAD, PROBS_GRAD), DATA);
  if (ANY_TENSOR_EMPTY(API, permuted_tokens_grad_desc)) {
    /* Without rows every gradient is 0. */
    MLUOP_RETURN_IF_FAILED(mluop_zero_fill(handle, tokens_grad_desc, tokens_grad));
    return mluop_zero_fill(handle, probs_grad_desc, probs_grad);
  }
  MLUOP_RETURN_IF_FAILED(
      moe_check_inverse_data(&tensors, &call, MOE_SUM_LIST_WORDS(drop_and_pad), workspace_size));
  const int64_t num_experts = call.args.num_experts, tokens_num = call.args.tokens_num;
  RECORD_CASE(&tensors, num_experts, tokens_num, drop_and_pad);
  return mluop_variant_launch(&moe_token_permute_with_routing_map_grad_variants, handle, &call);
}
