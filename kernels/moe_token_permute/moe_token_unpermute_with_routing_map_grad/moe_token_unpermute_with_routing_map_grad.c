/* SPDX-License-Identifier: MIT */
#include "core/tensor_rules.h"
#include "kernels/moe_token_permute/routing_map_checks.h"
#include "kernels/utils/zero_fill.h"

#define API "[mluOpMoeTokenUnpermuteWithRoutingMapGrad]"

enum { TOKENS_GRAD, ROWS, SORTED_INDICES, ROUTING_MAP, PROBS, ROWS_GRAD, PROBS_GRAD };
static const MoeInverseRows inverse = {ROWS_GRAD, SORTED_INDICES, ROUTING_MAP, TOKENS_GRAD, PROBS};
static const mluopTensorRule rules[] = {
    MLUOP_IN(unpermuted_tokens_grad, MLUOP_FLOATS,
             MLUOP_DIMS(MLUOP_DIM(ROUTING_MAP, 0), MLUOP_DIM(ROWS_GRAD, 1)), MLUOP_UNIFORM(-1, 1)),
    MLUOP_IN(permuted_tokens, MLUOP_OPTIONAL_WITH(PROBS), MLUOP_TYPE_OF(TOKENS_GRAD),
             MLUOP_SHAPE_OF(ROWS_GRAD, 2), MLUOP_UNIFORM(-1, 1)),
    MLUOP_IN(sorted_indices, MOE_SORTED_INDICES),
    MLUOP_IN(routing_map, MOE_ROUTING_MAP),
    MLUOP_IN(probs, MLUOP_OPTIONAL, MLUOP_TYPE_OF_OR_FLOAT(TOKENS_GRAD),
             MLUOP_SHAPE_OF(ROUTING_MAP, 2), MLUOP_UNIFORM(0, 1)),
    MLUOP_OUT(permuted_tokens_grad, MLUOP_TYPE_OF(TOKENS_GRAD), MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY)),
    MLUOP_OUT(probs_grad, MLUOP_OPTIONAL_WITH(PROBS), MLUOP_TYPE_OF(PROBS),
              MLUOP_SHAPE_OF(ROUTING_MAP, 2)),
};
static const mluopTensorTable table =
    MLUOP_TENSOR_TABLE("moe_token_unpermute_with_routing_map_grad", rules,
                       .size_names = MOE_INVERSE_SIZE_NAMES, .tolerance = 0.003);

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const MoeInverseCall *c = call;
  const int64_t row_bytes = c->hidden * (int64_t)mluop_dtype_size(c->dtype);
  (void)handle;
  /* The workspace may begin anywhere, but atomic operations need aligned words. */
  if ((uintptr_t)c->args.lists % sizeof(int32_t) != 0) return "the workspace is not aligned";
  const int64_t probs_bytes = c->args.tokens_num * c->args.num_experts * (int64_t)sizeof(float);
  if (c->args.drop_and_pad) {
    const bool is_reached =
        probs_bytes <= GATHER_SPAN_BYTES && c->args.tokens_num <= GATHER_SPAN_BYTES / row_bytes;
    return is_reached ? NULL : "tokens or probs are larger than a gather reaches";
  }
  return moe_token_slots_refusal(&c->args, UNPERMUTE_GRAD_MAX_SLOTS, c->args.probs != NULL,
                                 row_bytes);
}

static const char *scalar_rows_cannot(mluOpHandle_t handle, const void *call) {
  (void)handle;
  return ((const MoeInverseCall *)call)->args.probs == NULL ? "there are no probs" : NULL;
}

MLUOP_VARIANTS(moe_token_unpermute_with_routing_map_grad,
               {"small_tasks", small_tasks_cannot, mluop_small_tasks_do_not_pay,
                MoeTokenUnpermuteGradSmallTasks},
               {"scalar_rows", scalar_rows_cannot, moe_scalar_rows_do_not_pay,
                MoeTokenUnpermuteGradScalarRows},
               {"reference", NULL, NULL, MoeTokenUnpermuteGradReference});

/* Both modes need lists. */
MOE_LISTS_QUERY(mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize, 1)

mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenUnpermuteWithRoutingMapGrad(
    mluOpHandle_t handle, MLUOP_IN_ARGS(unpermuted_tokens_grad), MLUOP_IN_ARGS(permuted_tokens),
    MLUOP_IN_ARGS(sorted_indices), MLUOP_IN_ARGS(routing_map), MLUOP_IN_ARGS(probs),
    const bool drop_and_pad, void *workspace, const size_t workspace_size,
    MLUOP_OUT_ARGS(permuted_tokens_grad), MLUOP_OUT_ARGS(probs_grad)) {
  int64_t sizes[1];
  mluopTensors tensors =
      MLUOP_TENSORS(API, handle, &table, sizes, unpermuted_tokens_grad, permuted_tokens,
                    sorted_indices, routing_map, probs, permuted_tokens_grad, probs_grad);
  MoeInverseCall call = {.args = {.probs = probs, .lists = workspace},
                         .rows = permuted_tokens,
                         .token_grad = unpermuted_tokens_grad,
                         .row_grad = permuted_tokens_grad,
                         .probs_grad = probs_grad};
  MLUOP_RETURN_IF_FAILED(moe_check_inverse(&tensors, &inverse, drop_and_pad, &call));
  if (ANY_TENSOR_EMPTY(API, unpermuted_tokens_grad_desc, routing_map_desc))
    return MLUOP_STATUS_SUCCESS;
  CHECK_OPTIONAL(API, probs_grad, probs_grad_desc);
  if (ANY_TENSOR_EMPTY(API, permuted_tokens_grad_desc)) {
    /* Without rows no prob was used. */
    return mluop_zero_fill(handle, probs_grad_desc, probs_grad);
  }
  MLUOP_RETURN_IF_FAILED(moe_check_inverse_data(&tensors, &call, 1, workspace_size));
  RECORD_CASE(&tensors, drop_and_pad);
  return mluop_variant_launch(&moe_token_unpermute_with_routing_map_grad_variants, handle, &call);
}
