/* SPDX-License-Identifier: MIT */
#include "core/tensor_rules.h"

#include <stdio.h>

#include "core/context.h"
#include "core/logging.h"

typedef mluOpStatus_t (*RowCheck)(const mluopTensors *tensors, int row);

static bool is_chosen(const mluopTensors *tensors, unsigned rows, int row) {
  const bool is_optional = tensors->table->rules[row].is_optional;
  return (rows & (1u << row | (is_optional ? MLUOP_OPTIONAL_ROWS : MLUOP_REQUIRED_ROWS))) != 0;
}

static mluOpStatus_t check_rows(const mluopTensors *tensors, unsigned rows, RowCheck check) {
  for (int row = 0; row < tensors->table->count; ++row) {
    if (is_chosen(tensors, rows, row)) MLUOP_RETURN_IF_FAILED(check(tensors, row));
  }
  return MLUOP_STATUS_SUCCESS;
}

/* The same without absent tensors. */
static mluOpStatus_t check_descs(const mluopTensors *tensors, unsigned rows, RowCheck check) {
  for (int row = 0; row < tensors->table->count; ++row) {
    if (tensors->tensor[row].desc == NULL || !is_chosen(tensors, rows, row)) continue;
    MLUOP_RETURN_IF_FAILED(check(tensors, row));
  }
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_handle(const mluopTensors *tensors) {
  CHECK_HANDLE(tensors->api, tensors->handle);
  CHECK_ARCH(tensors->api, tensors->handle, MLUOP_MLU370);
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_given(const mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  if (rule->is_optional) return MLUOP_STATUS_SUCCESS;
  return mluop_check_not_null(tensors->api, rule->desc_name, tensors->tensor[row].desc);
}

static mluOpStatus_t check_together(const mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  if (rule->comes_with == 0) return MLUOP_STATUS_SUCCESS;
  const int other = rule->comes_with - 1;
  const bool is_given = tensors->tensor[row].desc != NULL;
  if (is_given == (tensors->tensor[other].desc != NULL)) return MLUOP_STATUS_SUCCESS;
  const char *other_name = tensors->table->rules[other].desc_name;
  LOG_ERROR("%s %s and %s: wanted both or none, got only %s.", tensors->api, other_name,
            rule->desc_name, is_given ? rule->desc_name : other_name);
  return MLUOP_STATUS_BAD_PARAM;
}

static mluOpStatus_t check_rank(const mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  const mluOpTensorDescriptor_t desc = tensors->tensor[row].desc;
  const int least = rule->rank, most = rule->rank > 0 ? rule->rank : INT32_MAX;
  return mluop_check_rank(tensors->api, rule->desc_name, desc, least, most);
}

static mluOpStatus_t check_listed_type(const mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  mluOpDataType_t types[MLUOP_MAX_TENSOR_TYPES];
  int count = 0;
  for (; count < MLUOP_MAX_TENSOR_TYPES && rule->types[count] != MLUOP_DTYPE_INVALID; ++count) {
    types[count] = (mluOpDataType_t)rule->types[count];
  }
  return mluop_check_dtype(tensors->api, rule->desc_name, tensors->tensor[row].desc, count, types);
}

static mluOpStatus_t check_type(const mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  if (rule->type_of == 0) return check_listed_type(tensors, row);
  const int other = rule->type_of - 1;
  const mluOpTensorDescriptor_t desc = tensors->tensor[row].desc;
  const mluOpTensorDescriptor_t other_desc = tensors->tensor[other].desc;
  if (rule->may_be_wider && desc->dtype == MLUOP_DTYPE_FLOAT &&
      other_desc->dtype == MLUOP_DTYPE_BFLOAT16) {
    return MLUOP_STATUS_SUCCESS;
  }
  return mluop_check_same_dtype(tensors->api, rule->desc_name, desc,
                                tensors->table->rules[other].desc_name, other_desc);
}

static mluOpStatus_t check_same_type(const mluopTensors *tensors, int row) {
  return tensors->table->rules[row].type_of > 0 ? check_type(tensors, row) : MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_bfloat16(const mluopTensors *tensors) {
  const int base = tensors->table->base;
  return mluop_check_bfloat16(tensors->api, tensors->handle, tensors->table->rules[base].desc_name,
                              tensors->tensor[base].desc);
}

/* Writes the size that a rule wants and how the rule says it; false: any will do. */
static bool wanted_size(const mluopTensors *tensors, int dim, int64_t *size, char *text,
                        size_t text_size) {
  if (dim == MLUOP_ANY) return false;
  if (dim == MLUOP_ONE) {
    *size = 1;
    snprintf(text, text_size, "1");
  } else if (dim < MLUOP_MAX_SIZES) {
    *size = tensors->sizes[dim];
    snprintf(text, text_size, "%s", tensors->table->size_names[dim]);
  } else {
    const int other = MLUOP_ROW_OF_DIM(dim), axis = MLUOP_AXIS_OF_DIM(dim);
    *size = tensors->tensor[other].desc->dims[axis];
    snprintf(text, text_size, "%s->dims[%d]", tensors->table->rules[other].desc_name, axis);
  }
  return true;
}

static mluOpStatus_t check_dim(const mluopTensors *tensors, int row, int axis) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  char text[64];
  int64_t wanted = 0;
  if (!wanted_size(tensors, rule->dims[axis], &wanted, text, sizeof(text))) {
    return MLUOP_STATUS_SUCCESS;
  }
  return mluop_check_dim(tensors->api, rule->desc_name, tensors->tensor[row].desc, axis, text,
                         wanted);
}

static mluOpStatus_t check_shape(const mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  if (rule->shape_of > 0) {
    const int other = rule->shape_of - 1;
    return mluop_check_same_shape(tensors->api, rule->desc_name, tensors->tensor[row].desc,
                                  tensors->table->rules[other].desc_name,
                                  tensors->tensor[other].desc);
  }
  for (int axis = 0; axis < rule->rank; ++axis) {
    MLUOP_RETURN_IF_FAILED(check_dim(tensors, row, axis));
  }
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_not_empty(const mluopTensors *tensors, int row) {
  if (tensors->tensor[row].desc->total_num > 0) return MLUOP_STATUS_SUCCESS;
  LOG_ERROR("%s %s: wanted at least one element, got none.", tensors->api,
            tensors->table->rules[row].desc_name);
  return MLUOP_STATUS_BAD_PARAM;
}

static mluOpStatus_t check_layout(const mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  const mluOpTensorDescriptor_t desc = tensors->tensor[row].desc;
  if (rule->has_spaced_rows) return mluop_check_rows(tensors->api, rule->desc_name, desc);
  return mluop_check_contiguous(tensors->api, rule->desc_name, desc, "must be contiguous");
}

static mluOpStatus_t check_large(const mluopTensors *tensors, int row) {
  return mluop_check_large_tensor(tensors->api, tensors->table->rules[row].desc_name,
                                  tensors->tensor[row].desc);
}

static mluOpStatus_t check_data(const mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  const void *data = tensors->tensor[row].data;
  if (!rule->is_optional) return mluop_check_not_null(tensors->api, rule->data_name, data);
  return mluop_check_optional(tensors->api, rule->data_name, data, tensors->tensor[row].desc);
}

static int add_operands(const mluopTensors *tensors, unsigned rows, bool is_written, int count,
                        mluopOperand *operands) {
  for (int row = 0; row < tensors->table->count; ++row) {
    const mluopTensorRule *rule = &tensors->table->rules[row];
    if ((rule->role != MLUOP_ROLE_IN) != is_written || !is_chosen(tensors, rows, row)) continue;
    operands[count++] = (mluopOperand){rule->data_name, tensors->tensor[row].data,
                                       mluop_optional_bytes(tensors->tensor[row].desc), is_written};
  }
  return count;
}

/* What is written comes first: of several overlaps, one with an output is reported. */
static mluOpStatus_t check_apart(const mluopTensors *tensors, unsigned rows) {
  mluopOperand operands[MLUOP_MAX_TENSORS + 1];
  int count = add_operands(tensors, rows, true, 0, operands);
  operands[count++] =
      (mluopOperand){"workspace", tensors->workspace, tensors->workspace_bytes, true};
  count = add_operands(tensors, rows, false, count, operands);
  return mluop_check_apart(tensors->api, operands, count);
}

static mluOpStatus_t check_tensors(const mluopTensors *tensors, unsigned rows,
                                   mluopTensorCheck check) {
  switch (check) {
    case MLUOP_CHECK_HANDLE:
      return check_handle(tensors);
    case MLUOP_CHECK_PRESENT:
      MLUOP_RETURN_IF_FAILED(check_rows(tensors, rows, check_given));
      return check_rows(tensors, rows, check_together);
    case MLUOP_CHECK_RANK:
      return check_descs(tensors, rows, check_rank);
    case MLUOP_CHECK_BASE_TYPE:
      return check_type(tensors, tensors->table->base);
    case MLUOP_CHECK_BFLOAT16:
      return check_bfloat16(tensors);
    case MLUOP_CHECK_SAME_TYPE:
      return check_descs(tensors, rows, check_same_type);
    case MLUOP_CHECK_TYPE:
      return check_descs(tensors, rows, check_type);
    case MLUOP_CHECK_SHAPE:
      return check_descs(tensors, rows, check_shape);
    case MLUOP_CHECK_NOT_EMPTY:
      return check_descs(tensors, rows, check_not_empty);
    case MLUOP_CHECK_LAYOUT:
      return check_descs(tensors, rows, check_layout);
    case MLUOP_CHECK_LARGE:
      return check_descs(tensors, rows, check_large);
    case MLUOP_CHECK_DATA:
      return check_rows(tensors, rows, check_data);
    case MLUOP_CHECK_APART:
      return check_apart(tensors, rows);
  }
  return MLUOP_STATUS_INTERNAL_ERROR;
}

static mluOpStatus_t check_in_order(const mluopTensors *tensors, unsigned rows, int count,
                                    const mluopTensorCheck *checks) {
  for (int i = 0; i < count; ++i) {
    MLUOP_RETURN_IF_FAILED(check_tensors(tensors, rows, checks[i]));
  }
  return MLUOP_STATUS_SUCCESS;
}

/* ---- one pass for right calls ---- */

/* Nearly all calls are right, and the order of checks matters for wrong ones only. So one pass over
 * the rows asks what suffices for every check to succeed. Where it does not, the checks decide. */

#define BIT(check) (1u << MLUOP_CHECK_##check)
#define BASE_CHECKS (BIT(BASE_TYPE) | BIT(BFLOAT16))
#define DESC_CHECKS \
  (BIT(RANK) | BIT(SAME_TYPE) | BIT(TYPE) | BIT(SHAPE) | BIT(NOT_EMPTY) | BIT(LAYOUT) | BIT(LARGE))

static bool has(unsigned checks, mluopTensorCheck check) {
  return (checks >> check & 1) != 0;
}

static bool has_type(const mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  const mluOpDataType_t dtype = tensors->tensor[row].desc->dtype;
  if (rule->type_of > 0) {
    const mluOpTensorDescriptor_t other = tensors->tensor[rule->type_of - 1].desc;
    return other != NULL && dtype == other->dtype;
  }
  for (int i = 0; i < MLUOP_MAX_TENSOR_TYPES; ++i) {
    if (dtype == rule->types[i]) return dtype != MLUOP_DTYPE_INVALID;
  }
  return false;
}

static bool has_size(const mluopTensors *tensors, int dim, int64_t size) {
  if (dim < 0) return dim == MLUOP_ANY || size == 1;
  if (dim < MLUOP_MAX_SIZES) return size == tensors->sizes[dim];
  const mluOpTensorDescriptor_t other = tensors->tensor[MLUOP_ROW_OF_DIM(dim)].desc;
  const int axis = MLUOP_AXIS_OF_DIM(dim);
  return other != NULL && other->dim > axis && size == other->dims[axis];
}

static bool has_same_shape(mluOpTensorDescriptor_t desc, mluOpTensorDescriptor_t other) {
  if (other == NULL || desc->dim != other->dim) return false;
  for (int axis = 0; axis < desc->dim; ++axis) {
    if (desc->dims[axis] != other->dims[axis]) return false;
  }
  return true;
}

static bool has_shape(const mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  const mluOpTensorDescriptor_t desc = tensors->tensor[row].desc;
  if (rule->shape_of > 0) return has_same_shape(desc, tensors->tensor[rule->shape_of - 1].desc);
  for (int axis = 0; axis < rule->rank; ++axis) {
    if (!has_size(tensors, rule->dims[axis], desc->dims[axis])) return false;
  }
  return true;
}

static bool has_layout(const mluopTensorRule *rule, mluOpTensorDescriptor_t desc) {
  if (desc->total_num == 0) return false; /* products of its sizes may be too large */
  int axis = desc->dim - 1;
  int64_t stride = 1;
  for (; axis > (rule->has_spaced_rows ? 0 : -1); --axis) {
    if (desc->strides[axis] != stride) return false;
    stride *= desc->dims[axis];
  }
  return axis < 0 || desc->strides[axis] >= stride;
}

/* The checks of descriptors; the rank is known where others are asked for. */
static bool is_desc_right(const mluopTensors *tensors, int row, unsigned checks) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  const mluOpTensorDescriptor_t desc = tensors->tensor[row].desc;
  if (desc->dim != rule->rank || desc->layout != MLUOP_LAYOUT_ARRAY) {
    if (rule->rank > 0 || has(checks, MLUOP_CHECK_RANK)) return false;
  }
  if ((checks & (BIT(SAME_TYPE) | BIT(TYPE))) != 0 && !has_type(tensors, row)) return false;
  if (has(checks, MLUOP_CHECK_SHAPE) && !has_shape(tensors, row)) return false;
  if (has(checks, MLUOP_CHECK_NOT_EMPTY) && desc->total_num == 0) return false;
  if (has(checks, MLUOP_CHECK_LAYOUT) && !has_layout(rule, desc)) return false;
  return !has(checks, MLUOP_CHECK_LARGE) ||
         (desc->total_num > 0 && (uint64_t)desc->total_num < LARGE_TENSOR_NUM);
}

static bool is_right(const mluopTensors *tensors, int row, unsigned checks) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  const void *data = tensors->tensor[row].data;
  const bool is_given = tensors->tensor[row].desc != NULL;
  if (has(checks, MLUOP_CHECK_PRESENT) && rule->comes_with > 0 &&
      is_given != (tensors->tensor[rule->comes_with - 1].desc != NULL)) {
    return false;
  }
  if (!is_given) return rule->is_optional && data == NULL;
  if (has(checks, MLUOP_CHECK_DATA) && data == NULL) return false;
  return (checks & DESC_CHECKS) == 0 || is_desc_right(tensors, row, checks);
}

static bool is_base_right(const mluopTensors *tensors, unsigned checks) {
  const int base = tensors->table->base;
  const mluOpTensorDescriptor_t desc = tensors->tensor[base].desc;
  if (desc == NULL || (has(checks, MLUOP_CHECK_BASE_TYPE) && !has_type(tensors, base)))
    return false;
  return !has(checks, MLUOP_CHECK_BFLOAT16) || desc->dtype != MLUOP_DTYPE_BFLOAT16;
}

static bool is_handle_right(mluOpHandle_t handle) {
  return handle != NULL && handle->life == MLUOP_CONTEXT_LIVE && handle->arch >= MLUOP_MLU370;
}

static bool are_right(const mluopTensors *tensors, unsigned rows, unsigned checks) {
  if (has(checks, MLUOP_CHECK_HANDLE) && !is_handle_right(tensors->handle)) return false;
  if ((checks & BASE_CHECKS) != 0 && !is_base_right(tensors, checks)) return false;
  if ((checks & ~(BASE_CHECKS | BIT(HANDLE) | BIT(APART))) == 0) return true;
  const bool is_by_kind = (rows & (MLUOP_REQUIRED_ROWS | MLUOP_OPTIONAL_ROWS)) != 0;
  unsigned left = (is_by_kind ? MLUOP_ALL : rows) & ((1u << tensors->table->count) - 1);
  for (; left != 0; left &= left - 1) {
    const int row = __builtin_ctz(left);
    if (is_by_kind && !is_chosen(tensors, rows, row)) continue;
    if (!is_right(tensors, row, checks)) return false;
  }
  return true;
}

mluOpStatus_t mluop_check_tensors(const mluopTensors *tensors, unsigned rows, unsigned bits,
                                  int count, const mluopTensorCheck *checks) {
  if (!are_right(tensors, rows, bits)) return check_in_order(tensors, rows, count, checks);
  return has(bits, MLUOP_CHECK_APART) ? check_apart(tensors, rows) : MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t mluop_check_tensor_workspace(mluopTensors *tensors, const void *workspace,
                                           size_t workspace_size, size_t needed) {
  tensors->workspace = workspace;
  tensors->workspace_bytes = needed;
  return mluop_check_workspace(tensors->api, workspace, workspace_size, needed);
}

/* ---- records ---- */

/* An operator that works in place has one memory for an input and an output: once is enough. */
static bool is_also_input(const mluopTensors *tensors, const void *data) {
  for (int row = 0; row < tensors->table->count; ++row) {
    if (tensors->table->rules[row].role == MLUOP_ROLE_IN && tensors->tensor[row].data == data) {
      return true;
    }
  }
  return false;
}

static mluopGenCaseRandom random_of(const mluopTensors *tensors, const mluopTensorRule *rule) {
  if (rule->random_below == 0) return rule->random;
  return genCaseReal(0, (double)tensors->sizes[rule->random_below - 1] - 1);
}

static bool is_recorded(const mluopTensors *tensors, int row) {
  return tensors->tensor[row].desc != NULL || !tensors->table->rules[row].is_left_out;
}

static void record_input(mluopGenCase *gen_case, const mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  const void *data = tensors->tensor[row].data;
  if (rule->role == MLUOP_ROLE_OUT) return;
  if (rule->role == MLUOP_ROLE_UPDATED && is_also_input(tensors, data)) return;
  genCaseInput(gen_case, rule->data_name, tensors->tensor[row].desc, data,
               random_of(tensors, rule));
}

static void record_output(mluopGenCase *gen_case, const mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  if (rule->role == MLUOP_ROLE_IN) return;
  genCaseOutput(gen_case, rule->data_name, tensors->tensor[row].desc, tensors->tensor[row].data);
}

void mluop_record_tensors(mluopGenCase *gen_case, const mluopTensors *tensors) {
  for (int row = 0; row < tensors->table->count; ++row) {
    if (is_recorded(tensors, row)) record_input(gen_case, tensors, row);
  }
  for (int row = 0; row < tensors->table->count; ++row) {
    if (is_recorded(tensors, row)) record_output(gen_case, tensors, row);
  }
}

void mluop_record_criteria(mluopGenCase *gen_case, const mluopTensors *tensors) {
  const double tolerance = tensors->table->tolerance;
  if (tolerance == 0) {
    genCaseTestParam(gen_case, "DIFF3", 0);
  } else {
    genCaseTestParam(gen_case, "DIFF1", tolerance);
    genCaseTestParam(gen_case, "DIFF2", tolerance);
  }
  genCaseWrite(gen_case);
}
