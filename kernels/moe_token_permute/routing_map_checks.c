/* SPDX-License-Identifier: MIT */
#include "kernels/moe_token_permute/routing_map_checks.h"

#include "core/check.h"
#include "core/context.h"
#include "core/logging.h"
#include "core/tensor.h"

/* The reference operator sorts token and expert numbers as floats; the limit is part of the
 * interface. */
#define MAX_TOKENS_OR_EXPERTS 16777215

/* A task should have at least this much to move, else starting it costs more than it saves. */
#define MIN_TASK_BYTES (64 * 1024)

mluOpStatus_t moe_check_both_or_none(const char *api, const char *name,
                                     mluOpTensorDescriptor_t desc, const char *other_name,
                                     mluOpTensorDescriptor_t other) {
  if ((desc == NULL) == (other == NULL)) return MLUOP_STATUS_SUCCESS;
  LOG_ERROR("%s %s and %s: wanted both or none, got only %s.", api, name, other_name,
            desc ? name : other_name);
  return MLUOP_STATUS_BAD_PARAM;
}

mluOpStatus_t moe_check_map_dtype(const char *api, mluOpTensorDescriptor_t routing_map_desc) {
  CHECK_DTYPE(api, routing_map_desc, MLUOP_DTYPE_INT8, MLUOP_DTYPE_BOOL);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t moe_check_map_limits(const char *api, mluOpTensorDescriptor_t routing_map_desc) {
  static const char *const what[] = {"tokens_num", "num_experts"};
  for (int axis = 0; axis < 2; ++axis) {
    if (routing_map_desc->dims[axis] < MAX_TOKENS_OR_EXPERTS) continue;
    LOG_ERROR("%s routing_map_desc: wanted dims[%d] (%s) less than %d, got %lld.", api, axis,
              what[axis], MAX_TOKENS_OR_EXPERTS, (long long)routing_map_desc->dims[axis]);
    return MLUOP_STATUS_BAD_PARAM;
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t moe_check_probs_dtype(const char *api, const char *name,
                                    mluOpTensorDescriptor_t probs_desc, const char *tokens_name,
                                    mluOpTensorDescriptor_t tokens_desc) {
  bool is_float_beside_bfloat16 =
      probs_desc->dtype == MLUOP_DTYPE_FLOAT && tokens_desc->dtype == MLUOP_DTYPE_BFLOAT16;
  if (is_float_beside_bfloat16) return MLUOP_STATUS_SUCCESS;
  return mluop_check_same_dtype(api, name, probs_desc, tokens_name, tokens_desc);
}

static mluOpStatus_t check_rows(const char *api, const char *name, int64_t rows) {
  return mluop_check_limit(api, name, "rows", (uint64_t)rows, LARGE_TENSOR_NUM,
                           "Rows are numbered in int32.");
}

mluOpStatus_t moe_check_row_limits(const char *api, const char *name, int64_t rows,
                                   int64_t rows_per_token) {
  MLUOP_RETURN_IF_FAILED(check_rows(api, name, rows));
  if (rows_per_token <= MOE_MAX_ROWS_PER_TOKEN) return MLUOP_STATUS_SUCCESS;
  LOG_ERROR("%s %s: wanted at most %d rows of one token without drop_and_pad, got %lld.", api, name,
            MOE_MAX_ROWS_PER_TOKEN, (long long)rows_per_token);
  return MLUOP_STATUS_NOT_SUPPORTED;
}

mluOpStatus_t moe_check_permuted_rows(const char *api, const char *rows_name,
                                      mluOpTensorDescriptor_t rows_desc,
                                      mluOpTensorDescriptor_t sorted_indices_desc,
                                      mluOpTensorDescriptor_t routing_map_desc, bool drop_and_pad,
                                      MoeTokenRowsArgs *args) {
  int64_t tokens_num = routing_map_desc->dims[0], num_experts = routing_map_desc->dims[1];
  int64_t rows = rows_desc->dims[0];
  int64_t groups = drop_and_pad ? num_experts : tokens_num;
  int64_t most = drop_and_pad ? tokens_num : num_experts;
  CHECK_DIM(api, sorted_indices_desc, 0, rows);
  if (rows > 0 && (groups == 0 || rows % groups != 0 || rows / groups > most)) {
    LOG_ERROR("%s %s dims[0]: wanted a multiple of %lld (%s) up to %lld times that, got %lld.", api,
              rows_name, (long long)groups, drop_and_pad ? "num_experts" : "tokens_num",
              (long long)most, (long long)rows);
    return MLUOP_STATUS_BAD_PARAM;
  }
  int64_t per_group = groups > 0 ? rows / groups : 0;
  args->tokens_num = tokens_num;
  args->num_experts = (int)num_experts;
  args->rows_num = rows;
  args->drop_and_pad = drop_and_pad;
  args->per_token = drop_and_pad ? 0 : (int)per_group;
  args->capacity = drop_and_pad ? per_group : 0;
  return MLUOP_STATUS_SUCCESS;
}

size_t moe_lists_bytes(int64_t rows, bool has_lists) {
  return has_lists ? (size_t)rows * sizeof(int32_t) : 0;
}

mluOpStatus_t moe_get_lists_bytes(const char *api, mluOpHandle_t handle,
                                  mluOpTensorDescriptor_t sorted_indices_desc, bool has_lists,
                                  size_t *workspace_size) {
  CHECK_HANDLE(api, handle);
  CHECK_ARCH(api, handle, MLUOP_MLU370);
  CHECK_DESC(api, sorted_indices_desc);
  CHECK_NOT_NULL(api, workspace_size);
  CHECK_RANK(api, sorted_indices_desc, 1);
  CHECK_DTYPE(api, sorted_indices_desc, MLUOP_DTYPE_INT32);
  CHECK_CONTIGUOUS(api, sorted_indices_desc);
  const int64_t rows = sorted_indices_desc->dims[0];
  MLUOP_RETURN_IF_FAILED(check_rows(api, "sorted_indices_desc", rows));
  *workspace_size = moe_lists_bytes(rows, has_lists);
  return MLUOP_STATUS_SUCCESS;
}

cnrtDim3_t moe_task_dim(mluOpHandle_t handle, size_t bytes, int64_t tokens_num) {
  return mluop_context_task_dim(handle, bytes, MIN_TASK_BYTES, tokens_num);
}
