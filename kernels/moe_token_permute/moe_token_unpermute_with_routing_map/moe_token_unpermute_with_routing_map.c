/* SPDX-License-Identifier: MIT */
#include "core/tensor_rules.h"
#include "kernels/moe_token_permute/routing_map_checks.h"
#include "kernels/utils/zero_fill.h"

#define API "[mluOpMoeTokenUnpermuteWithRoutingMap]"

enum { ROWS, SORTED_INDICES, ROUTING_MAP, PROBS, TOKENS };
static const MoeInverseRows inverse = {ROWS, SORTED_INDICES, ROUTING_MAP, TOKENS, PROBS};
static const mluopTensorRule rules[] = {
    MLUOP_IN(permuted_tokens, MLUOP_FLOATS, MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_UNIFORM(-1, 1)),
    MLUOP_IN(sorted_indices, MOE_SORTED_INDICES),
    MLUOP_IN(routing_map, MOE_ROUTING_MAP),
    MLUOP_IN(probs, MLUOP_OPTIONAL, MLUOP_TYPE_OF_OR_FLOAT(ROWS), MLUOP_SHAPE_OF(ROUTING_MAP, 2),
             MLUOP_UNIFORM(0, 1)),
    MLUOP_OUT(unpermuted_tokens, MLUOP_TYPE_OF(ROWS),
              MLUOP_DIMS(MLUOP_DIM(ROUTING_MAP, 0), MLUOP_DIM(ROWS, 1))),
};
static const mluopTensorTable table = MLUOP_TENSOR_TABLE(
    "moe_token_unpermute_with_routing_map", rules, .size_names = MOE_INVERSE_SIZE_NAMES);

MLUOP_VARIANTS(moe_token_unpermute_with_routing_map,
               {"small_tasks", MoeRowSumRefusal, mluop_small_tasks_do_not_pay, MoeRowSumSmallTasks},
               {"scalar_rows", NULL, moe_scalar_rows_do_not_pay, MoeRowSumScalarRows},
               {"reference", NULL, NULL, MoeTokenUnpermuteReference});

MOE_LISTS_QUERY(mluOpGetMoeTokenUnpermuteWithRoutingMapWorkspaceSize,
                MOE_SUM_LIST_WORDS(drop_and_pad))

mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenUnpermuteWithRoutingMap(
    mluOpHandle_t handle, MLUOP_IN_ARGS(permuted_tokens), MLUOP_IN_ARGS(sorted_indices),
    MLUOP_IN_ARGS(routing_map), MLUOP_IN_ARGS(probs), const bool drop_and_pad, void *workspace,
    const size_t workspace_size, MLUOP_OUT_ARGS(unpermuted_tokens)) {
  int64_t sizes[1];
  mluopTensors tensors = MLUOP_TENSORS(API, handle, &table, sizes, permuted_tokens, sorted_indices,
                                       routing_map, probs, unpermuted_tokens);
  MoeInverseCall call = {.args = {.probs = probs, .lists = workspace},
                         .rows = permuted_tokens,
                         .tokens = unpermuted_tokens};
  MLUOP_RETURN_IF_FAILED(moe_check_inverse(&tensors, &inverse, drop_and_pad, &call));
  if (ANY_TENSOR_EMPTY(API, unpermuted_tokens_desc)) return MLUOP_STATUS_SUCCESS;
  CHECK_DATA(API, unpermuted_tokens);
  if (ANY_TENSOR_EMPTY(API, permuted_tokens_desc)) {
    /* A sum over no rows is 0. */
    return mluop_zero_fill(handle, unpermuted_tokens_desc, unpermuted_tokens);
  }
  MLUOP_RETURN_IF_FAILED(
      moe_check_inverse_data(&tensors, &call, MOE_SUM_LIST_WORDS(drop_and_pad), workspace_size));
  RECORD_CASE(&tensors, drop_and_pad);
  return mluop_variant_launch(&moe_token_unpermute_with_routing_map_variants, handle, &call);
}
