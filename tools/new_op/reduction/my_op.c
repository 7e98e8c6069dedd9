/* SPDX-License-Identifier: MIT
 *
 * Host side of my_op: the table of its tensors, checks, task sizing, launch. core/tensor_rules.h
 * explains the table, docs/add_an_operator.md the checks. */
#include "kernels/my_op/my_op.h"

#include "core/context.h"
#include "core/tensor_rules.h"

#define API "[mluOpMyOp]"

/* A task should move at least this much; otherwise starting it costs more than it saves. */
#define MIN_TASK_BYTES (32 * 1024)

enum { INPUT, OUTPUT };
static const mluopTensorRule rules[] = {
    MLUOP_IN(input, MLUOP_FLOATS, MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_UNIFORM(-1, 1)),
    MLUOP_OUT(output, MLUOP_TYPES(MY_OP_RESULT_DTYPE), MLUOP_DIMS(MLUOP_DIM(INPUT, 0))),
};
static const mluopTensorTable table = MLUOP_TENSOR_TABLE("my_op", rules);

mluOpStatus_t MLUOP_WIN_API mluOpMyOp(mluOpHandle_t handle,
                                      const mluOpTensorDescriptor_t input_desc, const void *input,
                                      const mluOpTensorDescriptor_t output_desc, void *output) {
  mluopTensors tensors = MLUOP_TENSORS(API, handle, &table, NULL, input, output);
  CHECK_TENSORS(&tensors, MLUOP_ALL, HANDLE, PRESENT, RANK, BASE_TYPE, BFLOAT16, TYPE, SHAPE);
  CHECK_TENSORS(&tensors, MLUOP_ALL, LAYOUT, LARGE);
  if (ANY_TENSOR_EMPTY(API, output_desc)) return MLUOP_STATUS_SUCCESS;
  const int64_t rows = input_desc->dims[0], columns = input_desc->dims[1];
  CHECK_VALUE(API, columns, columns > 0, "1 or more: an empty row has no largest element");
  CHECK_TENSORS(&tensors, MLUOP_ALL, DATA, APART);
  RECORD_CASE(&tensors);

  const cnrtDim3_t dim =
      mluop_context_task_dim(handle, mluop_tensor_bytes(input_desc), MIN_TASK_BYTES, rows);
  return KernelMyOp(handle, dim, input_desc->dtype, input, rows, columns, output);
}
