/* SPDX-License-Identifier: MIT
 *
 * Host side of my_op: checks, task sizing, launch. The macros of the checks, and the order they
 * come in, stand in core/check.h. */
#include "kernels/my_op/my_op.h"

#include "core/check.h"
#include "core/context.h"
#include "core/gen_case.h"
#include "core/tensor.h"

#define API "[mluOpMyOp]"

/* A task should have at least this much to move, else starting it costs more than it saves. */
#define MIN_TASK_BYTES (32 * 1024)

static mluOpStatus_t check_tensors(mluOpHandle_t handle, mluOpTensorDescriptor_t input_desc,
                                   mluOpTensorDescriptor_t output_desc) {
  CHECK_HANDLE(API, handle);
  CHECK_ARCH(API, handle, MLUOP_MLU370);
  CHECK_DESC(API, input_desc);
  CHECK_DESC(API, output_desc);
  CHECK_RANK(API, input_desc, 2);
  CHECK_RANK(API, output_desc, 1);
  CHECK_DTYPE(API, input_desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16);
  CHECK_BFLOAT16(API, handle, input_desc);
  CHECK_DTYPE(API, output_desc, MY_OP_RESULT_DTYPE);
  CHECK_DIM(API, output_desc, 0, input_desc->dims[0]);
  CHECK_CONTIGUOUS(API, input_desc);
  CHECK_CONTIGUOUS(API, output_desc);
  LARGE_TENSOR_CHECK(API, input_desc);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpMyOp(mluOpHandle_t handle,
                                      const mluOpTensorDescriptor_t input_desc, const void *input,
                                      const mluOpTensorDescriptor_t output_desc, void *output) {
  MLUOP_RETURN_IF_FAILED(check_tensors(handle, input_desc, output_desc));
  if (ANY_TENSOR_EMPTY(API, output_desc)) return MLUOP_STATUS_SUCCESS;
  const int64_t rows = input_desc->dims[0], columns = input_desc->dims[1];
  CHECK_VALUE(API, columns, columns > 0, "1 or more: an empty row has no largest element");
  CHECK_DATA(API, input);
  CHECK_DATA(API, output);
  CHECK_APART(API, MLUOP_WRITTEN(output, output_desc), MLUOP_READ(input, input_desc));

  GEN_CASE(gen_case, handle, "my_op", NULL);
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "input", input_desc, input, genCaseUniform(-1, 1));
    genCaseOutput(&gen_case, "output", output_desc, output);
    genCaseTestParam(&gen_case, "DIFF3", 0);
    genCaseWrite(&gen_case);
  }

  const cnrtDim3_t dim =
      mluop_context_task_dim(handle, mluop_tensor_bytes(input_desc), MIN_TASK_BYTES, rows);
  return KernelMyOp(handle, dim, input_desc->dtype, input, rows, columns, output);
}
