/* SPDX-License-Identifier: MIT */
#include "core/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/env.h"
#include "core/tool.h"

#define TEXT_SIZE 256

void mluop_print_value(char *text, size_t size, mluopValue value) {
  char real[MLUOP_REAL_TEXT_SIZE];
  switch (value.kind) {
    case MLUOP_VALUE_INT:
    case MLUOP_VALUE_BOOL:
      snprintf(text, size, "%lld", value.as.i);
      break;
    case MLUOP_VALUE_UINT:
      snprintf(text, size, "%llu", value.as.u);
      break;
    case MLUOP_VALUE_REAL:
      snprintf(text, size, "%s", mluop_real_text(real, value.as.r));
      break;
    case MLUOP_VALUE_POINTER:
      if (value.as.p == NULL) {
        snprintf(text, size, "NULL");
      } else {
        snprintf(text, size, "0x%" PRIxPTR, (uintptr_t)value.as.p);
      }
      break;
  }
}

/* "[2, 3]" */
static void print_shape(char *text, size_t size, mluOpTensorDescriptor_t desc) {
  size_t used = (size_t)snprintf(text, size, "[");
  for (int i = 0; i < desc->dim && used < size; ++i) {
    used +=
        (size_t)snprintf(text + used, size - used, "%s%" PRId64, i > 0 ? ", " : "", desc->dims[i]);
  }
  if (used < size) snprintf(text + used, size - used, "]");
}

mluOpStatus_t mluop_fail_relation(const char *api, const char *left_text, const char *relation,
                                  const char *right_text, mluopValue left, mluopValue right) {
  char left_value[TEXT_SIZE], right_value[TEXT_SIZE];
  mluop_print_value(left_value, sizeof(left_value), left);
  mluop_print_value(right_value, sizeof(right_value), right);
  LOG_ERROR("%s Check failed: %s %s %s. Got %s and %s.", api, left_text, relation, right_text,
            left_value, right_value);
  return MLUOP_STATUS_BAD_PARAM;
}

mluOpStatus_t mluop_fail_value(const char *api, const char *name, mluopValue got,
                               const char *wanted, ...) {
  char wanted_text[TEXT_SIZE], got_text[TEXT_SIZE];
  va_list arguments;
  va_start(arguments, wanted);
  vsnprintf(wanted_text, sizeof(wanted_text), wanted, arguments);
  va_end(arguments);
  mluop_print_value(got_text, sizeof(got_text), got);
  LOG_ERROR("%s %s: wanted %s, got %s.", api, name, wanted_text, got_text);
  return MLUOP_STATUS_BAD_PARAM;
}

mluOpStatus_t mluop_fail_launch(const char *kernel, cnrtRet_t error) {
  LOG_ERROR("launch of %s failed: %s (%d).", kernel, cnrtGetErrorStr(error), (int)error);
  return MLUOP_STATUS_EXECUTION_FAILED;
}

mluOpStatus_t mluop_check_not_null(const char *api, const char *name, const volatile void *got) {
  if (got != NULL) return MLUOP_STATUS_SUCCESS;
  return mluop_fail_value(api, name, mluopValueOf(got), "not NULL");
}

mluOpStatus_t mluop_check_handle(const char *api, mluOpHandle_t handle) {
  if (handle != NULL && handle->life == MLUOP_CONTEXT_LIVE) return MLUOP_STATUS_SUCCESS;
  return mluop_fail_value(api, "handle", mluopValueOf(handle),
                          handle == NULL ? "not NULL" : "one that is not destroyed");
}

mluOpStatus_t mluop_check_arch(const char *api, mluOpHandle_t handle, mluOpDevType_t least) {
  if (handle->arch >= least) return MLUOP_STATUS_SUCCESS;
  LOG_ERROR("%s handle: wanted a device of architecture %d or newer, got %d (%s).", api, (int)least,
            (int)handle->arch, handle->device_name);
  return MLUOP_STATUS_ARCH_MISMATCH;
}

mluOpStatus_t mluop_check_bfloat16(const char *api, mluOpHandle_t handle, const char *name,
                                   mluOpTensorDescriptor_t desc) {
  if (desc->dtype != MLUOP_DTYPE_BFLOAT16 || handle->arch >= MLUOP_MLU590) {
    return MLUOP_STATUS_SUCCESS;
  }
  LOG_ERROR("%s %s: wanted another data type than DTYPE_BFLOAT16, which %s does not have.", api,
            name, handle->device_name);
  return MLUOP_STATUS_NOT_SUPPORTED;
}

static mluOpStatus_t check_layout(const char *api, const char *name, mluOpTensorDescriptor_t desc) {
  if (desc->layout == MLUOP_LAYOUT_ARRAY) return MLUOP_STATUS_SUCCESS;
  LOG_ERROR("%s %s: wanted layout LAYOUT_ARRAY, got %s.", api, name,
            mluOpGetNameOfTensorLayout(desc->layout));
  return MLUOP_STATUS_BAD_PARAM;
}

mluOpStatus_t mluop_check_rank(const char *api, const char *name, mluOpTensorDescriptor_t desc,
                               int least, int most) {
  if (desc->dim >= least && desc->dim <= most) return check_layout(api, name, desc);
  if (least == most) {
    LOG_ERROR("%s %s: wanted %d dimensions, got %d.", api, name, least, desc->dim);
  } else {
    LOG_ERROR("%s %s: wanted %d to %d dimensions, got %d.", api, name, least, most, desc->dim);
  }
  return MLUOP_STATUS_BAD_PARAM;
}

mluOpStatus_t mluop_check_dtype(const char *api, const char *name, mluOpTensorDescriptor_t desc,
                                int count, const mluOpDataType_t *dtypes) {
  for (int i = 0; i < count; ++i) {
    if (desc->dtype == dtypes[i]) return MLUOP_STATUS_SUCCESS;
  }
  char wanted[TEXT_SIZE] = "";
  size_t used = 0;
  for (int i = 0; i < count && used < sizeof(wanted); ++i) {
    used += (size_t)snprintf(wanted + used, sizeof(wanted) - used, "%s%s", i > 0 ? " or " : "",
                             mluOpGetNameOfDataType(dtypes[i]));
  }
  LOG_ERROR("%s %s: wanted data type %s, got %s.", api, name, wanted,
            mluOpGetNameOfDataType(desc->dtype));
  return MLUOP_STATUS_BAD_PARAM;
}

mluOpStatus_t mluop_check_same_dtype(const char *api, const char *name,
                                     mluOpTensorDescriptor_t desc, const char *other_name,
                                     mluOpTensorDescriptor_t other) {
  if (desc->dtype == other->dtype) return MLUOP_STATUS_SUCCESS;
  LOG_ERROR("%s %s: wanted data type %s as in %s, got %s.", api, name,
            mluOpGetNameOfDataType(other->dtype), other_name, mluOpGetNameOfDataType(desc->dtype));
  return MLUOP_STATUS_BAD_PARAM;
}

mluOpStatus_t mluop_check_dim(const char *api, const char *name, mluOpTensorDescriptor_t desc,
                              int axis, const char *wanted_text, int64_t wanted) {
  if (desc->dims[axis] == wanted) return MLUOP_STATUS_SUCCESS;
  /* A cast only prevents overflow, so messages leave it out. */
  static const char cast[] = "(int64_t)";
  if (strncmp(wanted_text, cast, sizeof(cast) - 1) == 0) wanted_text += sizeof(cast) - 1;
  char number[TEXT_SIZE];
  snprintf(number, sizeof(number), "%" PRId64, wanted);
  const bool is_literal = strcmp(number, wanted_text) == 0;
  LOG_ERROR("%s %s: wanted dims[%d] %s%s%s%s, got %" PRId64 ".", api, name, axis, number,
            is_literal ? "" : " (", is_literal ? "" : wanted_text, is_literal ? "" : ")",
            desc->dims[axis]);
  return MLUOP_STATUS_BAD_PARAM;
}

mluOpStatus_t mluop_check_same_shape(const char *api, const char *name,
                                     mluOpTensorDescriptor_t desc, const char *other_name,
                                     mluOpTensorDescriptor_t other) {
  const size_t bytes = (size_t)desc->dim * sizeof(int64_t);
  if (desc->dim == other->dim && (bytes == 0 || memcmp(desc->dims, other->dims, bytes) == 0)) {
    return MLUOP_STATUS_SUCCESS;
  }
  char got[TEXT_SIZE], wanted[TEXT_SIZE];
  print_shape(got, sizeof(got), desc);
  print_shape(wanted, sizeof(wanted), other);
  LOG_ERROR("%s %s: wanted shape %s as in %s, got %s.", api, name, wanted, other_name, got);
  return MLUOP_STATUS_BAD_PARAM;
}

mluOpStatus_t mluop_check_contiguous(const char *api, const char *name,
                                     mluOpTensorDescriptor_t desc, const char *reason) {
  if (desc == NULL || desc->total_num == 0 || !mluop_tensor_is_strided(desc)) {
    return MLUOP_STATUS_SUCCESS;
  }
  /* The first axis, from the fastest, whose stride leaves a gap or an overlap. */
  int axis = desc->dim - 1;
  int64_t wanted = 1;
  for (; axis > 0 && (desc->dims[axis] == 1 || desc->strides[axis] == wanted); --axis) {
    wanted *= desc->dims[axis];
  }
  LOG_ERROR("%s %s: wanted strides[%d] %" PRId64 ", got %" PRId64 "; %s.", api, name, axis, wanted,
            desc->strides[axis], reason);
  return MLUOP_STATUS_NOT_SUPPORTED;
}

mluOpStatus_t mluop_check_rows(const char *api, const char *name, mluOpTensorDescriptor_t desc) {
  const int64_t columns = desc->dims[1];
  const bool is_row_contiguous = columns <= 1 || desc->strides[1] == 1;
  const bool is_apart = desc->dims[0] <= 1 || desc->strides[0] >= columns;
  if (is_row_contiguous && is_apart) return MLUOP_STATUS_SUCCESS;
  LOG_ERROR("%s %s: wanted contiguous rows that do not overlap, got strides [%" PRId64 ", %" PRId64
            "].",
            api, name, desc->strides[0], desc->strides[1]);
  return MLUOP_STATUS_NOT_SUPPORTED;
}

mluOpStatus_t mluop_check_limit(const char *api, const char *name, const char *what, uint64_t got,
                                uint64_t limit, const char *reason) {
  if (got < limit) return MLUOP_STATUS_SUCCESS;
  LOG_ERROR("%s %s: wanted at most %" PRIu64 " %s, got %" PRIu64 ". %s", api, name, limit - 1, what,
            got, reason);
  return MLUOP_STATUS_NOT_SUPPORTED;
}

mluOpStatus_t mluop_check_dims_limit(const char *api, const char *name,
                                     mluOpTensorDescriptor_t desc, uint64_t limit,
                                     const char *reason) {
  for (int i = 0; i < desc->dim; ++i) {
    const mluOpStatus_t status = mluop_check_limit(api, name, "elements in a dimension",
                                                   (uint64_t)desc->dims[i], limit, reason);
    if (status != MLUOP_STATUS_SUCCESS) return status;
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t mluop_check_large_tensor(const char *api, const char *name,
                                       mluOpTensorDescriptor_t desc) {
  if (desc == NULL) return MLUOP_STATUS_SUCCESS;
  if (mluop_env_bool(MLUOP_ENV_CHECK_DIM_SIZE)) {
    return mluop_check_dims_limit(api, name, desc, LARGE_TENSOR_NUM, "");
  }
  return mluop_check_limit(api, name, "elements", (uint64_t)desc->total_num, LARGE_TENSOR_NUM, "");
}

mluOpStatus_t mluop_check_optional(const char *api, const char *name, const void *data,
                                   mluOpTensorDescriptor_t desc) {
  const bool is_empty = desc != NULL && desc->total_num == 0;
  if (is_empty || (desc == NULL) == (data == NULL)) return MLUOP_STATUS_SUCCESS;
  LOG_ERROR("%s %s: wanted both its descriptor and its data or none of them, got only the %s.", api,
            name, desc != NULL ? "descriptor" : "data");
  return MLUOP_STATUS_BAD_PARAM;
}

static bool are_apart(const mluopOperand *a, const mluopOperand *b) {
  const uintptr_t begin = (uintptr_t)a->data, other = (uintptr_t)b->data;
  return a->bytes == 0 || b->bytes == 0 ||
         (begin < other ? other - begin >= a->bytes : begin - other >= b->bytes);
}

mluOpStatus_t mluop_check_apart(const char *api, const mluopOperand *operands, int count) {
  for (int i = 0; i < count; ++i) {
    for (int j = 0; operands[i].is_written && j < count; ++j) {
      const mluopOperand *other = &operands[j];
      const bool is_compared = j < i && other->is_written; /* already, as the pair (j, i) */
      if (j == i || is_compared || are_apart(&operands[i], other)) continue;
      return mluop_fail_value(api, operands[i].name, mluopValueOf(operands[i].data),
                              "memory that does not overlap the %zu bytes of %s at 0x%" PRIxPTR,
                              other->bytes, other->name, (uintptr_t)other->data);
    }
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t mluop_check_workspace(const char *api, const void *workspace, size_t workspace_size,
                                    size_t needed) {
  if (workspace_size < needed) {
    LOG_ERROR("%s workspace_size: wanted at least %zu, got %zu.", api, needed, workspace_size);
    return MLUOP_STATUS_BAD_PARAM;
  }
  if (workspace_size > 0) return mluop_check_not_null(api, "workspace", workspace);
  return MLUOP_STATUS_SUCCESS;
}

bool mluop_any_tensor_empty(const char *api, int count, ...) {
  bool is_found = false;
  va_list descs;
  va_start(descs, count);
  for (int i = 0; i < count && !is_found; ++i) {
    const mluOpTensorDescriptor_t desc = va_arg(descs, mluOpTensorDescriptor_t);
    is_found = desc != NULL && desc->total_num == 0;
  }
  va_end(descs);
  if (is_found) VLOG(5, "%s Skip zero element tensor.", api);
  return is_found;
}
