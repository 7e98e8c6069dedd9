/* SPDX-License-Identifier: MIT */
#include "internal/rules_in_c.h"

#include "core/tensor_rules.h"

enum { X, WEIGHT, BIAS, Y };
enum { ROWS };
static const mluopTensorRule rules[] = {
    MLUOP_IN(x, MLUOP_FLOATS, MLUOP_DIMS(ROWS, MLUOP_ANY), MLUOP_SPACED_ROWS, MLUOP_UNIFORM(0, 1)),
    MLUOP_IN(weight, MLUOP_OPTIONAL, MLUOP_TYPE_OF_OR_FLOAT(X),
             MLUOP_DIMS(MLUOP_ONE, MLUOP_DIM(X, 1)), MLUOP_BELOW(ROWS)),
    MLUOP_IN(bias, MLUOP_OPTIONAL_WITH(WEIGHT), MLUOP_LEFT_OUT, MLUOP_INT32,
             MLUOP_DIMS(MLUOP_DIM(X, 0)), MLUOP_REAL(0, 6)),
    MLUOP_UPDATED(y, MLUOP_TYPE_OF(X), MLUOP_SHAPE_OF(X, 2), MLUOP_UNIFORM(3, 4)),
};
static const mluopTensorTable table =
    MLUOP_TENSOR_TABLE("rules_in_c", rules, .size_names = {"rows"}, .tolerance = 0.5);

#define UNPACK(call)                                                                        \
  const mluOpTensorDescriptor_t x_desc = (call)->x_desc, weight_desc = (call)->weight_desc; \
  const mluOpTensorDescriptor_t bias_desc = (call)->bias_desc, y_desc = (call)->y_desc;     \
  const void *x = (call)->x, *weight = (call)->weight, *bias = (call)->bias, *y = (call)->y

mluOpStatus_t checkRulesInC(const RulesCall *call) {
  UNPACK(call);
  int64_t sizes[] = {call->rows};
  mluopTensors tensors = MLUOP_TENSORS("[op]", call->handle, &table, sizes, x, weight, bias, y);
  CHECK_TENSORS(&tensors, MLUOP_ALL, HANDLE, PRESENT, RANK, BASE_TYPE, BFLOAT16, TYPE, SHAPE);
  CHECK_TENSORS(&tensors, MLUOP_ALL, LAYOUT, LARGE, NOT_EMPTY);
  CHECK_TENSOR_WORKSPACE(&tensors, call->workspace, 8, 8);
  CHECK_TENSORS(&tensors, MLUOP_ALL, DATA);
  CHECK_TENSORS(&tensors, x == y ? MLUOP_EXCEPT(X) : MLUOP_ALL, APART);
  const int64_t rows = call->rows;
  RECORD_CASE(&tensors, rows);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t checkRequiredRulesInC(const RulesCall *call) {
  UNPACK(call);
  mluopTensors tensors = MLUOP_TENSORS("[op]", call->handle, &table, NULL, x, weight, bias, y);
  CHECK_TENSORS(&tensors, MLUOP_REQUIRED_ROWS, PRESENT, RANK, SAME_TYPE, TYPE);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t checkAnyRankInC(const mluOpTensorDescriptor_t x_desc,
                              const mluOpTensorDescriptor_t y_desc) {
  static const mluopTensorRule any_rules[] = {
      MLUOP_IN(x, MLUOP_FLOATS),
      MLUOP_OUT(y, MLUOP_TYPE_OF(X), MLUOP_SHAPE_OF(X, 0)),
  };
  static const mluopTensorTable any_table = MLUOP_TENSOR_TABLE("any_rank_in_c", any_rules);
  const void *x = NULL, *y = NULL;
  mluopTensors tensors = MLUOP_TENSORS("[op]", NULL, &any_table, NULL, x, y);
  CHECK_TENSORS(&tensors, MLUOP_ALL, PRESENT, TYPE, SHAPE, LAYOUT);
  return MLUOP_STATUS_SUCCESS;
}
