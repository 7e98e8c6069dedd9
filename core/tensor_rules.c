/* SPDX-License-Identifier: MIT */
#include "core/tensor_rules.h"

#include <stdio.h>

#include "core/context.h"
#include "core/logging.h"

typedef mluOpStatus_t (*RowCheck)(const mluopTensors *tensors, int row);

/* The rows of the table that `rows` selects, as bits. */
static unsigned rows_of(const mluopTensors *tensors, unsigned rows) {
  const unsigned all = (1u << tensors->table->count) - 1;
  if ((rows & (MLUOP_REQUIRED_ROWS | MLUOP_OPTIONAL_ROWS)) == 0) return rows & all;
  unsigned found = rows & all;
  for (int row = 0; row < tensors->table->count; ++row) {
    const bool is_optional = tensors->table->rules[row].is_optional;
    if ((rows & (is_optional ? MLUOP_OPTIONAL_ROWS : MLUOP_REQUIRED_ROWS)) != 0) found |= 1u << row;
  }
  return found;
}

static mluOpStatus_t check_rows(const mluopTensors *tensors, unsigned rows, RowCheck check) {
  for (; rows != 0; rows &= rows - 1) {
    MLUOP_RETURN_IF_FAILED(check(tensors, __builtin_ctz(rows)));
  }
  return MLUOP_STATUS_SUCCESS;
}

/* The same, but skips absent tensors. */
static mluOpStatus_t check_descs(const mluopTensors *tensors, unsigned rows, RowCheck check) {
  for (; rows != 0; rows &= rows - 1) {
    const int row = __builtin_ctz(rows);
    if (tensors->tensor[row].desc != NULL) MLUOP_RETURN_IF_FAILED(check(tensors, row));
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

/* The size that a rule requires for a dimension; `dim` is not MLUOP_ANY. */
static int64_t wanted_size(const mluopTensors *tensors, int dim) {
  if (dim == MLUOP_ONE) return 1;
  if (dim < MLUOP_MAX_SIZES) return tensors->sizes[dim];
  return tensors->tensor[MLUOP_ROW_OF_DIM(dim)].desc->dims[MLUOP_AXIS_OF_DIM(dim)];
}

static mluOpStatus_t check_dim(const mluopTensors *tensors, int row, int axis) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  const mluOpTensorDescriptor_t desc = tensors->tensor[row].desc;
  const int dim = rule->dims[axis];
  if (dim == MLUOP_ANY) return MLUOP_STATUS_SUCCESS;
  const int64_t wanted = wanted_size(tensors, dim);
  if (desc->dims[axis] == wanted) return MLUOP_STATUS_SUCCESS;
  char text[64] = "1";
  if (dim >= MLUOP_MAX_SIZES) {
    snprintf(text, sizeof(text), "%s->dims[%d]",
             tensors->table->rules[MLUOP_ROW_OF_DIM(dim)].desc_name, MLUOP_AXIS_OF_DIM(dim));
  } else if (dim != MLUOP_ONE) {
    snprintf(text, sizeof(text), "%s", tensors->table->size_names[dim]);
  }
  return mluop_check_dim(tensors->api, rule->desc_name, desc, axis, text, wanted);
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
  for (; rows != 0; rows &= rows - 1) {
    const int row = __builtin_ctz(rows);
    const mluopTensorRule *rule = &tensors->table->rules[row];
    if ((rule->role != MLUOP_ROLE_IN) != is_written) continue;
    operands[count++] = (mluopOperand){rule->data_name, tensors->tensor[row].data,
                                       mluop_optional_bytes(tensors->tensor[row].desc), is_written};
  }
  return count;
}

/* Written operands come first, so that of several overlaps one with an output is reported. */
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

/* ---- one pass for correct calls ---- */

/* Nearly all calls are correct, and the order of checks matters only for wrong ones. So the first
 * check surveys all rows once and settles the checks that every row passes. Checks that are not
 * settled are done later, one by one in order, and may still succeed. */

#define BIT(check) (1u << MLUOP_CHECK_##check)
#define SHAPES_BUT_SIZES (1u << 30) /* in `settled`: all shapes are right except rows_by_size */
#define CHECKS_OF_TYPE (BIT(BASE_TYPE) | BIT(SAME_TYPE) | BIT(TYPE))
#define CHECKS_OF_SIZE (BIT(NOT_EMPTY) | BIT(LAYOUT) | BIT(LARGE))
#define CHECKS_OF_DESC (BIT(RANK) | CHECKS_OF_TYPE | BIT(SHAPE) | CHECKS_OF_SIZE)

static bool has_type(const mluopTensors *tensors, const mluopTensorRule *rule,
                     mluOpDataType_t dtype) {
  if (rule->type_of > 0) {
    const mluOpTensorDescriptor_t other = tensors->tensor[rule->type_of - 1].desc;
    return other != NULL && dtype == other->dtype;
  }
  return (unsigned)dtype < 32 && (rule->type_bits >> dtype & 1) != 0;
}

static bool has_same_shape(mluOpTensorDescriptor_t desc, mluOpTensorDescriptor_t other) {
  if (other == NULL || desc->dim != other->dim) return false;
  for (int axis = 0; axis < desc->dim; ++axis) {
    if (desc->dims[axis] != other->dims[axis]) return false;
  }
  return true;
}

/* True if all dimensions that do not depend on `sizes` are right. Sets *is_by_size if a dimension
 * depends on `sizes`. */
static bool has_shape(const mluopTensors *tensors, const mluopTensorRule *rule,
                      mluOpTensorDescriptor_t desc, bool *is_by_size) {
  if (rule->shape_of > 0) return has_same_shape(desc, tensors->tensor[rule->shape_of - 1].desc);
  for (int axis = 0; axis < rule->rank; ++axis) {
    const int dim = rule->dims[axis];
    if (dim == MLUOP_ANY) continue;
    if (dim >= MLUOP_MAX_SIZES) {
      const mluOpTensorDescriptor_t other = tensors->tensor[MLUOP_ROW_OF_DIM(dim)].desc;
      const int other_axis = MLUOP_AXIS_OF_DIM(dim);
      if (other == NULL || other->dim <= other_axis) return false;
      if (desc->dims[axis] != other->dims[other_axis]) return false;
    } else if (dim != MLUOP_ONE) {
      *is_by_size = true;
    } else if (desc->dims[axis] != 1) {
      return false;
    }
  }
  return true;
}

/* Only for a tensor with elements: the products of an empty tensor's sizes may overflow. */
static bool has_layout(const mluopTensorRule *rule, mluOpTensorDescriptor_t desc) {
  int axis = desc->dim - 1;
  int64_t stride = 1;
  for (; axis > (rule->has_spaced_rows ? 0 : -1); --axis) {
    if (desc->strides[axis] != stride) return false;
    stride *= desc->dims[axis];
  }
  return axis < 0 || desc->strides[axis] >= stride;
}

/* Bits of the checks that the descriptor may fail. */
static unsigned survey_desc(mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  const mluOpTensorDescriptor_t desc = tensors->tensor[row].desc;
  if (desc->layout != MLUOP_LAYOUT_ARRAY || (rule->rank > 0 && desc->dim != rule->rank)) {
    return CHECKS_OF_DESC; /* the other checks need the rank */
  }
  unsigned unsettled = 0;
  bool is_by_size = false;
  if (!has_type(tensors, rule, desc->dtype)) unsettled |= CHECKS_OF_TYPE;
  if (!has_shape(tensors, rule, desc, &is_by_size)) unsettled |= BIT(SHAPE);
  if (is_by_size) tensors->rows_by_size |= 1u << row;
  if (desc->total_num == 0) return unsettled | CHECKS_OF_SIZE;
  if (!has_layout(rule, desc)) unsettled |= BIT(LAYOUT);
  if ((uint64_t)desc->total_num >= LARGE_TENSOR_NUM) unsettled |= BIT(LARGE);
  return unsettled;
}

static unsigned survey_row(mluopTensors *tensors, int row) {
  const mluopTensorRule *rule = &tensors->table->rules[row];
  const bool is_given = tensors->tensor[row].desc != NULL;
  const bool has_data = tensors->tensor[row].data != NULL;
  unsigned unsettled = has_data == is_given ? 0 : BIT(DATA);
  if (!is_given && !rule->is_optional) unsettled |= BIT(PRESENT) | BIT(DATA);
  if (rule->comes_with > 0 && is_given != (tensors->tensor[rule->comes_with - 1].desc != NULL)) {
    unsettled |= BIT(PRESENT);
  }
  return is_given ? unsettled | survey_desc(tensors, row) : unsettled;
}

static unsigned survey_handle(const mluopTensors *tensors) {
  const mluOpHandle_t handle = tensors->handle;
  const mluOpTensorDescriptor_t base = tensors->tensor[tensors->table->base].desc;
  if (handle == NULL || handle->life != MLUOP_CONTEXT_LIVE || handle->arch < MLUOP_MLU370) {
    return BIT(HANDLE) | BIT(BFLOAT16);
  }
  const bool has_bfloat16 = handle->arch >= MLUOP_MLU590;
  if (base == NULL) return BIT(BASE_TYPE) | BIT(BFLOAT16);
  return has_bfloat16 || base->dtype != MLUOP_DTYPE_BFLOAT16 ? 0 : BIT(BFLOAT16);
}

static void survey(mluopTensors *tensors) {
  unsigned unsettled = BIT(APART) | survey_handle(tensors);
  for (int row = 0; row < tensors->table->count; ++row) unsettled |= survey_row(tensors, row);
  if ((unsettled & BIT(SHAPE)) == 0) tensors->settled = SHAPES_BUT_SIZES;
  if (tensors->rows_by_size != 0) unsettled |= BIT(SHAPE);
  tensors->settled |= MLUOP_IS_SURVEYED | (~unsettled & (BIT(APART) - 1));
}

/* True if the memory of the rows and the workspace do not overlap. */
static bool are_apart(const mluopTensors *tensors, unsigned rows) {
  uintptr_t begin[MLUOP_MAX_TENSORS + 1], end[MLUOP_MAX_TENSORS + 1];
  begin[0] = (uintptr_t)tensors->workspace;
  end[0] = begin[0] + tensors->workspace_bytes;
  int count = 1;
  for (; rows != 0; rows &= rows - 1) {
    const int row = __builtin_ctz(rows);
    const mluOpTensorDescriptor_t desc = tensors->tensor[row].desc;
    if (desc == NULL) continue;
    begin[count] = (uintptr_t)tensors->tensor[row].data;
    end[count] = begin[count] + mluop_tensor_bytes(desc);
    for (int i = 0; i < count; ++i) {
      if (begin[i] < end[count] && begin[count] < end[i]) return false;
    }
    ++count;
  }
  return true;
}

mluOpStatus_t mluop_check_unsettled(mluopTensors *tensors, unsigned rows, unsigned bits, int count,
                                    const mluopTensorCheck *checks) {
  if ((tensors->settled & MLUOP_IS_SURVEYED) == 0) survey(tensors);
  unsigned unsettled = bits & ~tensors->settled;
  if (unsettled == 0) return MLUOP_STATUS_SUCCESS;
  const unsigned all = rows_of(tensors, rows);
  const unsigned with_shapes =
      (tensors->settled & SHAPES_BUT_SIZES) != 0 ? all & tensors->rows_by_size : all;
  if ((unsettled & BIT(APART)) != 0 && are_apart(tensors, all)) unsettled &= ~BIT(APART);
  for (int i = 0; unsettled != 0 && i < count; ++i) {
    if ((unsettled >> checks[i] & 1) == 0) continue;
    const unsigned left = checks[i] == MLUOP_CHECK_SHAPE ? with_shapes : all;
    MLUOP_RETURN_IF_FAILED(check_tensors(tensors, left, checks[i]));
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t mluop_check_tensor_workspace(mluopTensors *tensors, const void *workspace,
                                           size_t workspace_size, size_t needed) {
  tensors->workspace = workspace;
  tensors->workspace_bytes = needed;
  return mluop_check_workspace(tensors->api, workspace, workspace_size, needed);
}

/* ---- records ---- */

/* An operator that works in place gets the same memory as input and output; it is recorded once. */
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

static void record_tensors(mluopGenCase *gen_case, const mluopTensors *tensors) {
  for (int row = 0; row < tensors->table->count; ++row) {
    if (is_recorded(tensors, row)) record_input(gen_case, tensors, row);
  }
  for (int row = 0; row < tensors->table->count; ++row) {
    if (is_recorded(tensors, row)) record_output(gen_case, tensors, row);
  }
}

static void record_scalar(mluopGenCase *gen_case, const mluopScalar *scalar) {
  if (scalar->value.kind == MLUOP_VALUE_BOOL) {
    genCaseParamName(gen_case, scalar->name, scalar->value.as.i != 0 ? "true" : "false");
  } else if (scalar->value.kind == MLUOP_VALUE_REAL) {
    genCaseParamFloat(gen_case, scalar->name, scalar->value.as.r);
  } else {
    genCaseParamInt(gen_case, scalar->name, scalar->value.as.i);
  }
}

void mluop_record_call(mluopGenCase *gen_case, const mluopTensors *tensors,
                       const mluopScalar *scalars) {
  const double tolerance = tensors->table->tolerance;
  record_tensors(gen_case, tensors);
  for (; scalars->name != NULL; ++scalars) record_scalar(gen_case, scalars);
  if (tolerance == 0) {
    genCaseTestParam(gen_case, "DIFF3", 0);
  } else {
    genCaseTestParam(gen_case, "DIFF1", tolerance);
    genCaseTestParam(gen_case, "DIFF2", tolerance);
  }
  genCaseWrite(gen_case);
}
