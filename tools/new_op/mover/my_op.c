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

enum { INPUT, INDICES, OUTPUT };
enum { INPUT_ROWS };
static const mluopTensorRule rules[] = {
    MLUOP_IN(input,
             MLUOP_TYPES(MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16,
                         MLUOP_DTYPE_INT32, MLUOP_DTYPE_INT8),
             MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_UNIFORM(-1, 1)),
    MLUOP_IN(indices, MLUOP_INT32, MLUOP_DIMS(MLUOP_ANY), MLUOP_BELOW(INPUT_ROWS)),
    MLUOP_OUT(output, MLUOP_TYPE_OF(INPUT), MLUOP_DIMS(MLUOP_DIM(INDICES, 0), MLUOP_DIM(INPUT, 1))),
};
static const mluopTensorTable table = MLUOP_TENSOR_TABLE("my_op", rules);

mluOpStatus_t MLUOP_WIN_API mluOpMyOp(mluOpHandle_t handle,
                                      const mluOpTensorDescriptor_t input_desc, const void *input,
                                      const mluOpTensorDescriptor_t indices_desc,
                                      const void *indices,
                                      const mluOpTensorDescriptor_t output_desc, void *output) {
  int64_t sizes[1];
  mluopTensors tensors = MLUOP_TENSORS(API, handle, &table, sizes, input, indices, output);
  CHECK_TENSORS(&tensors, MLUOP_ALL, HANDLE, PRESENT, RANK, TYPE, SHAPE, LAYOUT);
  CHECK_TENSORS(&tensors, MLUOP_ONLY(INPUT, OUTPUT), LARGE);
  if (ANY_TENSOR_EMPTY(API, output_desc)) return MLUOP_STATUS_SUCCESS;
  const bool has_rows = !ANY_TENSOR_EMPTY(API, input_desc);
  CHECK_TENSORS(&tensors, has_rows ? MLUOP_ALL : MLUOP_EXCEPT(INPUT), DATA);
  CHECK_TENSORS(&tensors, MLUOP_ALL, APART);
  sizes[INPUT_ROWS] = input_desc->dims[0];
  RECORD_CASE(&tensors);

  const MyOpRows rows = {
      .input = input,
      .indices = indices,
      .output = output,
      .input_rows = input_desc->dims[0],
      .output_rows = output_desc->dims[0],
      .row_bytes = output_desc->dims[1] * (int64_t)mluop_dtype_size(output_desc->dtype)};
  const cnrtDim3_t dim = mluop_context_task_dim(handle, mluop_tensor_bytes(output_desc),
                                                MIN_TASK_BYTES, rows.output_rows);
  return KernelMyOp(handle, dim, &rows);
}
