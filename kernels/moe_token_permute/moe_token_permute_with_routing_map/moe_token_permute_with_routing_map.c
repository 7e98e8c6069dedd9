/* SPDX-License-Identifier: MIT
 *
 * Host side of moe_token_permute_with_routing_map: workspace, checks, and the call handed to a
 * form of the kernel. */
#include "kernels/moe_token_permute/moe_token_permute_with_routing_map/moe_token_permute_with_routing_map.h"

#include "core/check.h"
#include "core/context.h"
#include "core/gen_case.h"
#include "core/logging.h"
#include "core/tensor.h"
#include "core/tool.h"
#include "kernels/kernel.h"
#include "kernels/moe_token_permute/routing_map_checks.h"
#include "kernels/utils/zero_fill.h"

#define WORKSPACE_API "[mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize]"

/* The tables in the workspace begin at a multiple of this, wherever the workspace begins. */
#define TABLE_ALIGN 64

/* Tasks keep a number per expert on chip at least up to so many experts. */
#define MAX_ONCHIP_EXPERTS 1024

typedef struct PermuteCall {
  const char *api;
  mluOpHandle_t handle;
  mluOpTensorDescriptor_t tokens_desc, routing_map_desc, probs_desc;
  mluOpTensorDescriptor_t permuted_tokens_desc, permuted_probs_desc, sorted_indices_desc;
  mluOpTensorDescriptor_t tokens_per_expert_desc;
  const void *tokens, *routing_map, *probs;
  void *permuted_tokens, *permuted_probs, *sorted_indices, *tokens_per_expert;
  int64_t num_out_tokens;
  bool drop_and_pad;
  void *workspace;
  size_t workspace_size;
} PermuteCall;

static size_t table_bytes(mluOpHandle_t handle, int64_t num_experts) {
  return (size_t)mluop_context_core_num(handle) * (size_t)num_experts * sizeof(int32_t);
}

static size_t group_table_bytes(mluOpHandle_t handle, int64_t num_experts) {
  size_t groups = CEIL_DIV((size_t)mluop_context_core_num(handle), PERMUTE_GROUP_TASKS);
  return groups * (size_t)num_experts * sizeof(int32_t);
}

static size_t needed_workspace(mluOpHandle_t handle, int64_t tokens_num, int64_t num_experts) {
  if (tokens_num == 0 || num_experts == 0) return 0;
  size_t tables = num_experts > MAX_ONCHIP_EXPERTS ? 2 : 1;
  return tables * table_bytes(handle, num_experts) + group_table_bytes(handle, num_experts) +
         TABLE_ALIGN;
}

/* What does not depend on the number of rows. */
static mluOpStatus_t check_inputs(const PermuteCall *call) {
  const char *api = call->api;
  mluOpHandle_t handle = call->handle;
  mluOpTensorDescriptor_t tokens_desc = call->tokens_desc, probs_desc = call->probs_desc;
  mluOpTensorDescriptor_t routing_map_desc = call->routing_map_desc;
  mluOpTensorDescriptor_t permuted_tokens_desc = call->permuted_tokens_desc;
  mluOpTensorDescriptor_t permuted_probs_desc = call->permuted_probs_desc;
  mluOpTensorDescriptor_t sorted_indices_desc = call->sorted_indices_desc;
  mluOpTensorDescriptor_t tokens_per_expert_desc = call->tokens_per_expert_desc;
  int64_t num_out_tokens = call->num_out_tokens;

  CHECK_HANDLE(api, handle);
  CHECK_ARCH(api, handle, MLUOP_MLU370);
  CHECK_DESC(api, tokens_desc);
  CHECK_DESC(api, routing_map_desc);
  CHECK_DESC(api, permuted_tokens_desc);
  CHECK_DESC(api, sorted_indices_desc);
  MLUOP_RETURN_IF_FAILED(moe_check_both_or_none(api, "probs_desc", probs_desc,
                                                "permuted_probs_desc", permuted_probs_desc));

  CHECK_RANK(api, tokens_desc, 2);
  CHECK_RANK(api, routing_map_desc, 2);
  CHECK_RANK(api, permuted_tokens_desc, 2);
  CHECK_RANK(api, sorted_indices_desc, 1);
  CHECK_DTYPE(api, tokens_desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16);
  CHECK_BFLOAT16(api, handle, tokens_desc);
  MLUOP_RETURN_IF_FAILED(moe_check_map_dtype(api, routing_map_desc));
  CHECK_SAME_DTYPE(api, permuted_tokens_desc, tokens_desc);
  CHECK_DTYPE(api, sorted_indices_desc, MLUOP_DTYPE_INT32);
  if (probs_desc != NULL) {
    CHECK_RANK(api, probs_desc, 2);
    CHECK_RANK(api, permuted_probs_desc, 1);
    MLUOP_RETURN_IF_FAILED(
        moe_check_probs_dtype(api, "probs_desc", probs_desc, "tokens_desc", tokens_desc));
    CHECK_SAME_DTYPE(api, permuted_probs_desc, probs_desc);
  }
  if (tokens_per_expert_desc != NULL) {
    CHECK_RANK(api, tokens_per_expert_desc, 1);
    CHECK_DTYPE(api, tokens_per_expert_desc, MLUOP_DTYPE_INT32, MLUOP_DTYPE_INT64);
  }

  CHECK_NOT_NEGATIVE(api, num_out_tokens);
  CHECK_DIM(api, tokens_desc, 0, routing_map_desc->dims[0]);
  if (probs_desc != NULL) CHECK_SAME_SHAPE(api, probs_desc, routing_map_desc);
  if (tokens_per_expert_desc != NULL) {
    CHECK_DIM(api, tokens_per_expert_desc, 0, routing_map_desc->dims[1]);
  }
  return moe_check_map_limits(api, routing_map_desc);
}

static mluOpStatus_t check_outputs(const PermuteCall *call, const MoeTokenPermuteArgs *args) {
  const char *api = call->api;
  int64_t num_out_tokens = call->num_out_tokens, out_tokens = args->out_rows;
  mluOpTensorDescriptor_t permuted_tokens_desc = call->permuted_tokens_desc;
  mluOpTensorDescriptor_t permuted_probs_desc = call->permuted_probs_desc;
  mluOpTensorDescriptor_t sorted_indices_desc = call->sorted_indices_desc;
  int64_t most = args->tokens_num * args->num_experts;
  CHECK_VALUE(api, num_out_tokens, num_out_tokens <= most, "at most tokens_num * num_experts, %lld",
              (long long)most);
  CHECK_DIM(api, permuted_tokens_desc, 0, out_tokens);
  CHECK_DIM(api, permuted_tokens_desc, 1, call->tokens_desc->dims[1]);
  CHECK_DIM(api, sorted_indices_desc, 0, out_tokens);
  if (permuted_probs_desc != NULL) CHECK_DIM(api, permuted_probs_desc, 0, out_tokens);

  mluOpTensorDescriptor_t tokens_desc = call->tokens_desc, probs_desc = call->probs_desc;
  mluOpTensorDescriptor_t routing_map_desc = call->routing_map_desc;
  mluOpTensorDescriptor_t tokens_per_expert_desc = call->tokens_per_expert_desc;
  CHECK_CONTIGUOUS(api, tokens_desc);
  CHECK_CONTIGUOUS(api, routing_map_desc);
  CHECK_CONTIGUOUS(api, permuted_tokens_desc);
  CHECK_CONTIGUOUS(api, sorted_indices_desc);
  if (probs_desc != NULL) CHECK_CONTIGUOUS(api, probs_desc);
  if (permuted_probs_desc != NULL) CHECK_CONTIGUOUS(api, permuted_probs_desc);
  if (tokens_per_expert_desc != NULL) CHECK_CONTIGUOUS(api, tokens_per_expert_desc);
  return moe_check_row_limits(api, "num_out_tokens", out_tokens,
                              call->drop_and_pad ? 0 : call->num_out_tokens / args->tokens_num);
}

static mluOpStatus_t check_data(const PermuteCall *call) {
  const char *api = call->api;
  const void *tokens = call->tokens, *routing_map = call->routing_map;
  const void *permuted_tokens = call->permuted_tokens, *sorted_indices = call->sorted_indices;
  const void *probs = call->probs, *permuted_probs = call->permuted_probs;
  size_t needed = needed_workspace(call->handle, call->routing_map_desc->dims[0],
                                   call->routing_map_desc->dims[1]);
  CHECK_WORKSPACE(api, call->workspace, call->workspace_size, needed);
  CHECK_DATA(api, tokens);
  CHECK_DATA(api, routing_map);
  CHECK_OPTIONAL(api, probs, call->probs_desc);
  CHECK_DATA(api, permuted_tokens);
  CHECK_OPTIONAL(api, permuted_probs, call->permuted_probs_desc);
  CHECK_DATA(api, sorted_indices);
  const void *tokens_per_expert = call->tokens_per_expert, *workspace = call->workspace;
  CHECK_APART(api, MLUOP_WRITTEN(permuted_tokens, call->permuted_tokens_desc),
              MLUOP_WRITTEN(permuted_probs, call->permuted_probs_desc),
              MLUOP_WRITTEN(sorted_indices, call->sorted_indices_desc),
              MLUOP_WRITTEN(tokens_per_expert, call->tokens_per_expert_desc),
              MLUOP_SCRATCH(workspace, needed), MLUOP_READ(tokens, call->tokens_desc),
              MLUOP_READ(routing_map, call->routing_map_desc), MLUOP_READ(probs, call->probs_desc));
  return MLUOP_STATUS_SUCCESS;
}

static void set_workspace(const PermuteCall *call, MoeTokenPermuteArgs *args) {
  uintptr_t begin = ALIGN_UP((uintptr_t)call->workspace, TABLE_ALIGN);
  uintptr_t behind_counts = begin + table_bytes(call->handle, args->num_experts);
  args->counts = (int32_t *)begin;
  args->group_counts = (int32_t *)behind_counts;
  args->next_rows =
      args->num_experts > MAX_ONCHIP_EXPERTS
          ? (int32_t *)(behind_counts + group_table_bytes(call->handle, args->num_experts))
          : NULL;
}

/* Nothing is moved, so no expert has a row. */
static mluOpStatus_t clear_counts(const PermuteCall *call) {
  if (call->tokens_per_expert_desc == NULL || call->tokens_per_expert_desc->total_num == 0)
    return MLUOP_STATUS_SUCCESS;
  return mluop_zero_fill(call->handle, call->tokens_per_expert_desc, call->tokens_per_expert);
}

static void record_case(mluopGenCase *gen_case, const PermuteCall *call) {
  genCaseInput(gen_case, "tokens", call->tokens_desc, call->tokens, genCaseUniform(-1, 1));
  genCaseInput(gen_case, "routing_map", call->routing_map_desc, call->routing_map,
               genCaseReal(0, 1));
  genCaseInput(gen_case, "probs", call->probs_desc, call->probs, genCaseUniform(0, 1));
  genCaseOutput(gen_case, "permuted_tokens", call->permuted_tokens_desc, call->permuted_tokens);
  genCaseOutput(gen_case, "permuted_probs", call->permuted_probs_desc, call->permuted_probs);
  genCaseOutput(gen_case, "sorted_indices", call->sorted_indices_desc, call->sorted_indices);
  if (call->tokens_per_expert_desc != NULL)
    genCaseOutput(gen_case, "tokens_per_expert", call->tokens_per_expert_desc,
                  call->tokens_per_expert);
  genCaseParamInt(gen_case, "num_out_tokens", call->num_out_tokens);
  genCaseParamName(gen_case, "drop_and_pad", call->drop_and_pad ? "true" : "false");
  genCaseTestParam(gen_case, "DIFF3", 0);
  genCaseWrite(gen_case);
}

static mluOpStatus_t permute(const PermuteCall *call) {
  const char *api = call->api;
  const void *tokens_per_expert = call->tokens_per_expert;
  MLUOP_RETURN_IF_FAILED(check_inputs(call));
  CHECK_OPTIONAL(api, tokens_per_expert, call->tokens_per_expert_desc);
  if (ANY_TENSOR_EMPTY(api, call->tokens_desc, call->routing_map_desc)) return clear_counts(call);

  int64_t tokens_num = call->routing_map_desc->dims[0];
  int64_t num_experts = call->routing_map_desc->dims[1];
  int64_t groups = call->drop_and_pad ? num_experts : tokens_num;
  int64_t per_group = call->num_out_tokens / groups;
  MoeTokenPermuteArgs args = {
      .tokens = call->tokens,
      .routing_map = call->routing_map,
      .probs = call->probs,
      .tokens_num = tokens_num,
      .num_experts = (int)num_experts,
      .row_bytes = call->tokens_desc->dims[1] * (int64_t)mluop_dtype_size(call->tokens_desc->dtype),
      .probs_bytes = call->probs_desc ? (int)mluop_dtype_size(call->probs_desc->dtype) : 0,
      .drop_and_pad = call->drop_and_pad,
      .per_token = call->drop_and_pad ? 0 : (int)per_group,
      .capacity = call->drop_and_pad ? per_group : 0,
      .out_rows = groups * per_group,
      .permuted_tokens = call->permuted_tokens,
      .permuted_probs = call->permuted_probs,
      .sorted_indices = call->sorted_indices,
      .tokens_per_expert = call->tokens_per_expert,
      .is_count_int64 = call->tokens_per_expert_desc != NULL &&
                        call->tokens_per_expert_desc->dtype == MLUOP_DTYPE_INT64};
  MLUOP_RETURN_IF_FAILED(check_outputs(call, &args));
  if (ANY_TENSOR_EMPTY(api, call->permuted_tokens_desc)) return clear_counts(call);
  MLUOP_RETURN_IF_FAILED(check_data(call));
  set_workspace(call, &args);

  GEN_CASE(gen_case, call->handle, "moe_token_permute_with_routing_map", NULL);
  if (genCaseIsOn(&gen_case)) record_case(&gen_case, call);

  return mluop_variant_launch(&moe_token_permute_with_routing_map_variants, call->handle, &args);
}

mluOpStatus_t MLUOP_WIN_API mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t routing_map_desc, size_t *workspace_size) {
  CHECK_HANDLE(WORKSPACE_API, handle);
  CHECK_ARCH(WORKSPACE_API, handle, MLUOP_MLU370);
  CHECK_DESC(WORKSPACE_API, routing_map_desc);
  CHECK_NOT_NULL(WORKSPACE_API, workspace_size);
  CHECK_RANK(WORKSPACE_API, routing_map_desc, 2);
  MLUOP_RETURN_IF_FAILED(moe_check_map_dtype(WORKSPACE_API, routing_map_desc));
  MLUOP_RETURN_IF_FAILED(moe_check_map_limits(WORKSPACE_API, routing_map_desc));
  CHECK_CONTIGUOUS(WORKSPACE_API, routing_map_desc);
  *workspace_size = needed_workspace(handle, routing_map_desc->dims[0], routing_map_desc->dims[1]);
  return MLUOP_STATUS_SUCCESS;
}

#define PERMUTE_PARAMETERS                                                                       \
  mluOpHandle_t handle, const mluOpTensorDescriptor_t tokens_desc, const void *tokens,           \
      const mluOpTensorDescriptor_t routing_map_desc, const void *routing_map,                   \
      const mluOpTensorDescriptor_t probs_desc, const void *probs, const int64_t num_out_tokens, \
      const bool drop_and_pad, void *workspace, const size_t workspace_size,                     \
      const mluOpTensorDescriptor_t permuted_tokens_desc, void *permuted_tokens,                 \
      const mluOpTensorDescriptor_t permuted_probs_desc, void *permuted_probs,                   \
      const mluOpTensorDescriptor_t sorted_indices_desc, void *sorted_indices

/* The parameters of either public function as one object. */
#define PERMUTE_CALL(public_name, counts_desc, counts)                                        \
  {                                                                                           \
    .api = "[" #public_name "]", .handle = handle, .tokens_desc = tokens_desc,                \
    .routing_map_desc = routing_map_desc, .probs_desc = probs_desc,                           \
    .permuted_tokens_desc = permuted_tokens_desc, .permuted_probs_desc = permuted_probs_desc, \
    .sorted_indices_desc = sorted_indices_desc, .tokens_per_expert_desc = counts_desc,        \
    .tokens = tokens, .routing_map = routing_map, .probs = probs,                             \
    .permuted_tokens = permuted_tokens, .permuted_probs = permuted_probs,                     \
    .sorted_indices = sorted_indices, .tokens_per_expert = counts,                            \
    .num_out_tokens = num_out_tokens, .drop_and_pad = drop_and_pad, .workspace = workspace,   \
    .workspace_size = workspace_size                                                          \
  }

mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenPermuteWithRoutingMap(PERMUTE_PARAMETERS) {
  const PermuteCall call = PERMUTE_CALL(mluOpMoeTokenPermuteWithRoutingMap, NULL, NULL);
  return permute(&call);
}

mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenPermuteWithRoutingMap_v2(
    PERMUTE_PARAMETERS, const mluOpTensorDescriptor_t tokens_per_expert_desc,
    void *tokens_per_expert) {
  const PermuteCall call = PERMUTE_CALL(mluOpMoeTokenPermuteWithRoutingMap_v2,
                                        tokens_per_expert_desc, tokens_per_expert);
  return permute(&call);
}
