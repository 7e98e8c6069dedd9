/* SPDX-License-Identifier: MIT
 *
 * Host side of moe_token_unpermute_with_routing_map_grad: workspace, checks, and the call
 * handed to a form of the kernel. */
#include "kernels/moe_token_permute/moe_token_unpermute_with_routing_map_grad/moe_token_unpermute_with_routing_map_grad.h"

#include "core/check.h"
#include "core/context.h"
#include "core/gen_case.h"
#include "core/logging.h"
#include "core/tensor.h"
#include "kernels/moe_token_permute/routing_map_checks.h"
#include "kernels/utils/zero_fill.h"

#define API "[mluOpMoeTokenUnpermuteWithRoutingMapGrad]"
#define WORKSPACE_API "[mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize]"

typedef struct UnpermuteGradDescs {
  mluOpTensorDescriptor_t unpermuted_tokens_grad, permuted_tokens, sorted_indices, routing_map;
  mluOpTensorDescriptor_t probs, permuted_tokens_grad, probs_grad;
} UnpermuteGradDescs;

static mluOpStatus_t check_tensors(mluOpHandle_t handle, const UnpermuteGradDescs *descs,
                                   bool drop_and_pad, MoeTokenRowsArgs *args) {
  mluOpTensorDescriptor_t unpermuted_tokens_grad_desc = descs->unpermuted_tokens_grad;
  mluOpTensorDescriptor_t permuted_tokens_desc = descs->permuted_tokens;
  mluOpTensorDescriptor_t sorted_indices_desc = descs->sorted_indices;
  mluOpTensorDescriptor_t routing_map_desc = descs->routing_map, probs_desc = descs->probs;
  mluOpTensorDescriptor_t permuted_tokens_grad_desc = descs->permuted_tokens_grad;
  mluOpTensorDescriptor_t probs_grad_desc = descs->probs_grad;

  CHECK_HANDLE(API, handle);
  CHECK_ARCH(API, handle, MLUOP_MLU370);
  CHECK_DESC(API, unpermuted_tokens_grad_desc);
  CHECK_DESC(API, sorted_indices_desc);
  CHECK_DESC(API, routing_map_desc);
  CHECK_DESC(API, permuted_tokens_grad_desc);
  MLUOP_RETURN_IF_FAILED(moe_check_both_or_none(API, "probs_desc", probs_desc,
                                                "permuted_tokens_desc", permuted_tokens_desc));
  MLUOP_RETURN_IF_FAILED(
      moe_check_both_or_none(API, "probs_desc", probs_desc, "probs_grad_desc", probs_grad_desc));

  CHECK_RANK(API, unpermuted_tokens_grad_desc, 2);
  CHECK_RANK(API, sorted_indices_desc, 1);
  CHECK_RANK(API, routing_map_desc, 2);
  CHECK_RANK(API, permuted_tokens_grad_desc, 2);
  CHECK_DTYPE(API, unpermuted_tokens_grad_desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF,
              MLUOP_DTYPE_BFLOAT16);
  CHECK_BFLOAT16(API, handle, unpermuted_tokens_grad_desc);
  CHECK_DTYPE(API, sorted_indices_desc, MLUOP_DTYPE_INT32);
  MLUOP_RETURN_IF_FAILED(moe_check_map_dtype(API, routing_map_desc));
  CHECK_SAME_DTYPE(API, permuted_tokens_grad_desc, unpermuted_tokens_grad_desc);
  if (probs_desc != NULL) {
    CHECK_RANK(API, permuted_tokens_desc, 2);
    CHECK_RANK(API, probs_desc, 2);
    CHECK_RANK(API, probs_grad_desc, 2);
    CHECK_SAME_DTYPE(API, permuted_tokens_desc, unpermuted_tokens_grad_desc);
    MLUOP_RETURN_IF_FAILED(moe_check_probs_dtype(
        API, "probs_desc", probs_desc, "unpermuted_tokens_grad_desc", unpermuted_tokens_grad_desc));
    CHECK_SAME_DTYPE(API, probs_grad_desc, probs_desc);
    CHECK_SAME_SHAPE(API, permuted_tokens_desc, permuted_tokens_grad_desc);
    CHECK_SAME_SHAPE(API, probs_desc, routing_map_desc);
    CHECK_SAME_SHAPE(API, probs_grad_desc, routing_map_desc);
  }
  MLUOP_RETURN_IF_FAILED(moe_check_map_limits(API, routing_map_desc));
  MLUOP_RETURN_IF_FAILED(moe_check_permuted_rows(API, "permuted_tokens_grad_desc",
                                                 permuted_tokens_grad_desc, sorted_indices_desc,
                                                 routing_map_desc, drop_and_pad, args));
  CHECK_DIM(API, unpermuted_tokens_grad_desc, 0, routing_map_desc->dims[0]);
  CHECK_DIM(API, unpermuted_tokens_grad_desc, 1, permuted_tokens_grad_desc->dims[1]);

  CHECK_CONTIGUOUS(API, unpermuted_tokens_grad_desc);
  if (permuted_tokens_desc != NULL) CHECK_CONTIGUOUS(API, permuted_tokens_desc);
  CHECK_CONTIGUOUS(API, sorted_indices_desc);
  CHECK_CONTIGUOUS(API, routing_map_desc);
  if (probs_desc != NULL) CHECK_CONTIGUOUS(API, probs_desc);
  CHECK_CONTIGUOUS(API, permuted_tokens_grad_desc);
  if (probs_grad_desc != NULL) CHECK_CONTIGUOUS(API, probs_grad_desc);
  return moe_check_row_limits(API, "permuted_tokens_grad_desc", args->rows_num, args->per_token);
}

mluOpStatus_t MLUOP_WIN_API mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t sorted_indices_desc,
    const bool drop_and_pad, size_t *workspace_size) {
  (void)drop_and_pad; /* both modes have lists */
  return moe_get_lists_bytes(WORKSPACE_API, handle, sorted_indices_desc, true, workspace_size);
}

mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenUnpermuteWithRoutingMapGrad(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t unpermuted_tokens_grad_desc,
    const void *unpermuted_tokens_grad, const mluOpTensorDescriptor_t permuted_tokens_desc,
    const void *permuted_tokens, const mluOpTensorDescriptor_t sorted_indices_desc,
    const void *sorted_indices, const mluOpTensorDescriptor_t routing_map_desc,
    const void *routing_map, const mluOpTensorDescriptor_t probs_desc, const void *probs,
    const bool drop_and_pad, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t permuted_tokens_grad_desc, void *permuted_tokens_grad,
    const mluOpTensorDescriptor_t probs_grad_desc, void *probs_grad) {
  const UnpermuteGradDescs descs = {unpermuted_tokens_grad_desc,
                                    permuted_tokens_desc,
                                    sorted_indices_desc,
                                    routing_map_desc,
                                    probs_desc,
                                    permuted_tokens_grad_desc,
                                    probs_grad_desc};
  MoeTokenRowsArgs args = {.sorted_indices = sorted_indices,
                           .routing_map = routing_map,
                           .probs = probs,
                           .lists = workspace};
  MLUOP_RETURN_IF_FAILED(check_tensors(handle, &descs, drop_and_pad, &args));
  if (ANY_TENSOR_EMPTY(API, unpermuted_tokens_grad_desc, routing_map_desc))
    return MLUOP_STATUS_SUCCESS;
  CHECK_OPTIONAL(API, probs_grad, probs_grad_desc);
  if (ANY_TENSOR_EMPTY(API, permuted_tokens_grad_desc)) {
    /* No rows: no prob was used. */
    if (probs_grad_desc == NULL) return MLUOP_STATUS_SUCCESS;
    return mluop_zero_fill(handle, probs_grad_desc, probs_grad);
  }
  const size_t needed = moe_lists_bytes(args.rows_num, true);
  CHECK_WORKSPACE(API, workspace, workspace_size, needed);
  CHECK_DATA(API, unpermuted_tokens_grad);
  CHECK_OPTIONAL(API, permuted_tokens, permuted_tokens_desc);
  CHECK_DATA(API, sorted_indices);
  CHECK_DATA(API, routing_map);
  CHECK_OPTIONAL(API, probs, probs_desc);
  CHECK_DATA(API, permuted_tokens_grad);
  CHECK_APART(API, MLUOP_WRITTEN(permuted_tokens_grad, permuted_tokens_grad_desc),
              MLUOP_WRITTEN(probs_grad, probs_grad_desc), MLUOP_SCRATCH(workspace, needed),
              MLUOP_READ(unpermuted_tokens_grad, unpermuted_tokens_grad_desc),
              MLUOP_READ(permuted_tokens, permuted_tokens_desc),
              MLUOP_READ(sorted_indices, sorted_indices_desc),
              MLUOP_READ(routing_map, routing_map_desc), MLUOP_READ(probs, probs_desc));

  GEN_CASE(gen_case, handle, "moe_token_unpermute_with_routing_map_grad", NULL);
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "unpermuted_tokens_grad", unpermuted_tokens_grad_desc,
                 unpermuted_tokens_grad, genCaseUniform(-1, 1));
    genCaseInput(&gen_case, "permuted_tokens", permuted_tokens_desc, permuted_tokens,
                 genCaseUniform(-1, 1));
    genCaseInput(&gen_case, "sorted_indices", sorted_indices_desc, sorted_indices,
                 genCaseReal(0, (double)args.rows_num - 1));
    genCaseInput(&gen_case, "routing_map", routing_map_desc, routing_map, genCaseReal(0, 1));
    genCaseInput(&gen_case, "probs", probs_desc, probs, genCaseUniform(0, 1));
    genCaseOutput(&gen_case, "permuted_tokens_grad", permuted_tokens_grad_desc,
                  permuted_tokens_grad);
    genCaseOutput(&gen_case, "probs_grad", probs_grad_desc, probs_grad);
    genCaseParamName(&gen_case, "drop_and_pad", drop_and_pad ? "true" : "false");
    genCaseTestParam(&gen_case, "DIFF1", 0.003);
    genCaseTestParam(&gen_case, "DIFF2", 0.003);
    genCaseWrite(&gen_case);
  }

  const MoeTokenUnpermuteGradCall call = {
      .dtype = unpermuted_tokens_grad_desc->dtype,
      .probs_dtype = probs_desc != NULL ? probs_desc->dtype : unpermuted_tokens_grad_desc->dtype,
      .args = args,
      .unpermuted_tokens_grad = unpermuted_tokens_grad,
      .permuted_tokens = permuted_tokens,
      .hidden = permuted_tokens_grad_desc->dims[1],
      .permuted_tokens_grad = permuted_tokens_grad,
      .probs_grad = probs_grad};
  return mluop_variant_launch(&moe_token_unpermute_with_routing_map_grad_variants, handle, &call);
}
