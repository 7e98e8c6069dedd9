/* SPDX-License-Identifier: MIT */
#include "kernels/moe_token_permute/moe_token_permute_with_routing_map/permute_args.h"

#include "core/context.h"
#include "core/tensor_rules.h"
#include "kernels/kernel.h"
#include "kernels/moe_token_permute/routing_map_checks.h"
#include "kernels/utils/zero_fill.h"

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

static const char *scalar_tables_cannot(mluOpHandle_t handle, const void *call) {
  const MoeTokenPermuteArgs *args = call;
  (void)handle;
  if (args->drop_and_pad) return "there is padding";
  return args->num_experts > SCALAR_TABLES_MAX_EXPERTS ? "there are too many experts" : NULL;
}

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const MoeTokenPermuteArgs *args = call;
  const int64_t probs_bytes = args->tokens_num * args->num_experts * args->probs_bytes;
  (void)handle;
  if (!args->drop_and_pad) return "there is no padding";
  if (args->num_experts > MAX_TASKS_PER_DIMENSION) return "there are too many experts";
  if (args->capacity > (int64_t)SMALL_TASKS_MAX_ROWS * MAX_TASKS_PER_DIMENSION)
    return "an expert has too many rows";
  const bool is_reached =
      probs_bytes <= GATHER_SPAN_BYTES && args->tokens_num <= GATHER_SPAN_BYTES / args->row_bytes;
  return is_reached ? NULL : "tokens or probs are larger than a gather reaches";
}

MLUOP_VARIANTS(moe_token_permute_with_routing_map,
               {"scalar_tables", scalar_tables_cannot, mluop_scalar_tables_do_not_pay,
                MoeTokenPermuteScalarTables},
               {"one_union", MoeTokenPermuteOneUnionRefusal, mluop_small_tasks_do_not_pay,
                MoeTokenPermuteOneUnion},
               {"small_tasks", small_tasks_cannot, mluop_small_tasks_do_not_pay,
                MoeTokenPermuteSmallTasks},
               {"reference", NULL, NULL, MoeTokenPermuteReference});

/* Alignment of the tables in the workspace, which itself may begin anywhere. */
#define TABLE_ALIGN 64

/* Up to this many experts, a task keeps a number per expert on chip. */
#define MAX_ONCHIP_EXPERTS 1024

/* Lays out the tables for args->num_experts from `begin` on; returns their end. */
static uintptr_t place_tables(mluOpHandle_t handle, uintptr_t begin, MoeTokenPermuteArgs *args) {
  const size_t tasks = permute_max_tasks(handle);
  const size_t row_bytes = (size_t)args->num_experts * sizeof(int32_t);
  const uintptr_t counts = ALIGN_UP(begin, TABLE_ALIGN);
  const uintptr_t group_counts = counts + tasks * row_bytes;
  const uintptr_t next_rows = group_counts + CEIL_DIV(tasks, PERMUTE_GROUP_TASKS) * row_bytes;
  args->counts = (int32_t *)counts;
  args->group_counts = (int32_t *)group_counts;
  args->next_rows = args->num_experts > MAX_ONCHIP_EXPERTS ? (int32_t *)next_rows : NULL;
  return args->next_rows != NULL ? next_rows + tasks * row_bytes : next_rows;
}

static size_t needed_workspace(mluOpHandle_t handle, int64_t tokens_num, int64_t num_experts) {
  MoeTokenPermuteArgs args = {.num_experts = (int)num_experts};
  if (tokens_num == 0 || num_experts == 0) return 0;
  return place_tables(handle, 0, &args) + TABLE_ALIGN;
}

/* Checks that do not depend on the number of rows. */
static mluOpStatus_t check_inputs(mluopTensors *tensors, int64_t num_out_tokens) {
  CHECK_TENSORS(tensors, MLUOP_ALL, HANDLE, PRESENT);
  CHECK_TENSORS(tensors, MLUOP_REQUIRED_ROWS, RANK, BASE_TYPE, BFLOAT16, TYPE);
  CHECK_TENSORS(tensors, MLUOP_OPTIONAL_ROWS, RANK, TYPE);
  CHECK_NOT_NEGATIVE(tensors->api, num_out_tokens);
  CHECK_TENSORS(tensors, MLUOP_ONLY(TOKENS, PROBS, COUNTS), SHAPE);
  MLUOP_RETURN_IF_FAILED(moe_check_map_limits(tensors->api, tensors->tensor[ROUTING_MAP].desc));
  CHECK_TENSORS(tensors, MLUOP_ONLY(COUNTS), DATA);
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_outputs(mluopTensors *tensors, int64_t num_out_tokens,
                                   const MoeTokenPermuteArgs *args) {
  const int64_t most = args->tokens_num * args->num_experts;
  CHECK_VALUE(tensors->api, num_out_tokens, num_out_tokens <= most,
              "at most tokens_num * num_experts, %lld", (long long)most);
  CHECK_TENSORS(tensors, MLUOP_ONLY(ROWS, ROW_PROBS, SORTED_INDICES), SHAPE);
  CHECK_TENSORS(tensors, MLUOP_ALL, LAYOUT);
  return moe_check_row_limits(tensors->api, "num_out_tokens", args->out_rows,
                              args->drop_and_pad ? 0 : num_out_tokens / args->tokens_num);
}

/* Parameters that both public functions have, and the same as arguments. */
#define PERMUTE_PARAMETERS                                                                       \
  mluOpHandle_t handle, MLUOP_IN_ARGS(tokens), MLUOP_IN_ARGS(routing_map), MLUOP_IN_ARGS(probs), \
      const int64_t num_out_tokens, const bool drop_and_pad, void *workspace,                    \
      const size_t workspace_size, MLUOP_OUT_ARGS(permuted_tokens),                              \
      MLUOP_OUT_ARGS(permuted_probs), MLUOP_OUT_ARGS(sorted_indices)
#define PERMUTE_ARGUMENTS                                                                        \
  handle, tokens_desc, tokens, routing_map_desc, routing_map, probs_desc, probs, num_out_tokens, \
      drop_and_pad, workspace, workspace_size, permuted_tokens_desc, permuted_tokens,            \
      permuted_probs_desc, permuted_probs, sorted_indices_desc, sorted_indices

static mluOpStatus_t permute(const char *api, PERMUTE_PARAMETERS,
                             MLUOP_OUT_ARGS(tokens_per_expert)) {
  int64_t sizes[1];
  mluopTensors tensors =
      MLUOP_TENSORS(api, handle, &table, sizes, tokens, routing_map, probs, permuted_tokens,
                    permuted_probs, sorted_indices, tokens_per_expert);
  MLUOP_RETURN_IF_FAILED(check_inputs(&tensors, num_out_tokens));
  /* Nothing is moved, so no expert has a row. */
  if (ANY_TENSOR_EMPTY(api, tokens_desc, routing_map_desc)) {
    return mluop_zero_fill(handle, tokens_per_expert_desc, tokens_per_expert);
  }
  const int64_t tokens_num = routing_map_desc->dims[0], num_experts = routing_map_desc->dims[1];
  const int64_t groups = drop_and_pad ? num_experts : tokens_num;
  const int64_t per_group = num_out_tokens / groups;
  sizes[OUT_TOKENS] = groups * per_group;
  MoeTokenPermuteArgs args = {
      .tokens = tokens,
      .routing_map = routing_map,
      .probs = probs,
      .tokens_num = tokens_num,
      .num_experts = (int)num_experts,
      .row_bytes = tokens_desc->dims[1] * (int64_t)mluop_dtype_size(tokens_desc->dtype),
      .probs_bytes = probs_desc ? (int)mluop_dtype_size(probs_desc->dtype) : 0,
      .drop_and_pad = drop_and_pad,
      .per_token = drop_and_pad ? 0 : (int)per_group,
      .capacity = drop_and_pad ? per_group : 0,
      .out_rows = sizes[OUT_TOKENS],
      .permuted_tokens = permuted_tokens,
      .permuted_probs = permuted_probs,
      .sorted_indices = sorted_indices,
      .tokens_per_expert = tokens_per_expert,
      .is_count_int64 = tokens_per_expert && tokens_per_expert_desc->dtype == MLUOP_DTYPE_INT64};
  MLUOP_RETURN_IF_FAILED(check_outputs(&tensors, num_out_tokens, &args));
  if (ANY_TENSOR_EMPTY(api, permuted_tokens_desc)) {
    return mluop_zero_fill(handle, tokens_per_expert_desc, tokens_per_expert);
  }
  CHECK_TENSOR_WORKSPACE(&tensors, workspace, workspace_size,
                         needed_workspace(handle, tokens_num, num_experts));
  CHECK_TENSORS(&tensors, MLUOP_ALL, DATA, APART);
  place_tables(handle, (uintptr_t)workspace, &args);
  RECORD_CASE(&tensors, num_out_tokens, drop_and_pad);
  return mluop_variant_launch(&moe_token_permute_with_routing_map_variants, handle, &args);
}

mluOpStatus_t MLUOP_WIN_API mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t routing_map_desc, size_t *workspace_size) {
  mluopTensors tensors = MLUOP_TENSOR_QUERY("[mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize]",
                                            handle, &table, ROUTING_MAP, routing_map_desc);
  CHECK_TENSOR_QUERY(&tensors, MLUOP_ONLY(ROUTING_MAP), workspace_size);
  CHECK_TENSORS(&tensors, MLUOP_ONLY(ROUTING_MAP), RANK, TYPE);
  MLUOP_RETURN_IF_FAILED(moe_check_map_limits(tensors.api, routing_map_desc));
  CHECK_TENSORS(&tensors, MLUOP_ONLY(ROUTING_MAP), LAYOUT);
  *workspace_size = needed_workspace(handle, routing_map_desc->dims[0], routing_map_desc->dims[1]);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenPermuteWithRoutingMap(PERMUTE_PARAMETERS) {
  return permute("[mluOpMoeTokenPermuteWithRoutingMap]", PERMUTE_ARGUMENTS, NULL, NULL);
}

mluOpStatus_t MLUOP_WIN_API
mluOpMoeTokenPermuteWithRoutingMap_v2(PERMUTE_PARAMETERS, MLUOP_OUT_ARGS(tokens_per_expert)) {
  return permute("[mluOpMoeTokenPermuteWithRoutingMap_v2]", PERMUTE_ARGUMENTS,
                 tokens_per_expert_desc, tokens_per_expert);
}
