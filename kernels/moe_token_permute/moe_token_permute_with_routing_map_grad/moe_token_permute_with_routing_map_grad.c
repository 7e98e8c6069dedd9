/* SPDX-License-Identifier: MIT
 *
 * Host side of moe_token_permute_with_routing_map_grad: workspace, checks, and the call handed
 * to a form of the kernel. */
#include "kernels/moe_token_permute/moe_token_permute_with_routing_map_grad/moe_token_permute_with_routing_map_grad.h"

#include "core/check.h"
#include "core/context.h"
#include "core/gen_case.h"
#include "core/logging.h"
#include "core/tensor.h"
#include "core/tool.h"
#include "kernels/moe_token_permute/routing_map_checks.h"
#include "kernels/utils/zero_fill.h"

#define API "[mluOpMoeTokenPermuteWithRoutingMapGrad]"
#define WORKSPACE_API "[mluOpGetMoeTokenPermuteWithRoutingMapGradWorkspaceSize]"

typedef struct PermuteGradDescs {
  mluOpTensorDescriptor_t permuted_tokens_grad, permuted_probs_grad, sorted_indices, routing_map;
  mluOpTensorDescriptor_t tokens_grad, probs_grad;
} PermuteGradDescs;

static mluOpStatus_t check_tensors(mluOpHandle_t handle, const PermuteGradDescs *descs,
                                   bool drop_and_pad, MoeTokenRowsArgs *args) {
  mluOpTensorDescriptor_t permuted_tokens_grad_desc = descs->permuted_tokens_grad;
  mluOpTensorDescriptor_t permuted_probs_grad_desc = descs->permuted_probs_grad;
  mluOpTensorDescriptor_t sorted_indices_desc = descs->sorted_indices;
  mluOpTensorDescriptor_t routing_map_desc = descs->routing_map;
  mluOpTensorDescriptor_t tokens_grad_desc = descs->tokens_grad;
  mluOpTensorDescriptor_t probs_grad_desc = descs->probs_grad;

  CHECK_HANDLE(API, handle);
  CHECK_ARCH(API, handle, MLUOP_MLU370);
  CHECK_DESC(API, permuted_tokens_grad_desc);
  CHECK_DESC(API, sorted_indices_desc);
  CHECK_DESC(API, routing_map_desc);
  CHECK_DESC(API, tokens_grad_desc);
  MLUOP_RETURN_IF_FAILED(moe_check_both_or_none(API, "permuted_probs_grad_desc",
                                                permuted_probs_grad_desc, "probs_grad_desc",
                                                probs_grad_desc));

  CHECK_RANK(API, permuted_tokens_grad_desc, 2);
  CHECK_RANK(API, sorted_indices_desc, 1);
  CHECK_RANK(API, routing_map_desc, 2);
  CHECK_RANK(API, tokens_grad_desc, 2);
  CHECK_DTYPE(API, permuted_tokens_grad_desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF,
              MLUOP_DTYPE_BFLOAT16);
  CHECK_BFLOAT16(API, handle, permuted_tokens_grad_desc);
  CHECK_DTYPE(API, sorted_indices_desc, MLUOP_DTYPE_INT32);
  MLUOP_RETURN_IF_FAILED(moe_check_map_dtype(API, routing_map_desc));
  CHECK_SAME_DTYPE(API, tokens_grad_desc, permuted_tokens_grad_desc);
  if (probs_grad_desc != NULL) {
    CHECK_RANK(API, permuted_probs_grad_desc, 1);
    CHECK_RANK(API, probs_grad_desc, 2);
    MLUOP_RETURN_IF_FAILED(
        moe_check_probs_dtype(API, "permuted_probs_grad_desc", permuted_probs_grad_desc,
                              "permuted_tokens_grad_desc", permuted_tokens_grad_desc));
    CHECK_SAME_DTYPE(API, probs_grad_desc, permuted_probs_grad_desc);
    CHECK_DIM(API, permuted_probs_grad_desc, 0, permuted_tokens_grad_desc->dims[0]);
    CHECK_SAME_SHAPE(API, probs_grad_desc, routing_map_desc);
  }
  MLUOP_RETURN_IF_FAILED(moe_check_map_limits(API, routing_map_desc));
  MLUOP_RETURN_IF_FAILED(moe_check_permuted_rows(API, "permuted_tokens_grad_desc",
                                                 permuted_tokens_grad_desc, sorted_indices_desc,
                                                 routing_map_desc, drop_and_pad, args));
  CHECK_DIM(API, tokens_grad_desc, 0, routing_map_desc->dims[0]);
  CHECK_DIM(API, tokens_grad_desc, 1, permuted_tokens_grad_desc->dims[1]);

  CHECK_CONTIGUOUS(API, permuted_tokens_grad_desc);
  if (permuted_probs_grad_desc != NULL) CHECK_CONTIGUOUS(API, permuted_probs_grad_desc);
  CHECK_CONTIGUOUS(API, sorted_indices_desc);
  CHECK_CONTIGUOUS(API, routing_map_desc);
  CHECK_CONTIGUOUS(API, tokens_grad_desc);
  if (probs_grad_desc != NULL) CHECK_CONTIGUOUS(API, probs_grad_desc);
  return moe_check_row_limits(API, "permuted_tokens_grad_desc", args->rows_num, args->per_token);
}

/* No rows: every gradient is 0. */
static mluOpStatus_t clear_outputs(mluOpHandle_t handle, const PermuteGradDescs *descs,
                                   void *tokens_grad, void *probs_grad) {
  MLUOP_RETURN_IF_FAILED(mluop_zero_fill(handle, descs->tokens_grad, tokens_grad));
  if (descs->probs_grad == NULL) return MLUOP_STATUS_SUCCESS;
  return mluop_zero_fill(handle, descs->probs_grad, probs_grad);
}

mluOpStatus_t MLUOP_WIN_API mluOpGetMoeTokenPermuteWithRoutingMapGradWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t sorted_indices_desc,
    const bool drop_and_pad, size_t *workspace_size) {
  return moe_get_lists_bytes(WORKSPACE_API, handle, sorted_indices_desc, drop_and_pad,
                             workspace_size);
}

mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenPermuteWithRoutingMapGrad(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t permuted_tokens_grad_desc,
    const void *permuted_tokens_grad, const mluOpTensorDescriptor_t permuted_probs_grad_desc,
    const void *permuted_probs_grad, const mluOpTensorDescriptor_t sorted_indices_desc,
    const void *sorted_indices, const mluOpTensorDescriptor_t routing_map_desc,
    const void *routing_map, const bool drop_and_pad, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t tokens_grad_desc, void *tokens_grad,
    const mluOpTensorDescriptor_t probs_grad_desc, void *probs_grad) {
  const PermuteGradDescs descs = {permuted_tokens_grad_desc, permuted_probs_grad_desc,
                                  sorted_indices_desc,       routing_map_desc,
                                  tokens_grad_desc,          probs_grad_desc};
  MoeTokenRowsArgs args = {
      .sorted_indices = sorted_indices, .routing_map = routing_map, .lists = workspace};
  MLUOP_RETURN_IF_FAILED(check_tensors(handle, &descs, drop_and_pad, &args));
  if (ANY_TENSOR_EMPTY(API, tokens_grad_desc, routing_map_desc)) return MLUOP_STATUS_SUCCESS;
  CHECK_DATA(API, tokens_grad);
  CHECK_OPTIONAL(API, probs_grad, probs_grad_desc);
  if (ANY_TENSOR_EMPTY(API, permuted_tokens_grad_desc))
    return clear_outputs(handle, &descs, tokens_grad, probs_grad);
  const size_t needed = moe_lists_bytes(args.rows_num, drop_and_pad);
  CHECK_WORKSPACE(API, workspace, workspace_size, needed);
  CHECK_DATA(API, permuted_tokens_grad);
  CHECK_OPTIONAL(API, permuted_probs_grad, permuted_probs_grad_desc);
  CHECK_DATA(API, sorted_indices);
  CHECK_DATA(API, routing_map);
  CHECK_APART(
      API, MLUOP_WRITTEN(tokens_grad, tokens_grad_desc), MLUOP_WRITTEN(probs_grad, probs_grad_desc),
      MLUOP_SCRATCH(workspace, needed), MLUOP_READ(permuted_tokens_grad, permuted_tokens_grad_desc),
      MLUOP_READ(permuted_probs_grad, permuted_probs_grad_desc),
      MLUOP_READ(sorted_indices, sorted_indices_desc), MLUOP_READ(routing_map, routing_map_desc));

  GEN_CASE(gen_case, handle, "moe_token_permute_with_routing_map_grad", NULL);
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "permuted_tokens_grad", permuted_tokens_grad_desc, permuted_tokens_grad,
                 genCaseUniform(-1, 1));
    genCaseInput(&gen_case, "permuted_probs_grad", permuted_probs_grad_desc, permuted_probs_grad,
                 genCaseUniform(-1, 1));
    genCaseInput(&gen_case, "sorted_indices", sorted_indices_desc, sorted_indices,
                 genCaseReal(0, (double)args.rows_num - 1));
    genCaseInput(&gen_case, "routing_map", routing_map_desc, routing_map, genCaseReal(0, 1));
    genCaseOutput(&gen_case, "tokens_grad", tokens_grad_desc, tokens_grad);
    genCaseOutput(&gen_case, "probs_grad", probs_grad_desc, probs_grad);
    genCaseParamInt(&gen_case, "num_experts", args.num_experts);
    genCaseParamInt(&gen_case, "tokens_num", args.tokens_num);
    genCaseParamName(&gen_case, "drop_and_pad", drop_and_pad ? "true" : "false");
    genCaseTestParam(&gen_case, "DIFF3", 0);
    genCaseWrite(&gen_case);
  }

  const MoeTokenPermuteGradCall call = {
      .dtype = permuted_tokens_grad_desc->dtype,
      .args = args,
      .permuted_tokens_grad = permuted_tokens_grad,
      .permuted_probs_grad = permuted_probs_grad,
      .hidden = permuted_tokens_grad_desc->dims[1],
      .probs_bytes = probs_grad_desc != NULL ? (int)mluop_dtype_size(probs_grad_desc->dtype) : 0,
      .tokens_grad = tokens_grad,
      .probs_grad = probs_grad_desc != NULL ? probs_grad : NULL};
  return mluop_variant_launch(&moe_token_permute_with_routing_map_grad_variants, handle, &call);
}
