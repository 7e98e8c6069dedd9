/* SPDX-License-Identifier: MIT
 *
 * Host side of moe_token_permute_with_routing_map: workspace, checks, and the call handed to a
 * form of the kernel. */
#include "kernels/moe_token_permute/moe_token_permute_with_routing_map/moe_token_permute_with_routing_map.h"

#include "core/context.h"
#include "core/tensor_rules.h"
#include "kernels/kernel.h"
#include "kernels/moe_token_permute/routing_map_checks.h"
#include "kernels/utils/zero_fill.h"

#define WORKSPACE_API "[mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize]"

enum { TOKENS, ROUTING_MAP, PROBS, ROWS, ROW_PROBS, SORTED_INDICES, COUNTS };
enum { OUT_TOKENS };
static const mluopTensorRule rules[] = {
    MLUOP_IN(tokens, MLUOP_FLOATS, MLUOP_DIMS(MLUOP_DIM(ROUTING_MAP, 0), MLUOP_ANY),
             MLUOP_UNIFORM(-1, 1)),
    MLUOP_IN(routing_map, MOE_ROUTING_MAP),
    MLUOP_IN(probs, MLUOP_OPTIONAL, MLUOP_TYPE_OF_OR_FLOAT(TOKENS), MLUOP_SHAPE_OF(ROUTING_MAP, 2),
             MLUOP_UNIFORM(0, 1)),
    MLUOP_OUT(permuted_tokens, MLUOP_TYPE_OF(TOKENS), MLUOP_DIMS(OUT_TOKENS, MLUOP_DIM(TOKENS, 1))),
    MLUOP_OUT(permuted_probs, MLUOP_OPTIONAL_WITH(PROBS), MLUOP_TYPE_OF(PROBS),
              MLUOP_DIMS(OUT_TOKENS)),
    MLUOP_OUT(sorted_indices, MLUOP_INT32, MLUOP_DIMS(OUT_TOKENS)),
    MLUOP_OUT(tokens_per_expert, MLUOP_OPTIONAL, MLUOP_LEFT_OUT,
              MLUOP_TYPES(MLUOP_DTYPE_INT32, MLUOP_DTYPE_INT64),
              MLUOP_DIMS(MLUOP_DIM(ROUTING_MAP, 1))),
};
static const mluopTensorTable table =
    MLUOP_TENSOR_TABLE("moe_token_permute_with_routing_map", rules, .size_names = {"out_tokens"});

/* The tables in the workspace begin at a multiple of this, wherever the workspace begins. */
#define TABLE_ALIGN 64

/* Tasks keep a number per expert on chip at least up to so many experts. */
#define MAX_ONCHIP_EXPERTS 1024

typedef struct PermuteScalars {
  int64_t num_out_tokens;
  bool drop_and_pad;
  void *workspace;
  size_t workspace_size;
} PermuteScalars;

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
static mluOpStatus_t check_inputs(const mluopTensors *tensors, int64_t num_out_tokens) {
  CHECK_TENSORS(tensors, MLUOP_ALL, HANDLE, PRESENT);
  CHECK_TENSORS(tensors, MLUOP_REQUIRED_ROWS, RANK, BASE_TYPE, BFLOAT16, TYPE);
  CHECK_TENSORS(tensors, MLUOP_ONLY(PROBS, ROW_PROBS), RANK, TYPE);
  CHECK_TENSORS(tensors, MLUOP_ONLY(COUNTS), RANK, TYPE);
  CHECK_NOT_NEGATIVE(tensors->api, num_out_tokens);
  CHECK_TENSORS(tensors, MLUOP_ONLY(TOKENS, PROBS, COUNTS), SHAPE);
  MLUOP_RETURN_IF_FAILED(moe_check_map_limits(tensors->api, tensors->tensor[ROUTING_MAP].desc));
  CHECK_TENSORS(tensors, MLUOP_ONLY(COUNTS), DATA);
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_outputs(const mluopTensors *tensors, int64_t num_out_tokens,
                                   const MoeTokenPermuteArgs *args) {
  const char *api = tensors->api;
  const int64_t most = args->tokens_num * args->num_experts;
  CHECK_VALUE(api, num_out_tokens, num_out_tokens <= most, "at most tokens_num * num_experts, %lld",
              (long long)most);
  CHECK_TENSORS(tensors, MLUOP_ONLY(ROWS, SORTED_INDICES), SHAPE);
  CHECK_TENSORS(tensors, MLUOP_ONLY(ROW_PROBS), SHAPE);
  CHECK_TENSORS(tensors, MLUOP_REQUIRED_ROWS, LAYOUT);
  CHECK_TENSORS(tensors, MLUOP_OPTIONAL_ROWS, LAYOUT);
  return moe_check_row_limits(api, "num_out_tokens", args->out_rows,
                              args->drop_and_pad ? 0 : num_out_tokens / args->tokens_num);
}

static void set_workspace(mluOpHandle_t handle, void *workspace, MoeTokenPermuteArgs *args) {
  const uintptr_t begin = ALIGN_UP((uintptr_t)workspace, TABLE_ALIGN);
  const uintptr_t after_counts = begin + table_bytes(handle, args->num_experts);
  args->counts = (int32_t *)begin;
  args->group_counts = (int32_t *)after_counts;
  args->next_rows = args->num_experts > MAX_ONCHIP_EXPERTS
                        ? (int32_t *)(after_counts + group_table_bytes(handle, args->num_experts))
                        : NULL;
}

/* Nothing is moved, so no expert has a row. */
static mluOpStatus_t clear_counts(const mluopTensors *tensors) {
  const mluOpTensorDescriptor_t desc = tensors->tensor[COUNTS].desc;
  if (desc == NULL) return MLUOP_STATUS_SUCCESS;
  return mluop_zero_fill(tensors->handle, desc, (void *)tensors->tensor[COUNTS].data);
}

static mluOpStatus_t permute(mluopTensors *tensors, const PermuteScalars *scalars) {
  const bool drop_and_pad = scalars->drop_and_pad;
  MLUOP_RETURN_IF_FAILED(check_inputs(tensors, scalars->num_out_tokens));
  const mluOpTensorDescriptor_t tokens_desc = tensors->tensor[TOKENS].desc;
  const mluOpTensorDescriptor_t routing_map_desc = tensors->tensor[ROUTING_MAP].desc;
  if (ANY_TENSOR_EMPTY(tensors->api, tokens_desc, routing_map_desc)) return clear_counts(tensors);

  const mluOpTensorDescriptor_t probs_desc = tensors->tensor[PROBS].desc;
  const mluOpTensorDescriptor_t counts_desc = tensors->tensor[COUNTS].desc;
  const int64_t tokens_num = routing_map_desc->dims[0], num_experts = routing_map_desc->dims[1];
  const int64_t groups = drop_and_pad ? num_experts : tokens_num;
  const int64_t per_group = scalars->num_out_tokens / groups;
  int64_t sizes[] = {groups * per_group};
  tensors->sizes = sizes;
  MoeTokenPermuteArgs args = {
      .tokens = tensors->tensor[TOKENS].data,
      .routing_map = tensors->tensor[ROUTING_MAP].data,
      .probs = tensors->tensor[PROBS].data,
      .tokens_num = tokens_num,
      .num_experts = (int)num_experts,
      .row_bytes = tokens_desc->dims[1] * (int64_t)mluop_dtype_size(tokens_desc->dtype),
      .probs_bytes = probs_desc ? (int)mluop_dtype_size(probs_desc->dtype) : 0,
      .drop_and_pad = drop_and_pad,
      .per_token = drop_and_pad ? 0 : (int)per_group,
      .capacity = drop_and_pad ? per_group : 0,
      .out_rows = sizes[OUT_TOKENS],
      .permuted_tokens = (int8_t *)tensors->tensor[ROWS].data,
      .permuted_probs = (int8_t *)tensors->tensor[ROW_PROBS].data,
      .sorted_indices = (int32_t *)tensors->tensor[SORTED_INDICES].data,
      .tokens_per_expert = (int8_t *)tensors->tensor[COUNTS].data,
      .is_count_int64 = counts_desc != NULL && counts_desc->dtype == MLUOP_DTYPE_INT64};
  MLUOP_RETURN_IF_FAILED(check_outputs(tensors, scalars->num_out_tokens, &args));
  if (ANY_TENSOR_EMPTY(tensors->api, tensors->tensor[ROWS].desc)) return clear_counts(tensors);
  CHECK_TENSOR_WORKSPACE(tensors, scalars->workspace, scalars->workspace_size,
                         needed_workspace(tensors->handle, tokens_num, num_experts));
  CHECK_TENSORS(tensors, MLUOP_ALL, DATA, APART);
  set_workspace(tensors->handle, scalars->workspace, &args);
  RECORD_CASE(gen_case, tensors,
              genCaseParamInt(&gen_case, "num_out_tokens", scalars->num_out_tokens),
              genCaseParamName(&gen_case, "drop_and_pad", drop_and_pad ? "true" : "false"));
  return mluop_variant_launch(&moe_token_permute_with_routing_map_variants, tensors->handle, &args);
}

mluOpStatus_t MLUOP_WIN_API mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t routing_map_desc, size_t *workspace_size) {
  const mluopTensors tensors =
      MLUOP_TENSOR_QUERY(WORKSPACE_API, handle, &table, ROUTING_MAP, routing_map_desc);
  CHECK_TENSORS(&tensors, MLUOP_ONLY(ROUTING_MAP), HANDLE, PRESENT);
  CHECK_NOT_NULL(WORKSPACE_API, workspace_size);
  CHECK_TENSORS(&tensors, MLUOP_ONLY(ROUTING_MAP), RANK, TYPE);
  MLUOP_RETURN_IF_FAILED(moe_check_map_limits(WORKSPACE_API, routing_map_desc));
  CHECK_TENSORS(&tensors, MLUOP_ONLY(ROUTING_MAP), LAYOUT);
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

/* The tensors that both public functions have. */
#define PERMUTE_TENSORS tokens, routing_map, probs, permuted_tokens, permuted_probs, sorted_indices

mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenPermuteWithRoutingMap(PERMUTE_PARAMETERS) {
  const PermuteScalars scalars = {num_out_tokens, drop_and_pad, workspace, workspace_size};
  mluopTensors tensors =
      MLUOP_TENSORS("[mluOpMoeTokenPermuteWithRoutingMap]", handle, &table, NULL, PERMUTE_TENSORS);
  return permute(&tensors, &scalars);
}

mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenPermuteWithRoutingMap_v2(
    PERMUTE_PARAMETERS, const mluOpTensorDescriptor_t tokens_per_expert_desc,
    void *tokens_per_expert) {
  const PermuteScalars scalars = {num_out_tokens, drop_and_pad, workspace, workspace_size};
  mluopTensors tensors = MLUOP_TENSORS("[mluOpMoeTokenPermuteWithRoutingMap_v2]", handle, &table,
                                       NULL, PERMUTE_TENSORS, tokens_per_expert);
  return permute(&tensors, &scalars);
}
