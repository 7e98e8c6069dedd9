/* SPDX-License-Identifier: MIT */
#include "kernels/moe_token_permute/routing_map_checks.h"

#include "core/context.h"
#include "core/logging.h"
#include "core/tensor_rules.h"

/* Part of the interface: the original operator sorts token and expert numbers as floats. */
#define MAX_TOKENS_OR_EXPERTS 16777215

/* Bytes per task below which starting a task costs more than it saves. */
#define MIN_TASK_BYTES (64 * 1024)

mluOpStatus_t moe_check_map_limits(const char *api, mluOpTensorDescriptor_t routing_map_desc) {
  static const char *const what[] = {"tokens_num", "num_experts"};
  for (int axis = 0; axis < 2; ++axis) {
    CHECK_ELSE(BAD_PARAM, routing_map_desc->dims[axis] < MAX_TOKENS_OR_EXPERTS,
               "%s routing_map_desc: wanted dims[%d] (%s) less than %d, got %lld.", api, axis,
               what[axis], MAX_TOKENS_OR_EXPERTS, (long long)routing_map_desc->dims[axis]);
  }
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_rows(const char *api, const char *name, int64_t rows) {
  return mluop_check_limit(api, name, "rows", (uint64_t)rows, LARGE_TENSOR_NUM,
                           "Rows are numbered in int32.");
}

mluOpStatus_t moe_check_row_limits(const char *api, const char *name, int64_t rows,
                                   int64_t rows_per_token) {
  MLUOP_RETURN_IF_FAILED(check_rows(api, name, rows));
  CHECK_ELSE(NOT_SUPPORTED, rows_per_token <= MOE_MAX_ROWS_PER_TOKEN,
             "%s %s: wanted at most %d rows of one token without drop_and_pad, got %lld.", api,
             name, MOE_MAX_ROWS_PER_TOKEN, (long long)rows_per_token);
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_groups(const char *api, const char *rows_name, bool drop_and_pad,
                                  MoeTokenRowsArgs *args) {
  const int64_t rows = args->rows_num;
  const int64_t groups = drop_and_pad ? args->num_experts : args->tokens_num;
  const int64_t most = drop_and_pad ? args->tokens_num : args->num_experts;
  CHECK_ELSE(BAD_PARAM, rows == 0 || (groups > 0 && rows % groups == 0 && rows / groups <= most),
             "%s %s dims[0]: wanted a multiple of %lld (%s) up to %lld times that, got %lld.", api,
             rows_name, (long long)groups, drop_and_pad ? "num_experts" : "tokens_num",
             (long long)most, (long long)rows);
  const int64_t per_group = groups > 0 ? rows / groups : 0;
  args->drop_and_pad = drop_and_pad;
  args->per_token = drop_and_pad ? 0 : (int)per_group;
  args->capacity = drop_and_pad ? per_group : 0;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t moe_check_inverse(mluopTensors *tensors, const MoeInverseRows *rows,
                                bool drop_and_pad, MoeInverseCall *call) {
  MoeTokenRowsArgs *args = &call->args;
  const char *api = tensors->api, *rows_name = tensors->table->rules[rows->permuted].desc_name;
  CHECK_TENSORS(tensors, MLUOP_ALL, HANDLE, PRESENT);
  CHECK_TENSORS(tensors, MLUOP_REQUIRED_ROWS, RANK, BASE_TYPE, BFLOAT16, TYPE);
  CHECK_TENSORS(tensors, MLUOP_OPTIONAL_ROWS, RANK, TYPE, SHAPE);
  const mluOpTensorDescriptor_t routing_map_desc = tensors->tensor[rows->routing_map].desc;
  MLUOP_RETURN_IF_FAILED(moe_check_map_limits(api, routing_map_desc));
  const mluOpTensorDescriptor_t permuted_desc = tensors->tensor[rows->permuted].desc;
  const mluOpTensorDescriptor_t probs_desc = tensors->tensor[rows->probs].desc;
  tensors->sizes[PERMUTED_ROWS] = permuted_desc->dims[0];
  call->dtype = permuted_desc->dtype;
  call->probs_dtype = probs_desc != NULL ? probs_desc->dtype : permuted_desc->dtype;
  call->hidden = permuted_desc->dims[1];
  args->sorted_indices = tensors->tensor[rows->sorted_indices].data;
  args->routing_map = tensors->tensor[rows->routing_map].data;
  args->tokens_num = routing_map_desc->dims[0];
  args->num_experts = (int)routing_map_desc->dims[1];
  args->rows_num = tensors->sizes[PERMUTED_ROWS];
  CHECK_TENSORS(tensors, MLUOP_ONLY(rows->sorted_indices), SHAPE);
  MLUOP_RETURN_IF_FAILED(check_groups(api, rows_name, drop_and_pad, args));
  CHECK_TENSORS(tensors, MLUOP_ONLY(rows->tokens), SHAPE);
  CHECK_TENSORS(tensors, MLUOP_ALL, LAYOUT);
  return moe_check_row_limits(api, rows_name, args->rows_num, args->per_token);
}

static size_t lists_bytes(int64_t rows, int list_words) {
  return (size_t)rows * (size_t)list_words * sizeof(int32_t);
}

mluOpStatus_t moe_check_inverse_data(mluopTensors *tensors, const MoeInverseCall *call,
                                     int list_words, size_t workspace_size) {
  CHECK_TENSOR_WORKSPACE(tensors, call->args.lists, workspace_size,
                         lists_bytes(call->args.rows_num, list_words));
  CHECK_TENSORS(tensors, MLUOP_ALL, DATA, APART);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t moe_get_lists_bytes(mluopTensors *tensors, int sorted_indices, int list_words,
                                  size_t *workspace_size) {
  CHECK_TENSOR_QUERY(tensors, MLUOP_ONLY(sorted_indices), workspace_size);
  CHECK_TENSORS(tensors, MLUOP_ONLY(sorted_indices), RANK, TYPE, LAYOUT);
  const int64_t rows = tensors->tensor[sorted_indices].desc->dims[0];
  MLUOP_RETURN_IF_FAILED(check_rows(tensors->api, "sorted_indices_desc", rows));
  *workspace_size = lists_bytes(rows, list_words);
  return MLUOP_STATUS_SUCCESS;
}

cnrtDim3_t moe_task_dim(mluOpHandle_t handle, size_t bytes, int64_t tokens_num) {
  return mluop_context_task_dim(handle, bytes, MIN_TASK_BYTES, tokens_num);
}

cnrtDim3_t moe_inverse_task_dim(mluOpHandle_t handle, const MoeInverseCall *call) {
  const size_t row_bytes = (size_t)call->hidden * mluop_dtype_size(call->dtype);
  return moe_task_dim(handle, (size_t)call->args.rows_num * row_bytes, call->args.tokens_num);
}
